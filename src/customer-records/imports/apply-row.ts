// One row of an import: finds its record, and adds or changes it.

import type { CustomerRecord } from '../../customers/record.js';
import {
  type CustomerPatch,
  type CustomerRequest,
  customerPatch,
  customerRequest,
} from '../../customers/schema.js';
import { Problem } from '../../platform/errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { cleanText, matchKey } from '../../platform/values/text.js';
import type { CustomerChanges } from '../changes/changes.js';
import { checkCustomer } from '../checks.js';
import { codeOf, textOf } from '../identify.js';
import { createRecord, patchRecord } from '../plan.js';
import { columnValue, pathOf, type RowEntry } from './columns.js';
import type { CustomerColumn } from './headings.js';

/** The record after the row, or as it is if the row changes nothing. Throws a Problem. */
export async function applyRow(
  changes: CustomerChanges,
  entry: RowEntry,
): Promise<{ readonly outcome: 'new' | 'changed' | 'same'; readonly record: CustomerRecord }> {
  const found = await recordOfRow(changes, entry);
  const check = (body: unknown) => checkCustomer(body, changes.company);
  if (!found) {
    const body = withoutNulls(bodyOf(entry, null));
    const request = validateBody<CustomerRequest>(customerRequest, body, check);
    return { outcome: 'new', record: await createRecord(changes, request) };
  }
  const { record, without } = found;
  if (record.archived)
    throw new Problem('invalid_state', `${record.name} is archived. Restore the record first.`);
  const patch = bodyOf(withoutColumns(entry, without), record);
  const changed = await patchRecord(
    changes,
    record,
    validateBody<CustomerPatch>(customerPatch, patch, check),
  );
  return { outcome: changed === record ? 'same' : 'changed', record: changed };
}

/** The record that a row finds. */
export interface FoundRecord {
  readonly record: CustomerRecord;
  /** The column that found it. */
  readonly by: 'externalId' | 'number' | 'name';
  /** Columns that do not change the record. */
  readonly without: readonly CustomerColumn[];
}

/** By external id, else by number, else by name or alias. A match by name never renames it. */
export async function recordOfRow(
  changes: CustomerChanges,
  entry: RowEntry,
): Promise<FoundRecord | null> {
  const ids = {
    externalId: codeOf(entry.externalId).flatMap(text => changes.withExternalId(text) ?? []),
    number: codeOf(entry.number).flatMap(text => changes.withNumber(text) ?? []),
    name: textOf(entry.name).flatMap(text => changes.withName(text) ?? []),
  };
  for (const [by, [id]] of Object.entries(ids) as [keyof typeof ids, string[]][]) {
    const found = id === undefined ? undefined : changes.record(id);
    const record = found && (await changes.remaining(found.id));
    if (!record) continue;
    if (by === 'name') return { record, by, without: [by] };
    const isMerged = found.id !== record.id;
    return { record, by, without: isMerged ? [by, ...columnsOf(found, entry)] : [] };
  }
  return null;
}

/**
 * The columns of a row that have the values of the merged record whose number or external id found
 * the remaining one. The latter keeps its own values in a merge, so a row without edits, as in an
 * export, changes none of them.
 */
function columnsOf(merged: CustomerRecord, entry: RowEntry): CustomerColumn[] {
  const columns = Object.keys(entry) as CustomerColumn[];
  const isSame = (column: CustomerColumn) => {
    const [given, own] = [entry[column], columnValue(merged, column)];
    return comparable(column, given) === comparable(column, own);
  };
  return columns.filter(column => entry[column] !== null && isSame(column));
}

function comparable(column: CustomerColumn, value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  // Spreadsheets write the ends of lines as CRLF.
  return FOLDED.has(column) ? matchKey(value) : cleanText(value.replaceAll('\r\n', '\n'));
}
const FOLDED: ReadonlySet<CustomerColumn> = new Set(['name', 'number']);

function withoutColumns(entry: RowEntry, columns: readonly CustomerColumn[]): RowEntry {
  return Object.fromEntries(
    Object.entries(entry).filter(([column]) => !columns.includes(column as CustomerColumn)),
  );
}

type Parts = Readonly<Record<string, unknown>>;

/**
 * The body of a patch, or of a request for a new record. In an object, the parts that the row has
 * replace the record's.
 */
function bodyOf(entry: RowEntry, record: CustomerRecord | null): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(entry)) {
    const [member = '', part] = pathOf(column as CustomerColumn);
    if (part === undefined) body[member] = value;
    else {
      const before = (body[member] ?? record?.[member as keyof CustomerRecord] ?? {}) as Parts;
      body[member] = withPart(before, part, value);
    }
  }
  for (const [member, value] of Object.entries(body)) if (isEmptyObject(value)) body[member] = null;
  return body;
}

function withPart(parts: Parts, part: string, value: unknown): Parts {
  const { [part]: _before, ...others } = parts;
  const present = Object.entries(others).filter(([, other]) => other !== null);
  return { ...Object.fromEntries(present), ...(value === null ? {} : { [part]: value }) };
}

function isEmptyObject(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.keys(value).length === 0;
}

function withoutNulls(body: Parts): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
