// The changes of customers' records that clients sent in a run, and the outcomes that they were
// told.
import type { Answer, Failure } from '../journal.js';

export type ChangeType = 'create' | 'batch' | 'patch' | 'merge' | 'delete';

/** One request. It may be sent several times. */
export interface Change {
  readonly companyId: string;
  readonly companyKey: string;
  readonly type: ChangeType;
  /** Below /api/external. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The Idempotency-Key of a POST, and the note of the record that the request changes. */
  readonly key: string;
  /** How each sending ended. */
  readonly ends: (Answer | Failure)[];
}

/** A record's JSON, as far as the judge reads it. */
export interface RecordJson {
  readonly id: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly aliases: readonly string[];
  readonly note: string | null;
  readonly creditLimit: number | null;
  readonly hold: boolean;
  readonly archived: boolean;
  readonly mergedInto: string | null;
  readonly updatedAt: string;
}

/** What a client was told about one record of a change. */
export interface Told {
  readonly change: Change;
  /** The note of the changed record; a merge changes no note. */
  readonly mark: string;
  /** Undefined while no response told it. */
  readonly status: number | undefined;
  /** Of a change that was carried out. */
  readonly record: RecordJson | null;
  /** The id of the record that is gone after a merge or a deletion. */
  readonly ended: string | null;
  /** How often it may have been carried out. */
  readonly maxTimes: number;
}

const METHODS = { create: 'POST', batch: 'POST', merge: 'POST', patch: 'PATCH', delete: 'DELETE' };

export const methodOf = ({ type }: Change) => METHODS[type];

/** A repeated POST has the outcome of the first one. */
export const isKeyed = (change: Change) => methodOf(change) === 'POST';

/** True if the response tells the outcome. */
export function isDecided(end: Answer | Failure): end is Answer {
  return 'status' in end && end.status !== 503;
}

/** One outcome, or one per customer of a batch. */
export function toldOutcomes(change: Change): Told[] {
  const { type, key, path, body, ends } = change;
  const answer = ends.find(isDecided);
  const parsed = answer && answer.text !== '' ? JSON.parse(answer.text) : null;
  if (type === 'batch') {
    const customers = (body?.customers ?? []) as readonly unknown[];
    return customers.map((_, index) => {
      const result = answer?.status === 200 ? parsed.results[index] : null;
      const status: number | undefined = result?.status ?? answer?.status;
      const record: RecordJson | null = result?.customer ?? null;
      const maxTimes = Number(record !== null);
      return { change, mark: `${key}/${index}`, status, record, ended: null, maxTimes };
    });
  }
  const isDone = answer !== undefined && answer.status < 300;
  const [, target = ''] = /^\/customers\/([0-9a-f-]{36})/u.exec(path) ?? [];
  const gone = type === 'merge' ? String(body?.customerId) : type === 'delete' ? target : null;
  // Without a key each request may be carried out, unless it was refused.
  const possible = ends.filter(end => !isDecided(end) || end.status < 300).length;
  // A deletion that was carried out, although no response told it, finds nothing the next time.
  const wasDeleted = type === 'delete' && answer?.status === 404 && ends.some(isUnknown);
  return [
    {
      change,
      mark: key,
      status: wasDeleted ? undefined : answer?.status,
      record: isDone && type !== 'delete' ? parsed : null,
      ended: gone,
      maxTimes: isKeyed(change) ? Number(isDone) : possible,
    },
  ];
}

const isUnknown = (end: Answer | Failure) => !isDecided(end);

export const describe = ({ change, mark, status }: Told) =>
  `${change.type} ${mark}: told ${status ?? 'nothing'}`;
