// The errors of the API appear at the fields of a form, which may have other names.
import { expect } from 'chai';
import type { Explained } from '../../src/dashboard/kit/forms/error-places.js';
import { refusedForm } from '../../src/dashboard/kit/forms/form.js';
import { Problem } from '../../src/platform/errors.js';
import { FormFields } from '../../src/platform/http/input/form-fields.js';

/** The errors of a refused form by field, and its message under ''. */
function shown(explained: Explained, ...pointers: readonly string[]): Record<string, string> {
  const errors = pointers.map(pointer => ({ pointer, code: 'too_long', detail: `At ${pointer}.` }));
  const problem = new Problem('validation_failed', 'Invalid.', { errors });
  const { errors: found, message = '' } = refusedForm(new FormFields(), problem, {
    ...explained,
    decimalMark: '.',
    currency: null,
  });
  return { '': message, ...Object.fromEntries(found) };
}
const CHECK = 'Check the highlighted fields.';

describe('the errors of a refused form', () => {
  it('are at the fields of the same names if the form says nothing else', () => {
    expect(shown({}, '/name', '/items/0/qty')).to.deep.equal({
      '': CHECK,
      name: 'At /name.',
      'items.0.qty': 'At /items/0/qty.',
    });
  });

  it('keep the line of a field that has another name', () => {
    const at = { 'items.*.delta': 'items.*.quantity' };
    expect(shown({ at }, '/items/7/delta', '/items/7/name')).to.deep.equal({
      '': CHECK,
      'items.7.quantity': 'At /items/7/delta.',
      'items.7.name': 'At /items/7/name.',
    });
  });

  it('name the line of a list that is one field, and show its first error', () => {
    const at = { 'aliases.*': 'aliases' };
    expect(shown({ at }, '/aliases/2', '/aliases/4')).to.deep.equal({
      '': CHECK,
      aliases: 'Line 3: At /aliases/2.',
    });
  });

  it('become the message of the form if one of them has no field', () => {
    const at = (name: string) => (name === 'amount' ? name : null);
    expect(shown({ at }, '/amount', '/paymentId', '')).to.deep.equal({
      '': 'At /paymentId. At .',
    });
  });

  it('have the words of the form, or those of another problem in its place', () => {
    expect(shown({ say: () => 'Too long.' }, '/name').name).to.equal('Too long.');
    const instead = () => new Problem('validation_failed', 'Changed meanwhile.');
    expect(shown({ instead }, '/name')).to.deep.equal({ '': 'Changed meanwhile.' });
  });
});
