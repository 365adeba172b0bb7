// The words of a kind of import, and the parts of its pages that differ. All kinds share the pages.
import type { ComponentChildren } from 'preact';
import type { ReadOptions } from '../../imports/file/read-file.js';
import type { JudgedRow, Judgement } from '../../imports/judgement.js';
import type { ImportKind } from '../../imports/kind.js';
import { findImport, type ImportRecord } from '../../imports/queries.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import type { Permission } from '../../users/roles.js';
import type { Session } from '../../users/sessions.js';
import { getOr404, type PageRequest } from '../kit/page.js';
import type { UndoWords } from './undo.js';

export interface ImportPages<Found extends ImportRecord = ImportRecord> {
  readonly kind: ImportKind;
  readonly guard: Permission;
  /** The nouns of the title "Import stock", and of what a row is about. */
  readonly noun: string;
  readonly records: string;
  /** The address of the list, above those of its imports and of its export.csv. */
  readonly home: string;
  readonly homeLabel: string;
  /** The guide to the file, and to each column that needs one. */
  readonly intro: string;
  readonly guide: readonly (readonly [column: string, meaning: ComponentChildren])[];
  /** How a file is read, besides the options of all kinds. */
  readOptions?(session: Session): Omit<object, keyof ReadOptions>;
  /** The columns that a form decides which starts an import. */
  startChoices?(form: FormFields): Readonly<Record<string, boolean>>;
  figures(judgement: Judgement): ComponentChildren;
  /** Fields of the form that starts the import. */
  choices?(judgement: Judgement, found: Found): ComponentChildren;
  rows(rows: readonly JudgedRow[], found: Found): ComponentChildren;
  /** A panel about rows whose record has changed since an export. */
  movedRows?(rows: readonly JudgedRow[]): ComponentChildren;
  /** The effect of several rows about one record. */
  readonly repeatedNote: string;
  /** The result of a started import; null for the usual sentence. */
  result?(found: Found): string;
  readonly undo: UndoWords<never>;
}

export interface RejectedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problem: string;
}

/** The address of the upload form. */
export const formPath = ({ home }: Pick<ImportPages, 'home'>) => `${home}/import`;

/** The address of an import. */
export const importPath = ({ home }: Pick<ImportPages, 'home'>, id: string) =>
  `${home}/imports/${id}`;

/** Throws Problem `not_found`, even if another company has the import. */
export function getImport<Found extends ImportRecord>(
  { kind }: ImportPages<Found>,
  { session, params }: Pick<PageRequest, 'session' | 'params'>,
): Promise<Found> {
  return getOr404('import', params.id, id => findImport<Found>(kind, session.companyId, id));
}

/**
 * How to read a file: as before, with what its user changes. A new file has nothing before it.
 */
export function readOptions(
  pages: ImportPages,
  session: Session,
  found: ImportRecord | null,
  changes: Partial<ReadOptions>,
): ReadOptions {
  return {
    decimalMark: null,
    encoding: found?.reading?.encoding ?? null,
    separator: found?.reading?.separator ?? null,
    chosen: found?.columns ?? null,
    currency: session.currency,
    ...pages.readOptions?.(session),
    ...changes,
  };
}
