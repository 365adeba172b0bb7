// The Prefer header.
import { expect } from 'chai';
import { readPreference } from '../../../src/platform/http/prefer.js';

describe('the Prefer header', () => {
  const waits: [string, number, string | undefined][] = [
    ['', 10_000, undefined],
    ['wait=5', 5_000, 'wait=5'],
    ['wait=0', 0, 'wait=0'],
    ['wait=30', 30_000, 'wait=30'],
    ['wait=31', 30_000, 'wait=30'],
    ['wait=99999999', 30_000, 'wait=30'],
    ['wait=1000000000', 30_000, 'wait=30'],
    [`wait=${'9'.repeat(400)}`, 30_000, 'wait=30'],
    ['Wait = "7"; why=because', 7_000, 'wait=7'],
    ['return=minimal, wait=3', 3_000, 'wait=3'],
    ['wait=-1', 10_000, undefined],
    ['wait=1.5', 10_000, undefined],
    ['wait=soon', 10_000, undefined],
    ['return=minimal', 10_000, undefined],
    ['respond-async', 0, 'respond-async'],
    ['wait=20, Respond-Async', 0, 'respond-async'],
  ];
  for (const [header, waitMs, applied] of waits) {
    it(`${JSON.stringify(header)} waits ${waitMs / 1000} s`, () => {
      expect(readPreference(header)).to.include({ waitMs, applied });
    });
  }
});
