// JSON text that is read and changed without parsing it.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  joinTexts,
  lastElement,
  replaceMembers,
  stringMembers,
  withoutLastElement,
} from '../../../src/platform/values/json-text.js';
import { anyText } from '../../support/any-text.js';

/** Values whose strings try to look like the members that the tests name. */
const strings = fc.oneof(
  anyText(),
  fc.constantFrom('"status":"open"', ',{"id":"', '\\"status\\":', '"}],[{', '\\', '"', '\u001e'),
);
const otherNames = fc.constantFrom('note', 'customerName', 'lines');
const values = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    strings,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(otherNames, tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('JSON edited as text', () => {
  it('replaces members as parsing and rendering again would', () => {
    fc.assert(
      fc.property(values, values, values, values, values, (before, old, between, next, after) => {
        const json = { before, status: old, between, total: old, after };
        const changed = replaceMembers(JSON.stringify(json), {
          status: JSON.stringify(next),
          total: '1.50',
        });
        const expected = JSON.stringify({ ...json, status: next, total: 1.5 });
        expect(JSON.parse(changed)).to.deep.equal(JSON.parse(expected));
      }),
    );
  });

  it('replaces the last member of an object', () => {
    expect(replaceMembers('{"id":"1","settledOn":null}', { settledOn: '"2026-01-02"' })).to.equal(
      '{"id":"1","settledOn":"2026-01-02"}',
    );
  });

  it('replaces the first of several members with one name', () => {
    expect(replaceMembers('{"status":"a","line":{"status":"b"}}', { status: '"c"' })).to.equal(
      '{"status":"c","line":{"status":"b"}}',
    );
  });

  it('leaves JSON as it is if it does not have the member', () => {
    for (const json of ['{}', '{"id":"status"}', 'damaged'])
      expect(replaceMembers(json, { status: '"open"' })).to.equal(json);
  });

  it('lists the members that are strings, at any depth', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.uuid())), values, (ids, note) => {
        const json = JSON.stringify({ note, lines: ids.map(itemId => ({ note, itemId })) });
        expect(stringMembers(json, 'itemId')).to.deep.equal(ids.filter(id => id !== null));
      }),
    );
  });

  it('takes the last element from a list', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1 }), notes => {
        const elements = notes.map((note, id) => JSON.stringify({ id: `${id}`, note }));
        const list = elements.join(',');
        expect(lastElement(list)).to.equal(elements.at(-1));
        expect(withoutLastElement(list)).to.equal(elements.slice(0, -1).join(','));
      }),
    );
  });

  it('joins texts so that they can be split again', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1 }), list => {
        const texts = list.map(value => JSON.stringify(value));
        expect(joinTexts(texts).split('\u001e')).to.deep.equal(texts);
      }),
    );
  });
});
