// Generated texts of any code points.
import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST_CODE_POINT = 0x10ffff;

/**
 * Texts of all code points but surrogates. fast-check's own of the unit `binary` take a second of
 * CPU time in each process, for a table of all code points.
 */
export function anyText(lengths: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  const position = fc.integer({ min: 0, max: LAST_CODE_POINT - SURROGATES });
  const character = position.map(at =>
    String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES),
  );
  return fc.array(character, lengths).map(characters => characters.join(''));
}
