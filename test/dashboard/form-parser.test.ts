// How the fields of a form become a body, and how figures are read and written exactly.
import { expect } from 'chai';
import fc from 'fast-check';
import Joi from 'joi';
import { parseDecimalJson } from '../../src/dashboard/kit/decimal-json.js';
import { bodyOf, submitForm } from '../../src/dashboard/kit/form.js';
import { admits, type Guard } from '../../src/dashboard/kit/page.js';
import { formatMoney, formatPrice, formatTime } from '../../src/dashboard/kit/ui/format.js';
import { fromUnits } from '../../src/platform/values/money.js';
import { isPassword } from '../../src/users/passwords.js';
import type { Session } from '../../src/users/sessions.js';

const fields = (text: string) => new URLSearchParams(text);

describe('the body of a form', () => {
  it('nests dotted names, closes the gaps of removed lines, and leaves out what is empty and the token', () => {
    const form = fields(
      'token=t&customerName=Ada&reference=&items.2.name=B&items.0.name=A&items.0.sku=+&scopes[]=r&scopes[]=w',
    );
    expect(bodyOf(form)).to.deep.equal({
      customerName: 'Ada',
      items: [{ name: 'A' }, { name: 'B' }],
      scopes: ['r', 'w'],
    });
  });

  it('has numbers where text is one exactly, else the text', () => {
    const number = (text: string) =>
      bodyOf(new URLSearchParams({ 'items.0.qty': text }), { numbers: ['qty'] });
    const of = (text: string) => (number(text).items as { qty: unknown }[])[0]?.qty;
    expect(['12.50', ' 007 ', '-0.5', '0.0000', '1000000', '-3'].map(of)).to.deep.equal([
      12.5, 7, -0.5, 0, 1000000, -3,
    ]);
    for (const text of [
      '1e5',
      '0x10',
      '1,000',
      '1.',
      '.5',
      'NaN',
      'Infinity',
      '9007199254740993',
      '1000000.00000000001',
      '--1',
    ]) {
      expect(of(text), text).to.equal(text === '1.' ? 1 : text);
    }
  });

  it('never reaches a prototype, however it is named', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom(
              '__proto__',
              'constructor',
              'a',
              '0',
              'a.__proto__',
              'a.b',
              'a.0',
              'a.b.c.d.e',
            ),
            fc.string(),
          ),
        ),
        pairs => {
          bodyOf(new URLSearchParams(pairs));
          expect(Object.keys(Object.prototype)).to.deep.equal([]);
          expect(({} as Record<string, unknown>).b).to.equal(undefined);
        },
      ),
    );
  });

  it('that a schema refuses comes back as it was typed, with a sentence by field', async () => {
    const schema = Joi.object({
      name: Joi.string().required(),
      items: Joi.array().items(Joi.object({ qty: Joi.number() })),
    });
    const form = fields('name=&items.0.qty=many');
    const outcome = await submitForm(form, schema, async () => undefined, { numbers: ['qty'] });
    if (outcome.done) throw new Error('it was taken');
    expect(outcome.state.values).to.equal(form);
    expect([...outcome.state.errors]).to.deep.equal([
      ['name', 'Fill this in.'],
      ['items.0.qty', 'Type a number, such as 12.50.'],
    ]);
  });
});

describe('figures on pages', () => {
  it('are the decimal text of the service, whatever its size', () => {
    expect(
      parseDecimalJson('{"a":1234567890123456789.10,"b":"1.50 \\" 2","c":[-0.5,null,true]}'),
    ).to.deep.equal({
      a: '1234567890123456789.10',
      b: '1.50 " 2',
      c: ['-0.5', null, true],
    });
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 24n), units => {
        const text = fromUnits(units);
        const shown = formatPrice(parseDecimalJson<string>(text), 'USD').replaceAll(/[$,]/gu, '');
        expect(shown.replace(/0+$/u, '').replace(/\.$/u, '')).to.equal(text);
      }),
    );
  });

  it('have the form of their currency, with the decimals of its coins', () => {
    expect(formatMoney('1234.5', 'USD')).to.equal('$1,234.50');
    expect(formatMoney('99999999999999.99', 'EUR')).to.equal('€99,999,999,999,999.99');
    expect(formatMoney('1234', 'JPY')).to.equal('¥1,234');
    expect(formatMoney('1.5', 'KWD')).to.match(/^KWD\s1\.500$/u);
    expect(formatPrice('0.0125', 'USD')).to.equal('$0.0125');
  });

  it('have their times in the zone of the company', () => {
    expect(formatTime('2026-11-20T23:30:00.000Z', 'Europe/Berlin')).to.match(
      /^Nov 21, 2026, 12:30\sAM$/u,
    );
  });
});

describe('a guard', () => {
  it('lets in whom it names', () => {
    const person = (role: string, operator: boolean) => ({ role, operator }) as Session;
    const people = [null, person('member', false), person('owner', false), person('member', true)];
    const admitted = (guard: Guard) => people.map(someone => admits(guard, someone));
    expect(admitted('anyone')).to.deep.equal([true, true, true, true]);
    expect(admitted('signed-in')).to.deep.equal([false, true, true, true]);
    expect(admitted('owner')).to.deep.equal([false, false, true, false]);
    expect(admitted('operator')).to.deep.equal([false, false, false, true]);
  });
});

describe('password hashes', () => {
  it('are worked on two at a time; behind thirty that wait, the next is asked to come again', async () => {
    const cheap = `scrypt$16$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const results = await Promise.allSettled(
      Array.from({ length: 33 }, () => isPassword('x', cheap)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(32);
    const [refused] = results.filter(result => result.status === 'rejected');
    expect(refused?.reason.code).to.equal('service_unavailable');
    expect(await isPassword('x', cheap)).to.equal(false);
  });
});
