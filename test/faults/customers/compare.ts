// Compares the changes of records that clients were told of with the versions of the records: each
// change was carried out once, and there is no other version. Pure.
import { type Change, describe, isDecided, isKeyed, type Told, toldOutcomes } from './changes.js';
import type { NameRow, VersionRow } from './rows.js';
import { FIRST_MARK } from './writes.js';

const DONE_OR_REFUSED = new Set([200, 201, 204, 404, 409, 422]);

/** Requests without an outcome, with an unexpected one, or with two different ones. */
export function findUnclear(changes: readonly Change[]): string[] {
  return changes.flatMap(change => {
    const answers = change.ends.filter(isDecided);
    const unexpected = answers.filter(({ status }) => !DONE_OR_REFUSED.has(status));
    const outcomes = new Set(answers.map(({ status, text }) => `${status} ${withoutIds(text)}`));
    const name = `${change.type} ${change.key}`;
    return [
      ...unexpected.map(({ status, text }) => `${name}: ${status} ${text}`),
      ...(isKeyed(change) && outcomes.size !== 1
        ? [`${name}: ${[...outcomes].join(', then ') || 'no outcome'}`]
        : []),
    ];
  });
}

const withoutIds = (text: string) => text.replaceAll(/"requestId":"[^"]*"/gu, '');

/** One sentence per difference. All are of one company. */
export function compareChanges(
  changes: readonly Change[],
  versions: readonly VersionRow[],
  names: readonly NameRow[],
): string[] {
  const told = changes.flatMap(toldOutcomes);
  const history = new RecordHistory(versions);
  return [
    ...told.flatMap(each => history.errorsOf(each)),
    ...history.findUnrequested(told),
    ...history.findNamesOfEnded(names),
  ];
}

class RecordHistory {
  readonly #versions: readonly VersionRow[];
  /** By the note that they set, which a client sent with one change. */
  readonly #byMark = new Map<string, VersionRow[]>();
  /** Versions that merged or deleted a record, by its id. */
  readonly #merges = new Map<string, VersionRow[]>();
  readonly #deletions = new Map<string, VersionRow[]>();
  /** The records that merges left, by id and time. */
  readonly #remaining = new Set<string>();
  readonly #others: VersionRow[] = [];

  constructor(versions: readonly VersionRow[]) {
    this.#versions = versions;
    const others: VersionRow[] = [];
    let before: VersionRow | undefined;
    for (const row of versions) {
      const { customerId, body, at } = row;
      const last = before?.customerId === customerId ? before.body : null;
      before = row;
      if (!body) add(this.#deletions, customerId, row);
      else if (body.mergedInto !== null && last?.mergedInto !== body.mergedInto) {
        add(this.#merges, customerId, row);
        this.#remaining.add(`${body.mergedInto} ${at}`);
      } else if (body.note !== null && body.note !== last?.note) add(this.#byMark, body.note, row);
      else others.push(row);
    }
    this.#others = others.filter(
      ({ customerId, at }) => !this.#remaining.has(`${customerId} ${at}`),
    );
  }

  errorsOf(told: Told): string[] {
    const { change, mark, status, record, ended, maxTimes } = told;
    const rows =
      change.type === 'merge'
        ? (this.#merges.get(ended ?? '') ?? []).filter(
            ({ body }) => body?.mergedInto === record?.id,
          )
        : change.type === 'delete'
          ? (this.#deletions.get(ended ?? '') ?? [])
          : (this.#byMark.get(mark) ?? []);
    const isDone = status !== undefined && status < 300;
    const errors: string[] = [];
    // Another deletion may have ended the record before.
    const isTooOften = ended === null && rows.length > maxTimes;
    if ((isDone && rows.length === 0) || isTooOften || (isDone && ended && rows.length > 1))
      errors.push(`${describe(told)}, carried out ${rows.length} times`);
    if (record && !this.#hasVersion(record))
      errors.push(`${describe(told)}: no version is ${JSON.stringify(record)}`);
    return errors;
  }

  #hasVersion(record: object & { readonly id: string; readonly updatedAt: string }): boolean {
    // The currency is the company's, and no version has it.
    const text = JSON.stringify({ ...record, currency: null });
    return this.#versions.some(
      ({ customerId, body }) =>
        customerId === record.id &&
        body?.updatedAt === record.updatedAt &&
        JSON.stringify(body) === text,
    );
  }

  /** Versions of changes that no client sent, or that were refused. */
  findUnrequested(told: readonly Told[]): string[] {
    const marks = new Set(told.map(({ mark }) => mark));
    const endings = (type: string) =>
      new Set(
        told
          .filter(({ change, status }) => change.type === type && (status ?? 200) < 300)
          .map(({ ended }) => ended),
      );
    const [merged, deleted] = [endings('merge'), endings('delete')];
    // A deletion also deletes the records that were merged into the deleted one.
    const deletedAt = new Set(
      [...this.#deletions.values()]
        .flat()
        .filter(({ customerId }) => deleted.has(customerId))
        .map(({ at }) => at),
    );
    const unrequested = [
      ...this.#others,
      ...[...this.#byMark].flatMap(([mark, rows]) =>
        marks.has(mark) || mark.startsWith(FIRST_MARK) ? [] : rows,
      ),
      ...[...this.#merges].flatMap(([id, rows]) => (merged.has(id) ? [] : rows)),
      ...[...this.#deletions.values()].flat().filter(({ at }) => !deletedAt.has(at)),
    ];
    return unrequested.map(
      ({ customerId, version, body }) =>
        `record ${customerId}: no client sent the change of version ${version} ` +
        JSON.stringify(body),
    );
  }

  findNamesOfEnded(names: readonly NameRow[]): string[] {
    const last = new Map(this.#versions.map(row => [row.customerId, row.body]));
    return names.flatMap(({ key, customerId }) => {
      const body = last.get(customerId);
      if (body && body.mergedInto === null) return [];
      return [`record ${customerId} was ${body ? 'merged' : 'deleted'}, and has the name ${key}`];
    });
  }
}

function add(groups: Map<string, VersionRow[]>, key: string, row: VersionRow): void {
  groups.set(key, [...(groups.get(key) ?? []), row]);
}
