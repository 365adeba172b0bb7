// Records the memory of each process during a long run of the workload "mixed".
import { measure, memoryNow, type Side } from './measure.js';
import { renderMemoryTarget } from './targets.js';
import { WORKLOADS } from './workloads.js';

const SAMPLE_MS = 15_000;

export interface Soak {
  readonly perSecond: number;
  readonly unexpected: number;
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
  const startedAt = performance.now();
  const sample = () => {
    const minute = (performance.now() - startedAt) / 60_000;
    const mib = memoryNow(side.testbed);
    memory.push({ minute, mib });
    const all = Object.entries(mib).map(([name, amount]) => `${name} ${Math.round(amount)}`);
    say(`${minute.toFixed(2).padStart(6)} min, MiB: ${all.join(', ')}`);
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  try {
    const run = await measure(side, workload, { warmUpMs: 0, measureMs: minutes * 60_000 });
    say(renderMemoryTarget(Math.max(...memory.map(({ mib }) => mib.web ?? 0))));
    return { perSecond: run.perSecond, unexpected: run.unexpected + run.failed, memory };
  } finally {
    clearInterval(timer);
  }
}
