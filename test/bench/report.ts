// Renders the figures as Markdown. The JSON file has every run.
import type { Run } from './measure.js';
import type { TableSize } from './sizes.js';
import type { Workload } from './workloads.js';

export interface Measured {
  readonly workload: Pick<Workload, 'name' | 'title' | 'clients'>;
  /** Alternately of both sides. The first side is compared with the second. */
  readonly runs: readonly Run[];
}

export interface Ceiling {
  readonly title: string;
  readonly perSecond: number;
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
  /** The compared sides. */
  readonly sides: readonly [string, string];
  readonly measured: readonly Measured[];
  readonly ceilings: readonly Ceiling[];
  /** Of the product's processes after all runs, in MiB. */
  readonly memoryMib: Readonly<Record<string, number>>;
  /** Of the first side's database, before the first run. */
  readonly sizes: readonly TableSize[];
  readonly violations: number;
}

const DASH = '-';

export function renderMarkdown(report: Report): string {
  const { at, mode, node, machine, seconds, invoices, sides, memoryMib, violations } = report;
  const memory = Object.entries(memoryMib).map(([name, mib]) => `${name} ${rounded(mib)} MiB`);
  return `# Benchmark, ${at.slice(0, 10)}, queue in ${mode}

${machine}, Node ${node}; ${invoices} invoices at the start, ${seconds} s per run; the
clients run on the same machine.

${[head(sides), ...report.measured.map(measured => renderRow(measured, sides))].join('\n')}

${renderCeilings(report)}| table | rows | MiB | indexes, MiB |
|---|--:|--:|--:|
${report.sizes.map(renderSize).join('\n')}

Memory after all runs: ${memory.join(', ')}. Violations found by \`verify\`: ${violations}.
`;
}

const renderSize = ({ table, rows, mib, indexMib }: TableSize) =>
  `| ${table} | ${rows} | ${rounded(mib)} | ${rounded(indexMib)} |`;

const head = ([one, other]: Report['sides']) => `\
| workload | clients | ${one}/s | ${other}/s | ratio \
| p50 ms | p99 ms | CPU ms | peak MiB | unexpected |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|`;

/** One line for the terminal. */
export function renderLine(measured: Measured, sides: Report['sides']): string {
  return renderRow(measured, sides).replaceAll(/^\| | \|$/gu, '');
}

/** Shows times, memory and unexpected responses as one side / the other. */
export function renderRow({ workload, runs }: Measured, [one, other]: Report['sides']): string {
  const of = (side: string, pick: (run: Run) => number | null) =>
    mean(runs.filter(run => run.side === side).map(pick));
  const pair = (pick: (run: Run) => number | null) =>
    `${rounded(of(one, pick))} / ${rounded(of(other, pick))}`;
  const rates = [of(one, perSecond), of(other, perSecond)] as const;
  const cells = [
    workload.title,
    workload.clients,
    ...rates.map(rounded),
    `**${rounded(rates[0] / rates[1])}**`,
    pair(run => run.p50Ms),
    pair(run => run.p99Ms),
    pair(run => run.cpuMsPerRequest),
    pair(run => Math.max(...Object.values(run.peakMib))),
    pair(run => run.unexpected + run.failed),
  ];
  return `| ${cells.join(' | ')} |`;
}

export const perSecond = (run: Run): number => run.perSecond;

function renderCeilings({ ceilings, measured }: Report): string {
  if (ceilings.length === 0) return '';
  const rows = ceilings.map(ceiling => renderCeiling(ceiling, measured));
  const heading = ['| ceiling | per second | product / ceiling |', '|---|--:|--:|'];
  return `${[...heading, ...rows].join('\n')}\n\n`;
}

function renderCeiling(
  { title, perSecond: most, of }: Ceiling,
  measured: readonly Measured[],
): string {
  const rows = measured.filter(({ workload }) => of.split(' ').includes(workload.name));
  const shares = rows.map(({ workload, runs }) => {
    const own = mean(runs.filter(({ side }) => side === runs[0]?.side).map(perSecond));
    return `${workload.title}: ${rounded(own / most)}`;
  });
  return `| ${title} | ${rounded(most)} | ${shares.join('; ') || DASH} |`;
}

function mean(values: readonly (number | null)[]): number {
  const known = values.filter(value => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Three significant digits; a dash for an unknown value. */
function rounded(value: number): string {
  if (!Number.isFinite(value)) return DASH;
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
