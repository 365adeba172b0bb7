// Which fault comes when, as the seed has it: each once in a shuffled order, or, while there is time, these and two at a
// time by turns.
import { type Fault, type Part, PROCESSES } from './fault.js';
import type { Random } from './random.js';
import type { Stage } from './stage.js';

/** Between faults, so that something also happens in peace. */
const PAUSE_MS = 1_000;
const PROCESS_PARTS: ReadonlySet<Part> = new Set(PROCESSES);

export interface Schedule {
  readonly faults: readonly Fault[];
  /** No fault begins after so long; 0 ends when each has been once. */
  readonly durationMs: number;
  /** The longest that a fault may take; null for its own time. */
  readonly faultSeconds: number | null;
}

export async function runSchedule(
  stage: Stage,
  { faults, durationMs, faultSeconds }: Schedule,
  random: Random,
  say: (text: string) => void,
): Promise<void> {
  const end = Date.now() + durationMs;
  const turns = random.shuffle(faults).map(fault => [fault]);
  for (let count = 1; ; count += 1) {
    if (durationMs > 0 && Date.now() > end) return;
    const isPairs = durationMs > 0 && (count % 2 === 0 || turns.length === 0);
    const turn = isPairs ? pair(faults, random) : turns.shift();
    if (turn === undefined) return;
    const names = turn.map(({ name }) => name).join(' with ');
    say(`${names} …`);
    // Recovery is told of processes alone: beside another fault, or with their stores away, they wait for something else.
    stage.isMeasured =
      turn.length === 1 && turn.every(({ parts }) => parts.every(part => PROCESS_PARTS.has(part)));
    const lasts = ({ seconds }: Fault) => Math.min(seconds, faultSeconds ?? seconds);
    await Promise.all(
      turn.map(fault => fault.run(stage, random.fork(`${fault.name} ${count}`), lasts(fault))),
    );
    await stage.allReady();
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    say(`${names} over`);
  }
}

/** A fault and another one that disturbs other parts; alone where there is none. */
function pair(faults: readonly Fault[], random: Random): Fault[] {
  const first = random.pick(faults);
  const others = faults.filter(
    fault => fault !== first && !fault.parts.some(part => first.parts.includes(part)),
  );
  return others.length === 0 ? [first] : [first, random.pick(others)];
}
