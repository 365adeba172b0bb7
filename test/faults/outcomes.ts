// Compares what the clients were told about each write with the rows that it wrote.
import type { Answer, Entry } from './journal.js';
import { isFinal } from './judgements.js';
import type { System } from './system.js';

/** The last answer to each write, by its key; undefined if it has none. */
export type Finals = ReadonlyMap<string, Answer | undefined>;

export interface Differences {
  readonly losses: string[];
  readonly duplicates: string[];
}

/**
 * Every write has one row, with the requested content, if its last answer is 201, and none
 * otherwise.
 */
export function compareOutcomes(
  entries: readonly Entry[],
  finals: Finals,
  rowCounts: ReadonlyMap<string, number>,
): Differences {
  const losses: string[] = [];
  const duplicates: string[] = [];
  const byMark = new Map<string, Entry[]>();
  for (const entry of entries) {
    const mark = markOf(entry);
    byMark.set(mark, [...(byMark.get(mark) ?? []), entry]);
  }
  for (const [mark, writes] of byMark) {
    const rows = rowCounts.get(mark) ?? 0;
    const created = writes.filter(({ key }) => finals.get(key)?.status === 201).length;
    const answers = writes.map(({ key }) => finals.get(key)?.status).join(' and ');
    const sentence = `${keysOf(writes)}: written ${rows} times, final answer ${answers}`;
    if (rows > created) duplicates.push(sentence);
    if (rows < created) losses.push(sentence);
  }
  for (const entry of entries) {
    const { key, body, answer: first } = entry;
    const final = finals.get(key);
    if (final?.status === 201 && !isResultOf(entry, JSON.parse(final.text)))
      losses.push(`${key}: requested ${JSON.stringify(body)}, got ${final.text}`);
    if (isFinal(first) && final && !isSameOutcome(first, final))
      losses.push(
        `${key}: first ${first.status} ${first.text}, then ${final.status} ${final.text}`,
      );
  }
  return { losses, duplicates };
}

/** How many rows each write has, by its mark. */
export async function countRows(
  system: Pick<System, 'query'>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await system.query<{ mark: string; count: number }>(
    `SELECT mark, count(*)::int AS count
     FROM (
       SELECT reference AS mark FROM invoices
       UNION ALL
       -- A correction has the reference of its delivery.
       SELECT reference FROM adjustments WHERE corrects IS NULL
       UNION ALL
       SELECT CASE type
           WHEN 'allocation' THEN source_id || ' ' || trim_scale(amount)
           ELSE COALESCE(explanation, reference)
         END
       FROM entries
     ) written
     WHERE mark IS NOT NULL
     GROUP BY mark`,
  );
  return new Map(rows.map(({ mark, count }) => [mark, count]));
}

/**
 * Identifies a write's row: its key, which is the reference or the reason that it sends. An
 * allocation has neither: its payment or credit note and its amount identify it.
 */
function markOf({ key, path, body }: Entry): string {
  if (!path.endsWith('/allocations')) return key;
  const { paymentId, creditNoteId, invoices } = body as unknown as AllocationBody;
  const cents = invoices.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  return `${paymentId ?? creditNoteId} ${cents / 100}`;
}

const keysOf = (entries: readonly Entry[]) => entries.map(({ key }) => key).join(' and ');

export interface AllocationBody {
  readonly paymentId?: string;
  readonly creditNoteId?: string;
  readonly invoices: readonly { readonly invoiceId: string; readonly amount: number }[];
}

/** A created payment, invoice and so on. */
interface Created {
  readonly [member: string]: unknown;
  readonly allocations?: readonly { readonly invoiceId: string; readonly amount: number }[];
}

/** True if the created resource is what the request asked for. */
function isResultOf({ path, body }: Entry, created: Created): boolean {
  const [id, action] = path.split('/').slice(-2);
  if (action === 'reversal') return created.id === id && created.status === 'reversed';
  if (action === 'void') return created.invoiceId === id && created.reason === 'cancelled';
  const { items, invoices, paymentId, creditNoteId, ...others } = body;
  const { restock: _restock, ignoreCredit: _ignored, ...members } = others;
  if (action === 'allocations') return created.id === (paymentId ?? creditNoteId);
  if (action === 'refunds') return contains(created, body);
  return (
    contains(created, members) &&
    (items === undefined ||
      contains(created.movements ?? created.items, (items as Named[]).map(withoutMatch))) &&
    hasGiven(created, (invoices ?? []) as Recipients)
  );
}

/** The line without the fields that name its item or expect a level: the model checks those. */
function withoutMatch({ name, sku, itemId, count, expectedOnHand, ...line }: Named): object {
  return line;
}

interface Named {
  readonly [member: string]: unknown;
}

type Recipients = readonly { readonly invoiceId: string; readonly amount?: number }[];

/** The invoices got the amounts that the payment names. */
function hasGiven({ allocations = [] }: Created, invoices: Recipients): boolean {
  const amountOf = new Map(allocations.map(({ invoiceId, amount }) => [invoiceId, amount]));
  return invoices.every(
    ({ invoiceId, amount }) => amount === undefined || amountOf.get(invoiceId) === amount,
  );
}

/** True if the value has all members of the part, and its lists as many elements. */
function contains(value: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(value) &&
      value.length === part.length &&
      part.every((element, index) => contains(value[index], element))
    );
  if (typeof part !== 'object' || part === null) return value === part;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(part).every(([name, each]) =>
      contains((value as Record<string, unknown>)[name], each),
    )
  );
}

function isSameOutcome(first: Answer, final: Answer): boolean {
  const withoutRequestId = (text: string) =>
    JSON.stringify({ ...JSON.parse(text), requestId: null });
  return (
    first.status === final.status && withoutRequestId(first.text) === withoutRequestId(final.text)
  );
}
