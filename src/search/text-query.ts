// The text of a search as its statements compare it: words, each of which a row must have in one of
// its texts, or in the record of its customer.
import { foldText } from '../platform/values/folded-text.js';
import { phoneDigits } from '../platform/values/phone.js';
import { amountReadings } from '../platform/values/typed-amount.js';

export interface SearchedWord {
  /** Without case and accents. */
  readonly folded: string;
  /** True if the word is one of the row's texts and no part of it. */
  readonly isWhole?: true;
  /** The digits, if the word may be a part of a phone number with marks between them. */
  readonly phone: string | null;
  /** The amounts that the word may stand for, as decimal text without trailing zeros. */
  readonly amounts: readonly string[];
  /** The match keys of customers whose records have the word, but not in the name itself. */
  readonly customers: readonly string[];
}

export interface TextQuery {
  /** As typed, without white space around it. */
  readonly text: string;
  readonly words: readonly SearchedWord[];
  /** The text as a whole, if it may be an amount or a phone number of several words. */
  readonly whole: SearchedWord | null;
}

/** Whether the customer's record has the word. A city may be in the records of most customers. */
export function isOfCustomer({ customers }: SearchedWord, key: string): boolean {
  if (customers.length === 0) return false;
  const keys = keySets.get(customers) ?? new Set(customers);
  keySets.set(customers, keys);
  return keys.has(key);
}
const keySets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** A text of the API finds no amounts: `q` looks in texts alone. */
export function textQuery(typed: string, withAmounts = true): TextQuery {
  const text = typed.trim();
  const wordOf = (each: string): SearchedWord => ({
    folded: foldText(each),
    phone: phoneDigits(each),
    amounts: withAmounts ? amountReadings(each) : [],
    customers: [],
  });
  const words = foldText(text).split(' ').map(wordOf);
  const whole = wordOf(text);
  const isMore = words.length > 1 && (whole.amounts.length > 0 || whole.phone !== null);
  return { text, words, whole: isMore ? whole : null };
}
