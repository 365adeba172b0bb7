// Memory over a long run: the workload "mixed" all the time, each process's resident memory every now and then.
import { measure, memoryNow, type Side } from './measure.js';
import { WORKLOADS } from './workloads.js';

const EVERY_MS = 15_000;

export interface Soak {
  readonly perSecond: number;
  readonly faults: number;
  /** Minutes from the start, and MiB by process. */
  readonly memory: readonly {
    readonly minute: number;
    readonly mib: Readonly<Record<string, number>>;
  }[];
}

export async function soak(
  side: Side,
  minutes: number,
  say: (text: string) => void,
): Promise<Soak> {
  const workload = WORKLOADS.find(({ name }) => name === 'mixed');
  if (!workload) throw new Error('there is no workload mixed');
  const memory: Soak['memory'][number][] = [];
  const begun = performance.now();
  const look = () => {
    const minute = (performance.now() - begun) / 60_000;
    const mib = memoryNow(side.stage);
    memory.push({ minute, mib });
    const all = Object.entries(mib).map(([name, amount]) => `${name} ${Math.round(amount)}`);
    say(`${minute.toFixed(2).padStart(6)} min, MiB: ${all.join(', ')}`);
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  try {
    const run = await measure(side, workload, { warmUpMs: 0, measureMs: minutes * 60_000 });
    return { perSecond: run.perSecond, faults: run.unexpected + run.failed, memory };
  } finally {
    clearInterval(timer);
  }
}
