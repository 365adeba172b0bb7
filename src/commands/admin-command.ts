// The declaration of an operator command: its options, and how it makes the JSON value to print.
import type { Effect } from './interruption.js';
import type { Values } from './option-values.js';

/** The process in which a command runs. */
export interface AdminContext {
  readonly readPassword: () => Promise<string>;
  /** The dashboard's address, for links. */
  readonly baseUrl: string;
  /** Prints a line before the command ends. */
  readonly print: (value: unknown) => void;
  /** Aborts when the operator interrupts a command that runs without end. */
  readonly signal: AbortSignal;
}

export interface AdminCommand {
  readonly options: readonly string[];
  readonly flags?: readonly string[];
  readonly required: readonly string[];
  /** `everything` by default. */
  readonly effect?: Effect;
  /** Returns the JSON value to print; undefined for none. */
  readonly run: (values: Values, context: AdminContext) => Promise<unknown>;
}

/** Commands by noun and verb, such as "company list". */
export type AdminCommands = Readonly<Record<string, AdminCommand>>;
