// The columns of a file of customers, and the values of its rows. An empty cell leaves a value as
// it is; a cell with only a hyphen clears it. Pure.

import { customerPatch } from '../../customers/schema.js';
import type { DecimalMark } from '../../imports/decimals.js';
import {
  type FileColumns,
  type FileFormat,
  findRepeatedColumn,
  headingKey,
  type ReadOptions,
  type RowValues,
  readNumber,
} from '../../imports/file.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { unshielded } from '../../platform/values/csv.js';
import { cleanCode, matchKey, shortened } from '../../platform/values/text.js';
import { codeOf, textOf } from '../identify.js';

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

export type CustomerColumn = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as CustomerColumn[];

/** Divides the elements of a list in one cell: no name and no address can have a line feed. */
export const LIST_SEPARATOR = '\n';
/** The cell that clears a value. A text that is only a hyphen is written as '-. */
const CLEAR = '-';
/** Columns that find a record. */
const KEYS: readonly CustomerColumn[] = ['externalId', 'number', 'name'];
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
export function pathOf(column: CustomerColumn): readonly string[] {
  return COLUMNS[column][0].split('.');
}

export function columnKind(column: CustomerColumn): Kind {
  return COLUMNS[column][1];
}

const BY_HEADING: ReadonlyMap<string, CustomerColumn> = new Map(
  COLUMN_NAMES.map(column => [headingKey(column), column]),
);

/** The column of each heading; undefined for one that the import ignores. */
export function columnsOf(header: readonly string[]): FileColumns<CustomerColumn> {
  return header.map(heading => BY_HEADING.get(headingKey(heading)));
}

/** The values of a row. Null clears a value. */
export type RowEntry = RowValues<CustomerColumn>;

export const FORMAT: FileFormat<CustomerColumn, ReadOptions> = {
  /** A row with 100 long aliases and all other values. */
  maxRowBytes: 256 * 1024,
  readColumns(header) {
    const columns = columnsOf(header);
    const repeated = findRepeatedColumn(columns);
    if (repeated !== null) throw invalidField('file', repeated);
    if (!KEYS.some(key => columns.includes(key))) throw invalidField('file', NO_KEY);
    return columns;
  },
  isNumber: column => columnKind(column) === 'number',
  readCell,
  checkRow(values) {
    if (!KEYS.some(key => typeof values[key] === 'string'))
      return { errors: ['A name, number or externalId is required.'] };
    const errors = errorsOf(values);
    return errors.length === 0 ? { entry: values, keys: keysOf(values) } : { errors };
  },
};
const NO_KEY =
  'The first row must contain column names. A name, number or externalId column is required.';

function keysOf({ externalId, number, name }: RowEntry): Record<string, string | undefined> {
  return {
    external_id: codeOf(externalId)[0],
    number_key: codeOf(number).map(matchKey)[0],
    name_key: textOf(name).map(matchKey)[0],
  };
}

function readCell(cell: string, column: CustomerColumn, decimalMark: DecimalMark): unknown {
  if (cell.trim() === CLEAR) return null;
  const text = unshielded(cell);
  switch (columnKind(column)) {
    case 'number':
      return readNumber(text, decimalMark);
    case 'flag':
      return flagOf(text);
    case 'list':
      return linesOf(text);
    default:
      return text;
  }
}

function flagOf(cell: string): boolean | string {
  const text = cleanCode(cell).toLowerCase();
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
      .map(each => customerErrorText(each, entry));
  }
}

/** The values in the form of a patch. A part that is cleared is absent. */
function nested(entry: RowEntry): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(entry)) {
    const [member = '', part] = pathOf(column as CustomerColumn);
    if (part === undefined) body[member] = value;
    else if (value !== null) body[member] = { ...((body[member] ?? {}) as object), [part]: value };
  }
  return body;
}

/** An error as a sentence that starts with its column and the value that it has. */
export function customerErrorText({ pointer, code, detail }: FieldError, entry: RowEntry): string {
  const path = pointer.slice(1).split('/');
  const column = COLUMN_NAMES.find(name =>
    pathOf(name).every((part, index) => part === path[index]),
  );
  if (column === undefined) return detail;
  const value = entry[column];
  const element = Array.isArray(value) ? value[Number(path.at(-1))] : value;
  const shown = element == null ? '' : ` “${shortened(String(element), MAX_VALUE)}”`;
  const sentence = code === 'wrong_type' && columnKind(column) === 'flag' ? YES_OR_NO : detail;
  return `${column}${shown}: ${sentence}`;
}
const YES_OR_NO = 'Must be true or false.';
