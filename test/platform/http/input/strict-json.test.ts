// The JSON that the API accepts.
import { expect } from 'chai';
import fc from 'fast-check';
import { parseStrictJson } from '../../../../src/platform/http/input/strict-json.js';

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
});
