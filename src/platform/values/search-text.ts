// The text that a user searches for, as every list and every choice of a customer reads it.
import { cleanText } from './text.js';

/** The length of the longest text that a search can find, a customer's name, in code points. */
export const MAX_SEARCH_TEXT = 255;

/** The stored form of a search, cut after whole characters; empty if there is none. */
export function searchText(typed: string | null): string {
  return [...cleanText(typed ?? '')].slice(0, MAX_SEARCH_TEXT).join('');
}
