// A company that reads as much as it may does not slow down another company's requests. An idle
// measurement on the same machine is the measure here; `npm run faults -- --hostile` sends the same
// attacks and has the strict limits.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { READ_ATTACKS } from './faults/hostile-reads.js';
import { runAttack } from './faults/hostile-run.js';
import { makeCompany, type TestCompany } from './support/factories.js';
import { postInvoice } from './support/neighbours.js';
import { describeMode, makeProcesses } from './support/suite.js';

const INVOICES = 10_000;
const CLIENTS = 12;
const SECONDS = 2;
const SAMPLE_EVERY_MS = 100;
const IDLE_MS = 2_000;
/** Half of the requests take at most this many times as long as idle, and this much longer. */
const FACTOR = 6;
const MORE_MS = 60;
/** Other tests may slow down one attack and not the idle time before it. */
const ATTEMPTS = 3;

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

describeMode(
  'postgres',
  'beside a company that reads as much as it may',
  stack => {
    let other: TestCompany;

    /** The median times of the other company's requests until `work` is done. */
    const measure = async (work: () => Promise<unknown>) => {
      const times: Record<'reads' | 'writes', number[]> = { reads: [], writes: [] };
      const timed = async (
        kind: 'reads' | 'writes',
        request: () => Promise<{ status: number }>,
      ) => {
        const startedAt = performance.now();
        const { status } = await request();
        times[kind].push(performance.now() - startedAt);
        expect(status).to.be.oneOf([200, 201]);
      };
      const sent: Promise<void>[] = [];
      let isOver = false;
      const working = work().finally(() => {
        isOver = true;
      });
      for (let sample = 1; !isOver; sample += 1) {
        sent.push(timed('reads', () => other.get(`/invoices?limit=${sample}`)));
        sent.push(timed('writes', () => postInvoice(other)));
        await delay(SAMPLE_EVERY_MS);
      }
      await Promise.all([working, ...sent]);
      return { reads: median(times.reads), writes: median(times.writes) };
    };

    before(async () => {
      other = await makeCompany(stack());
      await measure(() => delay(SECONDS * 1_000));
    });

    for (const { name, what, prepare } of READ_ATTACKS)
      it(`others are served as usual (${name}: ${what})`, async () => {
        const attack = await prepare(stack(), INVOICES, CLIENTS);
        const attempts: string[] = [];
        const isAsUsual = async () => {
          const idle = await measure(() => delay(IDLE_MS));
          let ends: ReadonlyMap<string, number> = new Map();
          const now = await measure(async () => {
            ends = await runAttack(attack, SECONDS);
          });
          // 503: a read has waited for its turn for too long.
          const others = [...ends.keys()].filter(end => end !== '200' && end !== '503');
          expect(others, 'the answers to the attack').to.deep.equal([]);
          attempts.push(`idle ${JSON.stringify(idle)}, now ${JSON.stringify(now)}`);
          return (
            now.reads < FACTOR * idle.reads + MORE_MS && now.writes < FACTOR * idle.writes + MORE_MS
          );
        };
        while (!(await isAsUsual()))
          if (attempts.length === ATTEMPTS) expect.fail(attempts.join('\n'));
      });
  },
  () => makeProcesses('postgres'),
);
