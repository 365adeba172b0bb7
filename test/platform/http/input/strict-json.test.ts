// The JSON that the API accepts.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Problem } from '../../../../src/platform/errors.js';
import { parseStrictJson } from '../../../../src/platform/http/input/strict-json.js';
import { decimal, validateBody } from '../../../../src/platform/http/input/validate.js';
import { exactNumber } from '../../../../src/platform/values/money.js';

const parse = (text: string) => parseStrictJson(Buffer.from(text));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('strict JSON', () => {
  it('reads every JSON document as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), value => {
        const text = JSON.stringify(value);
        expect(parse(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  const refused: Record<string, string | Buffer> = {
    'an empty body': '',
    'a truncated body': '{"a":1',
    'single quotes': "{'a':1}",
    'a trailing comma': '[1,]',
    NaN: '{"a":NaN}',
    'a byte order mark': '\ufeff{}',
    'a duplicate key': '{"a":1,"a":1}',
    'a duplicate key that is escaped once': '{"a":1,"\\u0061":2}',
    'a duplicate key in a nested object': '[{"b":[{"x":{},"y":[],"x":1}]}]',
    '33 levels': nested(33),
    'invalid UTF-8': Buffer.from([0x22, 0xc3, 0x28, 0x22]),
    'an encoded surrogate': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    'half a megabyte of brackets': '['.repeat(500_000),
  };
  for (const [what, text] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      expect(() => parseStrictJson(Buffer.from(text)))
        .to.throw()
        .with.property('code', 'malformed_json');
    });
  }

  const reasons: Record<string, string> = {
    ' ': 'The body is empty.',
    '{"a":1,': 'The body is not valid JSON',
    '{\n  "a": "secret",\n  b: 2}': 'The body is not valid JSON at line 3, column 3.',
    '{"a":1,"a":2}': 'The key "a" appears more than once in one object.',
  };
  for (const [text, reason] of Object.entries(reasons)) {
    it(`says of ${JSON.stringify(text)}: ${reason}`, () => {
      expect(() => parse(text)).to.throw(reason);
    });
  }

  it('accepts 32 levels, a key in several objects, and brackets and quotes in text', () => {
    expect(parse(nested(32))).to.be.an('array');
    expect(parse('[{"a":1},{"a":{"a":2}}]')).to.deep.equal([{ a: 1 }, { a: { a: 2 } }]);
    expect(parse('{"a":"[[{\\"a\\":","b":"\\\\"}')).to.deep.equal({ a: '[[{"a":', b: '\\' });
  });

  const exact: Record<string, number> = {
    '1.0': 1,
    '-1.10': -1.1,
    '1e2': 100,
    '1.50E-3': 0.0015,
    '1.00000000000000000000': 1,
    '0.00000000000000000000': 0,
    '99999999999.9999000000': 99_999_999_999.9999,
    '100000000000000000000': 1e20,
    '123456789012345678901234567890': Number('123456789012345678901234567890'),
    '0e-400': 0,
    // As many programs print the doubles 0.1, 3.3 and 1.1e-7.
    '0.10000000000000001': 0.1,
    '3.2999999999999998': 3.3,
    '1.1000000000000001e-07': 1.1e-7,
  };
  for (const [literal, value] of Object.entries(exact))
    it(`reads ${literal} as JSON.parse does`, () => {
      expect(parse(`{"a": ${literal} }`)).to.deep.equal({ a: value });
    });

  /** The code with which a field of numbers from -1,000,000 to 1,000,000 refuses the literal. */
  const refusal = (literal: string): string | undefined => {
    try {
      const [value] = parse(`[${literal}]`) as [number];
      validateBody(decimal(-1_000_000, 1_000_000), value);
      return undefined;
    } catch (error) {
      return (error as Problem).details.errors?.[0]?.code;
    }
  };

  const rounded: Record<string, string> = {
    '1.00000000000000000001': 'too_many_decimals',
    '0.99999999999999999999': 'too_many_decimals',
    '0.99999999999999993': 'too_many_decimals',
    '0.10000000000000002': 'too_many_decimals',
    '0.100000000000000001': 'too_many_decimals',
    '-0.100000000000000001': 'too_many_decimals',
    '1000000.00000000000001': 'too_large',
    '999999.9999999999999999': 'too_many_decimals',
    '-1000000.00000000000001': 'too_small',
    '10000000000000000.1e-16': 'too_many_decimals',
    '1e-400': 'too_many_decimals',
    '-1E-400': 'too_many_decimals',
    '1e400': 'too_large',
  };

  for (const [literal, code] of Object.entries(rounded))
    it(`reads ${literal} so that a field refuses it: ${code}`, () => {
      expect(refusal(literal)).to.equal(code);
    });

  it('lets no field accept a number that is not the one of the text', () => {
    const digits = (min: number, max: number) =>
      fc.stringMatching(new RegExp(`^\\d{${min},${max}}$`, 'u'));
    const literal = fc
      .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), digits(0, 4), digits(0, 20))
      .map(([whole, fraction, more]) => `${whole}.${fraction}${more}0`);
    fc.assert(
      fc.property(literal, text => {
        const value = exactNumber(text);
        if (value === null) expect(refusal(text)).to.be.a('string');
        else expect(parse(`[${text}]`)).to.deep.equal([value]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('replaces every rounded number of a body, and no text that looks like one', () => {
    const text = '{"a":"1.00000000000000000001","b":[1.00000000000000000001,2, 3e-400 ],"c":4.5}';
    const { b, ...others } = parse(text) as { b: number[] };
    expect(others).to.deep.equal({ a: '1.00000000000000000001', c: 4.5 });
    expect([b[1], b[0] === 1, b[2] === 0]).to.deep.equal([2, false, false]);
  });
});
