// The format of files of customers, and the values of their rows. An empty cell leaves a value as
// it is; a cell with only a hyphen clears it. Pure.

import type { CustomerRecord } from '../../customers/record.js';
import { customerPatch } from '../../customers/schema.js';
import { quotedValue } from '../../imports/file/cells.js';
import type { FileFormat, ReadOptions, RowValues } from '../../imports/file/read-file.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { matchKey } from '../../platform/values/text.js';
import { codeOf, textOf } from '../identify.js';
import { CUSTOMER_FILE_COLUMNS, type CustomerColumn } from './headings.js';

/** The columns of an object's parts: address.city of addressCity. */
const PARTS: readonly (readonly [prefix: string, member: string])[] = [
  ['address', 'address'],
  ['delivery', 'deliveryAddress'],
  ['electronicAddress', 'electronicAddress'],
  ['tax', 'tax'],
];
/** Members that begin like one of them. */
const WHOLE: ReadonlySet<CustomerColumn> = new Set(['taxId']);

/** Columns that find a record. */
const KEYS: readonly CustomerColumn[] = ['externalId', 'number', 'name'];

/** The path of a column's value in a record: address.city of addressCity. */
export function pathOf(column: CustomerColumn): readonly string[] {
  const part = WHOLE.has(column)
    ? undefined
    : PARTS.find(([prefix]) => column.startsWith(prefix) && column !== prefix);
  if (!part) return [column];
  const [prefix, member] = part;
  const rest = column.slice(prefix.length);
  return [member, `${rest[0]?.toLowerCase()}${rest.slice(1)}`];
}

/** A column's value in a record; null without one. */
export function columnValue(record: CustomerRecord, column: CustomerColumn): unknown {
  let value: unknown = record;
  for (const part of pathOf(column))
    value = (value as Readonly<Record<string, unknown>> | null)?.[part];
  return value ?? null;
}

/** The values of a row. Null clears a value. */
export type RowEntry = RowValues<CustomerColumn>;

export const FORMAT: FileFormat<CustomerColumn, ReadOptions> = {
  columns: CUSTOMER_FILE_COLUMNS,
  /** A row with 100 long aliases and all other values. */
  maxRowLength: 256 * 1024,
  canClear: true,
  findProblem: columns =>
    KEYS.some(key => columns.includes(key))
      ? null
      : {
          file:
            'The first row must contain column names. ' +
            'A name, number or externalId column is required.',
          choice: 'Choose the column with the name, the number or the external ID of customers.',
        },
  checkRow(values) {
    if (!KEYS.some(key => typeof values[key] === 'string'))
      return { errors: ['A name, number or externalId is required.'] };
    const errors = errorsOf(values);
    return errors.length === 0 ? { entry: values, keys: keysOf(values) } : { errors };
  },
};

function keysOf({ externalId, number, name }: RowEntry): Record<string, string | undefined> {
  return {
    external_id: codeOf(externalId)[0],
    number_key: codeOf(number).map(matchKey)[0],
    name_key: textOf(name).map(matchKey)[0],
  };
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
  const column = CUSTOMER_FILE_COLUMNS.names.find(name =>
    pathOf(name).every((part, index) => part === path[index]),
  );
  if (column === undefined) return detail;
  const value = entry[column];
  const element = Array.isArray(value) ? value[Number(path.at(-1))] : value;
  const shown = element == null ? '' : ` ${quotedValue(element)}`;
  return `${column}${shown}: ${SENTENCES[column]?.[code] ?? detail}`;
}

/** Sentences for columns whose cells may be more than the API accepts. */
const COUNTRY = 'Must be a country, such as DE or Germany.';
const SENTENCES: Readonly<
  Partial<Record<CustomerColumn, Readonly<Partial<Record<string, string>>>>>
> = {
  name: {
    required: 'No customer has this number or external ID. Add a name to create one.',
  },
  hold: { wrong_type: 'Must be true or false.' },
  termsDays: { wrong_type: 'Must be a number of days, such as 30 or Net 30.' },
  addressCountry: { invalid_value: COUNTRY },
  deliveryCountry: { invalid_value: COUNTRY },
};
