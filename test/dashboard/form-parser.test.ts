// The fields of a form become a request body, and figures are read and formatted exactly.
import { expect } from 'chai';
import fc from 'fast-check';
import Joi from 'joi';
import { parseDecimalJson } from '../../src/dashboard/kit/decimal-json.js';
import { bodyOf, type Refusal, refusalOf } from '../../src/dashboard/kit/forms/form.js';
import { admits, type Guard } from '../../src/dashboard/kit/page.js';
import { formatMoney, formatPrice, formatTime } from '../../src/dashboard/kit/ui/format.js';
import { FormFields } from '../../src/platform/http/input/form-fields.js';
import { validateBody } from '../../src/platform/http/input/validate.js';
import { fromUnits } from '../../src/platform/values/money.js';
import { isPassword } from '../../src/users/passwords.js';
import type { Session } from '../../src/users/sessions.js';

const fields = (text: string) => new FormFields(new URLSearchParams(text));

describe('the body of a form', () => {
  it('nests dotted names, closes gaps, and omits empty and generated fields', () => {
    const form = fields(
      'token=t&generated.key=1&customerName=Ada&reference=&items.2.name=B&items.0.name=A' +
        '&items.0.sku=+&scopes[]=r&scopes[]=w',
    );
    expect(bodyOf(form)).to.deep.equal({
      customerName: 'Ada',
      items: [{ name: 'A' }, { name: 'B' }],
      scopes: ['r', 'w'],
    });
  });

  it('turns exact decimal text into numbers and leaves other text unchanged', () => {
    const parse = (text: string) => {
      const form = new FormFields({ 'items.0.qty': text });
      const { items } = bodyOf(form, { numbers: ['qty'] });
      return (items as { qty: unknown }[])[0]?.qty;
    };
    expect(['12.50', ' 007 ', '-0.5', '0.0000', '1000000', '-3'].map(parse)).to.deep.equal([
      12.5, 7, -0.5, 0, 1000000, -3,
    ]);
    for (const text of [
      '1e5',
      '0x10',
      '1,000',
      '1.',
      'NaN',
      'Infinity',
      '9007199254740993',
      '1000000.00000000001',
      '--1',
    ]) {
      expect(parse(text), text).to.equal(text === '1.' ? 1 : text);
    }
  });

  it('never reaches a prototype, whatever its fields are called', () => {
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
          bodyOf(new FormFields(pairs));
          expect(Object.keys(Object.prototype)).to.deep.equal([]);
          expect(({} as Record<string, unknown>).b).to.equal(undefined);
        },
      ),
    );
  });

  it('returns unchanged if a schema refuses it, with one sentence per field', () => {
    const schema = Joi.object({
      name: Joi.string().required(),
      items: Joi.array().items(Joi.object({ qty: Joi.number() })),
    });
    const form = fields('name=&items.0.qty=many');
    let refusal: Refusal | undefined;
    try {
      validateBody(schema, bodyOf(form, { numbers: ['qty'] }));
    } catch (error) {
      refusal = refusalOf(form, error, { decimalMark: '.', currency: null });
    }
    expect(refusal?.state.values).to.equal(form);
    expect([...(refusal?.state.errors ?? [])]).to.deep.equal([
      ['name', 'Required.'],
      ['items.0.qty', 'Enter a number, such as 12.50.'],
    ]);
  });
});

describe('figures on pages', () => {
  it('are the decimal text of the service, at any size', () => {
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

  it('have the format and the decimals of their currency', () => {
    expect(formatMoney('1234.5', 'USD')).to.equal('$1,234.50');
    expect(formatMoney('99999999999999.99', 'EUR')).to.equal('€99,999,999,999,999.99');
    expect(formatMoney('1234', 'JPY')).to.equal('¥1,234');
    expect(formatMoney('1.5', 'KWD')).to.match(/^KWD\s1\.500$/u);
    expect(formatPrice('0.0125', 'USD')).to.equal('$0.0125');
  });

  it('show times in the time zone of the company', () => {
    expect(formatTime('2026-11-20T23:30:00.000Z', 'Europe/Berlin')).to.match(
      /^Nov 21, 2026, 12:30\sAM$/u,
    );
  });
});

describe('a guard', () => {
  it('admits only the visitors it names', () => {
    const session = (role: string, operator: boolean) => ({ role, operator }) as Session;
    const visitors = [
      null,
      session('member', false),
      session('owner', false),
      session('member', true),
    ];
    const admitted = (guard: Guard) => visitors.map(visitor => admits(guard, visitor));
    expect(admitted('anyone')).to.deep.equal([true, true, true, true]);
    expect(admitted('use-account')).to.deep.equal([false, true, true, true]);
    expect(admitted('manage-keys')).to.deep.equal([false, false, true, false]);
    expect(admitted('operator')).to.deep.equal([false, false, false, true]);
  });
});

describe('password hashes', () => {
  it('are computed two at a time; with thirty waiting, the next one is refused', async () => {
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
