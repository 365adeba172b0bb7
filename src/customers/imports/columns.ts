// The columns of a file of customers, and the values of its rows. An empty cell leaves a value as
// it is; a cell with only a hyphen clears it. Pure.

import type { DecimalMark } from '../../imports/decimals.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { unshielded } from '../../platform/values/csv.js';
import { exactNumber } from '../../platform/values/money.js';
import { shortened } from '../../platform/values/text.js';
import { customerPatch } from '../schema.js';

type Kind = 'text' | 'number' | 'flag' | 'list';

/** Each column with the path of its value in a record, and the kind of its cells. */
const COLUMNS = {
  name: ['name', 'text'],
  number: ['number', 'text'],
  externalId: ['externalId', 'text'],
  legalName: ['legalName', 'text'],
  aliases: ['aliases', 'list'],
  email: ['email', 'text'],
  emailCc: ['emailCc', 'list'],
  phone: ['phone', 'text'],
  contactName: ['contactName', 'text'],
  ...addressColumns('address', 'address'),
  ...addressColumns('delivery', 'deliveryAddress'),
  taxId: ['taxId', 'text'],
  registrationId: ['registrationId', 'text'],
  electronicAddressScheme: ['electronicAddress.scheme', 'text'],
  electronicAddressId: ['electronicAddress.id', 'text'],
  buyerReference: ['buyerReference', 'text'],
  language: ['language', 'text'],
  termsDays: ['termsDays', 'number'],
  taxRate: ['tax.rate', 'number'],
  taxCategory: ['tax.category', 'text'],
  taxReason: ['tax.reason', 'text'],
  creditLimit: ['creditLimit', 'number'],
  hold: ['hold', 'flag'],
  note: ['note', 'text'],
} as const satisfies Readonly<Record<string, readonly [path: string, kind: Kind]>>;

export type Column = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];

/** Divides the elements of a list in one cell: no name and no address can have a line feed. */
export const LIST_SEPARATOR = '\n';
/** The cell that clears a value. A text that is only a hyphen is written as '-. */
const CLEAR = '-';
/** Columns that find a record. */
const KEYS: readonly Column[] = ['externalId', 'number', 'name'];
const TRUE = new Set(['true', 'yes', '1']);
const FALSE = new Set(['false', 'no', '0']);
const MAX_VALUE = 40;

function addressColumns<Prefix extends string, Member extends string>(
  prefix: Prefix,
  member: Member,
) {
  const parts = ['line1', 'line2', 'line3', 'city', 'postalCode', 'region', 'country'] as const;
  const columns = parts.map(part => {
    const name = `${prefix}${part[0]?.toUpperCase()}${part.slice(1)}`;
    return [name, [`${member}.${part}`, 'text']] as const;
  });
  return Object.fromEntries(columns) as Record<
    `${Prefix}${Capitalize<(typeof parts)[number]>}`,
    readonly [`${Member}.${string}`, 'text']
  >;
}

/** The path of a column's value in a record: address.city of addressCity. */
export function pathOf(column: Column): readonly string[] {
  return COLUMNS[column][0].split('.');
}

export function kindOf(column: Column): Kind {
  return COLUMNS[column][1];
}

const BY_HEADING: ReadonlyMap<string, Column> = new Map(
  COLUMN_NAMES.map(column => [plain(column), column]),
);

function plain(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The column of each heading; undefined for one that the import ignores. */
export function columnsOf(header: readonly string[]): (Column | undefined)[] {
  return header.map(heading => BY_HEADING.get(plain(heading)));
}

/** Maps a file's header to columns. Throws Problem `validation_failed` at /file. */
export function readColumns(header: readonly string[]): (Column | undefined)[] {
  const columns = columnsOf(header);
  const repeated = columns.find(
    (column, index) => column !== undefined && columns.indexOf(column) !== index,
  );
  if (repeated) throw invalidField('file', `The file has more than one column for ${repeated}.`);
  if (!KEYS.some(key => columns.includes(key)))
    throw invalidField(
      'file',
      'The first row must contain column names. A name, number or externalId column is required.',
    );
  return columns;
}

/** The values of a row by column. Null clears a value. */
export type RowEntry = Readonly<Partial<Record<Column, unknown>>>;

export type CheckedRow = { readonly entry: RowEntry } | { readonly errors: readonly string[] };

/** The values of a row, or a sentence per error that no record could change. */
export function checkRow(
  cells: readonly string[],
  columns: readonly (Column | undefined)[],
  decimalMark: DecimalMark,
): CheckedRow {
  if (cells.slice(columns.length).some(cell => cell.trim() !== ''))
    return {
      errors: [
        'This row has more values than columns. A value may contain the separator without quotes.',
      ],
    };
  const entry: Partial<Record<Column, unknown>> = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (column === undefined || cell.trim() === '') continue;
    entry[column] = readCell(cell, kindOf(column), decimalMark);
  }
  if (!KEYS.some(key => typeof entry[key] === 'string'))
    return { errors: ['A name, number or externalId is required.'] };
  const errors = errorsOf(entry);
  return errors.length === 0 ? { entry } : { errors };
}

function readCell(cell: string, kind: Kind, decimalMark: DecimalMark): unknown {
  if (cell.trim() === CLEAR) return null;
  const text = unshielded(cell);
  switch (kind) {
    case 'number':
      return numberOf(text, decimalMark);
    case 'flag':
      return flagOf(text);
    case 'list':
      return linesOf(text);
    default:
      return text;
  }
}

/** The cell's number, or its text if it is none, which the schema then refuses. */
function numberOf(cell: string, decimalMark: DecimalMark): number | string {
  const text = cell.trim();
  if (decimalMark === '.') return exactNumber(text) ?? text;
  return text.includes('.') ? text : (exactNumber(text.replace(',', '.')) ?? text);
}

function flagOf(cell: string): boolean | string {
  const text = cell.trim().toLowerCase();
  return TRUE.has(text) ? true : FALSE.has(text) ? false : cell;
}

function linesOf(cell: string): string[] {
  return cell.split(/\r\n?|\n/u).filter(line => line.trim() !== '');
}

/** The errors that the schema of a patch finds, except for parts that the record may have. */
function errorsOf(entry: RowEntry): string[] {
  try {
    validateBody(customerPatch, nested(entry));
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errors = [] } = error.details;
    return errors
      .filter(({ code, pointer }) => !(code === 'required' && pointer.split('/').length > 2))
      .map(each => sentenceOf(each, entry));
  }
}

/** The values in the form of a patch. A part that is cleared is absent. */
function nested(entry: RowEntry): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(entry)) {
    const [member = '', part] = pathOf(column as Column);
    if (part === undefined) body[member] = value;
    else if (value !== null) body[member] = { ...((body[member] ?? {}) as object), [part]: value };
  }
  return body;
}

/** An error as a sentence that starts with its column and the value that it has. */
export function sentenceOf({ pointer, code, detail }: FieldError, entry: RowEntry): string {
  const path = pointer.slice(1).split('/');
  const column = COLUMN_NAMES.find(name =>
    pathOf(name).every((part, index) => part === path[index]),
  );
  if (column === undefined) return detail;
  const value = entry[column];
  const element = Array.isArray(value) ? value[Number(path.at(-1))] : value;
  const shown = element == null ? '' : ` “${shortened(String(element), MAX_VALUE)}”`;
  const sentence = code === 'wrong_type' && kindOf(column) === 'flag' ? YES_OR_NO : detail;
  return `${column}${shown}: ${sentence}`;
}
const YES_OR_NO = 'Must be true or false.';
