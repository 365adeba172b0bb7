// How much of a test with many generated cases runs: a part in `npm test`, all of it in
// `npm run test:all` and for a single file.

/** `npm test` sets it to `quick`. */
export const TIER_VARIABLE = 'TEST_TIER';
const QUICK_SHARE = 5;

const isQuick = process.env[TIER_VARIABLE] === 'quick';

/** How many cases to run, out of all. */
export function casesOf(all: number): number {
  return isQuick ? Math.ceil(all / QUICK_SHARE) : all;
}
