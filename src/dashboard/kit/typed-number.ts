// Numbers as people type them into a form: with a point or a comma, and in groups of three digits.
// Pure: the browser's live amounts read a field as the server does. The API accepts only JSON
// numbers.

/** 1,250 is one thousand two hundred and fifty, or one and a quarter. */
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/u;
/** 12,5 and 1.250,50. */
const COMMA_DECIMAL = /^-?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+),\d+$/u;
/** 1,250,000 and 1,250.50. */
const COMMA_GROUPS = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/u;
/** 1.250.000. A single point is the decimal separator, as in 1.250. */
const POINT_GROUPS = /^-?[1-9]\d{0,2}(?:\.\d{3}){2,}$/u;
const SPACE_IN_GROUPS = /(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/gu;

/** The text as a number with a decimal point. Other text and ambiguous numbers stay unchanged. */
export function plainNumber(text: string): string {
  const typed = withoutSpaces(text);
  if (AMBIGUOUS.test(typed)) return text;
  if (COMMA_DECIMAL.test(typed)) return typed.replaceAll('.', '').replace(',', '.');
  if (COMMA_GROUPS.test(typed)) return typed.replaceAll(',', '');
  return POINT_GROUPS.test(typed) ? typed.replaceAll('.', '') : typed;
}

/** The two readings of an ambiguous number, such as 1250 and 1.250. Null for any other text. */
export function readingsOf(text: string): readonly [string, string] | null {
  const typed = withoutSpaces(text);
  return AMBIGUOUS.test(typed) ? [typed.replace(',', ''), typed.replace(',', '.')] : null;
}

function withoutSpaces(text: string): string {
  return text.trim().replaceAll(SPACE_IN_GROUPS, '');
}
