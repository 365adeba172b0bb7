// The targets shown beside the measured figures: a `required` value and a `goal` beyond it.
import { rounded } from './numbers.js';

interface Target {
  readonly workload: string;
  readonly figure: Figure;
  readonly required: number;
  readonly goal: number;
  /** Both modes if absent. */
  readonly mode?: 'redis' | 'postgres';
}

/** Costs should be at most their target; the others at least. */
export type Figure = 'cpu' | 'p50Ratio' | 'ratio' | 'koaRatio';

const FIGURES: Record<Figure, { title: string; isCost: boolean }> = {
  cpu: { title: 'CPU ms', isCost: true },
  p50Ratio: { title: 'p50 / baseline', isCost: true },
  ratio: { title: 'ratio', isCost: false },
  koaRatio: { title: 'of Koa', isCost: false },
};

const redis = 'redis';
const postgres = 'postgres';

const TARGETS: readonly Target[] = [
  { workload: 'create-1', figure: 'p50Ratio', required: 1.6, goal: 1.3, mode: redis },
  { workload: 'create-64', figure: 'cpu', required: 0.85, goal: 0.65, mode: redis },
  { workload: 'create-64', figure: 'ratio', required: 2.7, goal: 4, mode: redis },
  { workload: 'create-64', figure: 'ratio', required: 2, goal: 2.5, mode: postgres },
  { workload: 'create-256', figure: 'cpu', required: 0.7, goal: 0.55, mode: redis },
  { workload: 'create-256', figure: 'ratio', required: 4.5, goal: 6, mode: redis },
  { workload: 'create-256', figure: 'ratio', required: 3.5, goal: 4.5, mode: postgres },
  { workload: 'create-company', figure: 'ratio', required: 5.5, goal: 8, mode: redis },
  { workload: 'create-long', figure: 'ratio', required: 1.5, goal: 1.5 },
  { workload: 'batch', figure: 'ratio', required: 2, goal: 3 },
  { workload: 'payments', figure: 'ratio', required: 1, goal: 1.2 },
  { workload: 'credit-notes', figure: 'ratio', required: 0.7, goal: 1 },
  { workload: 'list-50', figure: 'ratio', required: 2.5, goal: 3 },
  { workload: 'get', figure: 'koaRatio', required: 0.75, goal: 0.9 },
  { workload: 'inventory-low', figure: 'koaRatio', required: 0.75, goal: 0.9 },
  { workload: 'summary', figure: 'koaRatio', required: 0.75, goal: 0.9 },
];

/** Resident MiB of web during ten minutes of the workload "mixed". */
const WEB_MIB = { required: 160, goal: 120 };

/** Such as "CPU ms 0.81, required 0.85, goal 0.65: met". Empty if the workload has no target. */
export function renderTargets(
  workload: string,
  mode: string,
  figures: Readonly<Record<Figure, number>>,
): string {
  return TARGETS.filter(target => target.workload === workload && (target.mode ?? mode) === mode)
    .map(target => {
      const { title, isCost } = FIGURES[target.figure];
      return renderTarget(title, figures[target.figure], target, isCost);
    })
    .join('; ');
}

export function renderMemoryTarget(webMib: number): string {
  return renderTarget('resident MiB of web', webMib, WEB_MIB, true);
}

function renderTarget(
  title: string,
  value: number,
  { required, goal }: { required: number; goal: number },
  isCost: boolean,
): string {
  const reaches = (limit: number) => (isCost ? value <= limit : value >= limit);
  const verdict = reaches(goal) ? 'goal reached' : reaches(required) ? 'met' : 'MISSED';
  return `${title} ${rounded(value)}, required ${required}, goal ${goal}: ${verdict}`;
}
