// When an endpoint is failing or disabled, and when a delivery is tried again.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Health,
  healthAfter,
  probePause,
  retryPause,
} from '../../src/webhooks/delivering/health.js';

const HEALTHY: Health = {
  failures: 0,
  failedSequences: [],
  isQuick: true,
  failing: null,
  disabled: null,
};
const NOW = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const failed = { status: 500, error: null, durationMs: 10 } as const;
const succeeded = { status: 204, error: null, durationMs: 10 } as const;

/** The health after failures of these events. */
const afterFailures = (sequences: readonly number[], isOrdered = false): Health =>
  sequences.reduce<Health>(
    (health, sequence) =>
      healthAfter(health, { sequence, isProbe: false, outcome: failed }, isOrdered, NOW),
    HEALTHY,
  );
const times = (count: number, sequence = 1): number[] => Array(count).fill(sequence);

describe('an endpoint', () => {
  it('is failing after ten failures in a row of at least three events', () => {
    expect(afterFailures([1, 2, ...times(7, 3)]).failing).to.equal(null);
    expect(afterFailures([1, 2, ...times(8, 3)]).failing).to.deep.equal({
      probes: 0,
      probeAt: NOW + MINUTE_MS,
      disableAt: NOW + 5 * DAY_MS,
    });
    expect(afterFailures([...times(20, 1), 2]).failing).to.equal(null);
    expect(afterFailures([...times(20, 1), 2, 3]).failing).not.to.equal(null);
  });

  it('is failing after four failures in a row if it is ordered', () => {
    expect(afterFailures(times(3), true).failing).to.equal(null);
    expect(afterFailures(times(4), true).failing).not.to.equal(null);
  });

  it('is healthy after one success, from any state', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 30 }), fc.boolean(), (sequences, isOrdered) => {
        const health = afterFailures(sequences, isOrdered);
        const result = { sequence: 1, isProbe: health.failing !== null, outcome: succeeded };
        expect(healthAfter(health, result, isOrdered, NOW)).to.deep.equal(HEALTHY);
      }),
    );
  });

  it('is probed after 1, 2, 4, 8, 16, 30, 30 … minutes', () => {
    const minutes = [0, 1, 2, 3, 4, 5, 6, 50].map(probes => probePause(probes) / MINUTE_MS);
    expect(minutes).to.deep.equal([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  it('is disabled by the first failed probe after five days', () => {
    const failing = afterFailures(times(4), true);
    const probe = { sequence: 1, isProbe: true, outcome: failed };
    const before = healthAfter(failing, probe, true, NOW + 5 * DAY_MS - 1);
    expect(before.disabled).to.equal(null);
    expect(before.failing).to.deep.include({ probes: 1, disableAt: NOW + 5 * DAY_MS });
    expect(healthAfter(before, probe, true, NOW + 5 * DAY_MS).disabled).to.equal('no_success');
  });

  it('is disabled at once by 410', () => {
    const outcome = { ...failed, status: 410 };
    const result = { sequence: 1, isProbe: false, outcome };
    expect(healthAfter(HEALTHY, result, false, NOW).disabled).to.equal('gone');
  });

  it('is quick if its last answer was a success within two seconds', () => {
    const isQuickAfter = (outcome: { status: number; durationMs: number }) =>
      healthAfter(
        HEALTHY,
        { sequence: 1, isProbe: false, outcome: { error: null, ...outcome } },
        false,
        NOW,
      ).isQuick;
    expect(isQuickAfter({ status: 200, durationMs: 2_000 })).to.equal(true);
    expect(isQuickAfter({ status: 200, durationMs: 2_001 })).to.equal(false);
    expect(isQuickAfter({ status: 500, durationMs: 1 })).to.equal(false);
  });
});

describe('a delivery that fails', () => {
  const plain = { isOrdered: false, retryAfterMs: null };

  it('is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, within a tenth', () => {
    const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), random => {
        for (const [index, pause] of seconds.entries()) {
          const ms = retryPause(index + 1, plain, random) ?? 0;
          expect(ms / 1_000).to.be.within(0.9 * pause - 0.001, 1.1 * pause + 0.001);
        }
      }),
    );
    expect(retryPause(10, plain, 0.5)).to.equal(null);
  });

  it('never runs out of attempts if it is ordered', () => {
    for (const attempts of [10, 11, 1_000])
      expect(retryPause(attempts, { ...plain, isOrdered: true }, 0.5)).to.equal(DAY_MS);
  });

  it('waits longer if the receiver asks for it, and never shorter', () => {
    expect(retryPause(1, { ...plain, retryAfterMs: 60_000 }, 0.5)).to.equal(60_000);
    expect(retryPause(2, { ...plain, retryAfterMs: 60_000 }, 0.5)).to.equal(300_000);
  });
});
