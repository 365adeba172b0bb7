// Renders the figures as Markdown: medians over all turns. The JSON file has every run.
import type { Run } from './measure.js';
import { median, rounded } from './numbers.js';
import type { TableSize } from './sizes.js';
import { type Figure, renderTargets } from './targets.js';
import type { Workload } from './workloads.js';

export interface Measured {
  readonly workload: Pick<Workload, 'name' | 'title' | 'clients'>;
  /** Alternately of both sides, and of the Koa route that the workload is compared with. */
  readonly runs: readonly Run[];
}

export interface Ceiling {
  readonly title: string;
  readonly perSecond: number;
  /** Of a Koa route; null for statements. */
  readonly run: Run | null;
  /** The workloads that it bounds. */
  readonly of: string;
}

export interface Report {
  readonly at: string;
  readonly mode: string;
  readonly node: string;
  readonly machine: string;
  readonly seconds: number;
  readonly invoices: number;
  /** The first side is compared with the second. */
  readonly sides: readonly [string, string];
  readonly measured: readonly Measured[];
  readonly ceilings: readonly Ceiling[];
  /** Of the product's processes after all runs, in MiB. */
  readonly memoryMib: Readonly<Record<string, number>>;
  /** Of the first side's database, before the first run. */
  readonly sizes: readonly TableSize[];
  readonly violations: number;
}

/** The name of the Koa route's runs, the third side. */
export const KOA = 'koa';

export function renderMarkdown(report: Report): string {
  const { at, mode, node, machine, seconds, invoices, memoryMib, violations } = report;
  const memory = Object.entries(memoryMib).map(([name, mib]) => `${name} ${rounded(mib)} MiB`);
  return `# Benchmark, ${at.slice(0, 10)}, queue in ${mode}

${machine}, Node ${node}; ${invoices} invoices at the start, ${seconds} s per run; the
clients run on the same machine.

${[head(report.sides), ...report.measured.map(row => renderRow(row, report))].join('\n')}

${renderCeilings(report)}| table | rows | MiB | indexes, MiB |
|---|--:|--:|--:|
${report.sizes.map(renderSize).join('\n')}

Memory after all runs: ${memory.join(', ')}. Violations of an invariant: ${violations}.
`;
}

const renderSize = ({ table, rows, mib, indexMib }: TableSize) =>
  `| ${table} | ${rows} | ${rounded(mib)} | ${rounded(indexMib)} |`;

const head = ([one, other]: Report['sides']) => `\
| workload | clients | ${one}/s | ${other}/s | ratio | Koa/s \
| p50 ms | p99 ms | CPU ms | CPU ms of ${one} by process | peak MiB | unexpected | targets |
|---|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|--:|---|`;

type Context = Pick<Report, 'sides' | 'mode'>;

/** The columns of the lines. */
export function renderHead(sides: Report['sides']): string {
  return toLine(head(sides).split('\n')[0] ?? '');
}

/** One line for the terminal. */
export function renderLine(measured: Measured, context: Context): string {
  return toLine(renderRow(measured, context));
}

export function renderCeilingLine({ title, perSecond, run }: Ceiling): string {
  const cost = run && `, p50 ${rounded(run.p50Ms)} ms, CPU ${rounded(cpuMs(run) ?? Number.NaN)} ms`;
  return `${title}: ${rounded(perSecond)} per second${cost ?? ''}`;
}

function toLine(row: string): string {
  return row.replaceAll(/^\| | \|$/gu, '');
}

/** Shows times, processor time, memory and unexpected responses as one side / the other. */
function renderRow({ workload, runs }: Measured, { sides, mode }: Context): string {
  const [one, other] = sides;
  const of = (side: string, pick: (run: Run) => number | null) =>
    median(runs.filter(run => run.side === side).map(pick));
  const pair = (pick: (run: Run) => number | null) =>
    `${rounded(of(one, pick))} / ${rounded(of(other, pick))}`;
  const figures = figuresOf(runs, sides);
  const cells = [
    workload.title,
    workload.clients,
    rounded(of(one, perSecond)),
    rounded(of(other, perSecond)),
    `**${rounded(figures.ratio)}**`,
    rounded(of(KOA, perSecond)),
    pair(p50Ms),
    pair(run => run.p99Ms),
    pair(cpuMs),
    renderShares(runs.filter(run => run.side === one)),
    pair(run => Math.max(...Object.values(run.peakMib))),
    pair(run => run.unexpected + run.failed),
    other === 'baseline' ? renderTargets(workload.name, mode, figures) : '',
  ];
  return `| ${cells.join(' | ')} |`;
}

const perSecond = (run: Run): number => run.perSecond;
const p50Ms = (run: Run): number => run.p50Ms;
const cpuMs = (run: Run): number | null => run.cpuMsPerRequest;

/** Ratios are those of a turn's runs, which met the same state of the machine. */
export function figuresOf(
  runs: readonly Run[],
  [one, other]: Report['sides'],
): Readonly<Record<Figure, number>> {
  const of = (side: string) => runs.filter(run => run.side === side);
  const relative = (side: string, pick: (run: Run) => number) => {
    const others = of(side);
    return median(
      of(one).map((run, turn) => (others[turn] ? pick(run) / pick(others[turn]) : null)),
    );
  };
  return {
    cpu: median(of(one).map(cpuMs)),
    ratio: relative(other, perSecond),
    p50Ratio: relative(other, p50Ms),
    koaRatio: relative(KOA, perSecond),
  };
}

function renderShares(runs: readonly Run[]): string {
  return Object.keys(runs[0]?.cpuShares ?? {})
    .map(part => `${part} ${rounded(median(runs.map(run => run.cpuShares[part] ?? null)))}`)
    .join(', ');
}

function renderCeilings({ ceilings, measured }: Report): string {
  if (ceilings.length === 0) return '';
  const rows = ceilings.map(ceiling => renderCeiling(ceiling, measured));
  const heading = [
    '| ceiling | per second | p50 ms | CPU ms | product / ceiling |',
    '|---|--:|--:|--:|--:|',
  ];
  return `${[...heading, ...rows].join('\n')}\n\n`;
}

function renderCeiling(
  { title, perSecond: most, run, of }: Ceiling,
  measured: readonly Measured[],
): string {
  const rows = measured.filter(({ workload }) => of.split(' ').includes(workload.name));
  const shares = rows.map(({ workload, runs }) => {
    const own = median(runs.filter(({ side }) => side === runs[0]?.side).map(perSecond));
    return `${workload.title}: ${rounded(own / most)}`;
  });
  const times = [run?.p50Ms, run?.cpuMsPerRequest].map(time => rounded(time ?? Number.NaN));
  return `| ${[title, rounded(most), ...times, shares.join('; ') || '-'].join(' | ')} |`;
}
