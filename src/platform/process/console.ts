// Some libraries print to the console (Sequelize: "Rolling back transaction … failed"), and Node
// prints its warnings. Here all of it becomes events of the log, one JSON line each.
import { inspect } from 'node:util';
import { describeError } from '../postgres-errors.js';

type Level = 'info' | 'warn' | 'error';

const LEVELS = {
  log: 'info',
  info: 'info',
  debug: 'info',
  trace: 'info',
  warn: 'warn',
  error: 'error',
} as const satisfies Record<string, Level>;

/** Passes everything that is printed to the console, and Node's warnings, to `write`. */
export function redirectConsole(write: (level: Level, text: string) => void): void {
  for (const [method, level] of Object.entries(LEVELS))
    console[method as keyof typeof LEVELS] = (...values: unknown[]) =>
      write(level, values.map(textOf).join(' '));
  // Node's own listener prints.
  process.removeAllListeners('warning');
  process.on('warning', warning => write('warn', textOf(warning)));
}

/** Only the name and message of an error: its other fields may contain bound values. */
function textOf(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${describeError(value).message}`;
  return typeof value === 'string' ? value : inspect(value);
}
