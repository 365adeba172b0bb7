// The filters that every list of records has.
import { instant } from '../platform/http/input/time.js';
import { codeText } from '../platform/http/input/validate.js';

/** The longest text of `q`. */
const MAX_Q = 100;

/** `texts` says in what `q` looks for its words. */
export const recordFilters = (noun: string, texts: string) => ({
  q: codeText(MAX_Q).description(
    `${noun} with all of these words, each in any of: ${texts}. Case and accents do not matter.`,
  ),
  updatedSince: instant().description(
    `${noun} that were created, or whose JSON was changed, at or after this time. ` +
      'A write may show some seconds after its time, so let the times of two requests overlap ' +
      'by a minute.',
  ),
});
