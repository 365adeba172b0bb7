// `npm run bench -- --guard`: compares the main ratios with those of an earlier version.
import type { Mode } from '../support/suite.js';
import { rounded } from './numbers.js';

/** Answers per second of the product divided by those of the baseline, by workload. */
const RECORDED: Readonly<Record<Mode, Readonly<Record<string, number>>>> = {
  redis: {
    'create-1': 0.44,
    'create-64': 1.9,
    'create-company': 3.4,
    'create-long': 0.46,
    'list-50': 4.6,
  },
  postgres: {
    'create-1': 0.35,
    'create-64': 1.57,
    'create-company': 2.6,
    'create-long': 0.39,
    'list-50': 3.8,
  },
};
/** The smallest part of the recorded ratio that passes. */
const PASSES = 0.85;

/** Two minutes in all. Short turns in turn with the baseline's meet the same state of the host. */
export const GUARD_OPTIONS = {
  only: Object.keys(RECORDED.redis).join(','),
  seconds: '2.5',
  turns: '4',
  invoices: '20000',
};

/** The verdict on a workload's ratio, and whether it passes. */
export function guard(mode: Mode, workload: string, ratio: number) {
  const recorded = RECORDED[mode][workload] ?? Number.NaN;
  const passes = ratio >= recorded * PASSES;
  const verdict = passes ? 'passes' : 'TOO LOW';
  return { passes, text: `${workload}: ${rounded(ratio)}, recorded ${recorded}: ${verdict}` };
}
