// The text of a search as its statements compare it.
import { foldText } from '../platform/values/folded-text.js';
import { amountReadings } from '../platform/values/typed-amount.js';

export interface TextQuery {
  /** As typed, without white space around it. */
  readonly text: string;
  /** Without case and accents. */
  readonly folded: string;
  /** The amounts that the text may stand for, as decimal text without trailing zeros. */
  readonly amounts: readonly string[];
}

export function textQuery(typed: string): TextQuery {
  const text = typed.trim();
  return { text, folded: foldText(text), amounts: amountReadings(text) };
}
