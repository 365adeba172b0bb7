// Cells that a spreadsheet has changed, so that they are not what was in their source. Pure.

/** A number that a spreadsheet has shortened: 4.00638E+12. Codes such as 2E10 have no plus. */
const SHORTENED = /^[+-]?\d+(?:[.,]\d*)?E\+\d{2,}$/iu;
/**
 * Errors of spreadsheets, in their languages: #N/A, #NV, #REF!, #BEZUG!, #NAME?, #¿NOMBRE?,
 * Err:502; and a column that is too narrow for its number.
 */
const ERROR = /^(?:#N\/[ABD]|#NV|#GETTING_DATA|#[¡¿]?\p{Lu}[\p{Lu}\p{N}/_]*[!?]|Err:\d{3}|#{3,})$/u;

/** Invisible characters: zero-width spaces, direction marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The sentence about a damaged cell, after its value; null for any other. */
export function damageOf(cell: string): string | null {
  const text = cell.replaceAll(INVISIBLE, '').trim();
  if (SHORTENED.test(text)) return SHORTENED_SENTENCE;
  return ERROR.test(text) ? ERROR_SENTENCE : null;
}

const SHORTENED_SENTENCE =
  'a spreadsheet has shortened this number. Format the column as text and export again.';
const ERROR_SENTENCE =
  'this is an error of a spreadsheet, not a value. Correct the cell and export again.';
