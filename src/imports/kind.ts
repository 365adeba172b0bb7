// A kind of import: its tables, the columns of its files, and the rule that applies its rows.
// Files, previews, limits, claims, progress and retention are the same for all kinds.
import type { Actor } from '../companies/actor.js';
import type { Transaction } from '../platform/db/connection.js';
import type { FileFormat, ImportedFile, ReadOptions } from './file/read-file.js';
import type { ImportTrial, Judgement } from './judgement.js';

/** The tables of all kinds. Their queued imports count towards one limit per company. */
export const IMPORT_TABLES = ['imports', 'customer_imports'] as const;

/** A locked import, and the position of its last applied row. */
export interface ImportClaim {
  readonly companyId: string;
  readonly id: string;
  readonly position: number;
  /** True if one transaction applies all rows, or none if one of them is refused. */
  readonly allOrNothing?: boolean;
  /** True if the import is to be undone. */
  readonly isUndo?: boolean;
  /** The user who started the import, or who asked for the undo. */
  readonly createdBy: Actor;
}

/** A valid row that is not applied yet. */
export interface ValidRow<Entry> {
  readonly position: number;
  /** The number of its last line in the file. */
  readonly line: number;
  readonly entry: Entry;
}

/** A refused row and its errors, in sentences. */
export interface RefusedRow {
  readonly position: number;
  readonly errors: readonly string[];
}

export interface RowOutcomes {
  /** The positions of the applied rows. */
  readonly applied: readonly number[];
  readonly refused: readonly RefusedRow[];
  /** Columns of the import, and how many of the applied rows each one counts. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface ImportKind<
  Claim extends ImportClaim = ImportClaim,
  Entry = unknown,
  Options extends ReadOptions = ReadOptions,
> {
  readonly table: (typeof IMPORT_TABLES)[number];
  readonly rowsTable: string;
  /** Names the kind in events. */
  readonly noun: 'stock' | 'customers';
  /** The name of its poll in logs. */
  readonly poll: string;
  readonly format: FileFormat<string, Options>;
  /** The module that exports the format as FORMAT. A thread loads it. */
  readonly formatModule: URL;
  readonly maxFileBytes: number;
  /** Stands for a file name that cannot be shown. */
  readonly fileName: string;
  /** Columns of the rows, each with a key that finds what a row is about. */
  readonly keys: readonly string[];
  /** SQL for the number of applied rows, from the counters. */
  readonly rowsDone: string;
  /** SQL of columns of the import i to read in addition to every kind's. */
  readonly columns?: string;
  /** The same for a claim. */
  readonly claimColumns?: string;
  /** Columns of a preview in addition to every kind's. */
  previewColumns?(
    file: ImportedFile,
    preview: { readonly fileName: string; readonly judgement: Judgement },
  ): Readonly<Record<string, unknown>>;
  /** Tries rows as `apply` would apply them for the user, for the preview. */
  openTrial(companyId: string, file: ImportedFile, user: Actor): Promise<ImportTrial<Entry>>;
  /** Locks the company and applies rows, in order. A refused row affects no other. */
  apply(claimed: Claim, rows: readonly ValidRow<Entry>[], tx: Transaction): Promise<RowOutcomes>;
  /** For tables that have the columns of an undo: see undo.ts. */
  readonly undo?: ImportUndo<Claim>;
}

/** Why an import was not undone. */
export interface UndoRefusal<Obstacle> {
  /** The number of obstacles. */
  readonly total: number;
  readonly first: readonly Obstacle[];
}

export interface ImportUndo<Claim extends ImportClaim> {
  /** Holds the values from before an import, by import_id, as long as it can be undone. */
  readonly changesTable: string;
  /** Undoes the import; if that is refused, changes nothing and returns why. */
  apply(claimed: Claim, tx: Transaction): Promise<UndoRefusal<unknown> | null>;
}
