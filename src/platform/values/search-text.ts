// The text that a user searches for, as every list and every choice of a customer reads it.
import { cleanCode } from './text.js';

/** The length of the longest text that a search can find, a customer's name, in code points. */
export const MAX_SEARCH_TEXT = 255;

/** A search without invisible characters, cut after whole characters; empty if there is none. */
export function searchText(typed: string | null): string {
  return [...cleanCode(typed ?? '')].slice(0, MAX_SEARCH_TEXT).join('');
}
