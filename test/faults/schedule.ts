// Runs the faults in the order that the seed gives: each once, or for a given time, alone and in
// pairs alternately.
import { setTimeout as delay } from 'node:timers/promises';
import { type Fault, type Part, PROCESSES } from './fault.js';
import { startSpan } from './history.js';
import type { Random } from './random.js';
import type { System } from './system.js';

/** Between faults, so that some requests meet none. */
const PAUSE_MS = 1_000;
const PROCESS_PARTS: ReadonlySet<Part> = new Set(PROCESSES);

export interface Schedule {
  readonly faults: readonly Fault[];
  /** No fault starts after this; 0 runs each fault once. */
  readonly durationMs: number;
  /** The longest that a fault may take; null for its own duration. */
  readonly faultSeconds: number | null;
}

export async function runSchedule(
  system: System,
  { faults, durationMs, faultSeconds }: Schedule,
  random: Random,
  say: (text: string) => void,
): Promise<void> {
  const end = Date.now() + durationMs;
  const singles = random.shuffle(faults).map(fault => [fault]);
  for (let count = 1; ; count += 1) {
    if (durationMs > 0 && Date.now() > end) return;
    const isPair = durationMs > 0 && (count % 2 === 0 || singles.length === 0);
    const turn = isPair ? pickPair(faults, random) : singles.shift();
    if (turn === undefined) return;
    const names = turn.map(({ name }) => name).join(' with ');
    say(`${names} …`);
    // Recovery is measured for processes alone: otherwise requests also wait for something else.
    system.processes.isMeasured =
      turn.length === 1 && turn.every(({ parts }) => parts.every(part => PROCESS_PARTS.has(part)));
    if (system.bystanders) system.bystanders.isJudged = turn.length === 1;
    await Promise.all(
      turn.map(fault => {
        const seconds = Math.min(fault.seconds, faultSeconds ?? fault.seconds);
        const run = () => fault.run(system, random.fork(`${fault.name} ${count}`), seconds);
        const { history } = system;
        // While Postgres is disturbed, 503 is a correct answer.
        return fault.parts.includes('postgres')
          ? history.during(history.outages, startSpan(), run)
          : run();
      }),
    );
    await system.processes.allReady();
    await delay(PAUSE_MS);
    say(`${names} over`);
  }
}

/** A fault and another one that disturbs other parts; the first alone if there is none. */
function pickPair(faults: readonly Fault[], random: Random): Fault[] {
  const first = random.pick(faults);
  const others = faults.filter(
    fault => fault !== first && !fault.parts.some(part => first.parts.includes(part)),
  );
  return others.length === 0 ? [first] : [first, random.pick(others)];
}
