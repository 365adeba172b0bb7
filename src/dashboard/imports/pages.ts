// The words of a kind of import, and the parts of its pages that differ. All kinds share the pages.
import type { ComponentChildren, JSX } from 'preact';
import type { ReadOptions } from '../../imports/file.js';
import type { ImportKind } from '../../imports/kind.js';
import { findImport, type ImportRecord } from '../../imports/queries.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import type { Permission } from '../../users/roles.js';
import type { Session } from '../../users/sessions.js';
import type { FormState } from '../kit/forms/form-state.js';
import { getOr404, type PageRequest } from '../kit/page.js';

export interface ImportPages<Found extends ImportRecord = ImportRecord> {
  readonly kind: ImportKind;
  readonly guard: Permission;
  /** The noun of the title "Import stock". */
  readonly noun: string;
  /** The address of the list, above those of its imports and of its export.csv. */
  readonly home: string;
  readonly homeLabel: string;
  /** The guide to the file, and to each column. */
  readonly intro: string;
  readonly guide: readonly (readonly [column: string, meaning: ComponentChildren])[];
  /** Columns without an explanation. */
  readonly furtherColumns?: readonly string[];
  /** How a file is read, besides its decimal separator. Null for a new file. */
  readOptions?(session: Session, found: Found | null): Omit<ReadOptions, 'decimalMark'>;
  /** The columns that a form decides which starts an import. */
  startChoices?(form: FormFields): Readonly<Record<string, boolean>>;
  preview(
    request: PageRequest,
    found: Found,
    columns: FormState | undefined,
  ): Promise<PreviewParts>;
  /** The headings of the columns that the import ignores. */
  ignored(found: Found): readonly string[];
  /** A sentence about them. */
  ignoredNote?(found: Found): string | null;
  /** The result of a started import; null for the usual sentence. */
  result?(found: Found): string;
  readonly undo?: {
    readonly done: string;
    Panel(props: { readonly found: Found }): JSX.Element | null;
  };
}

/** The parts of a preview that differ between kinds. */
export interface PreviewParts {
  /** False until its user has chosen the columns. */
  readonly isClear: boolean;
  readonly figures: ComponentChildren;
  /** Rows that cannot be imported. */
  readonly rejected: number;
  /** The first of them, each with its problem. */
  readonly problems: readonly RejectedRow[];
  /** Fields of the form that starts the import, and its button. */
  readonly choices?: ComponentChildren;
  readonly submit: string;
  readonly columns?: ComponentChildren;
  /** The first rows. */
  readonly rows: ComponentChildren;
  /** Panels about rows that need attention. */
  readonly warnings?: ComponentChildren;
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
