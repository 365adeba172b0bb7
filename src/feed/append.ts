// Appends events to the feeds of companies, in the transaction of the change and under the lock of
// the company. So the sequence of a feed has no gaps and follows the order of the commits.
import { lockCompanies } from '../companies/lock.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { add, type Columns, insertRows } from '../platform/db/rows.js';
import { stepsOf } from '../platform/values/steps.js';
import { type NewEvent, writeStubs } from './stubs.js';

/** Events per row: an import has up to 40,000, and a reader parses whole rows. */
export const EVENTS_PER_ROW = 1_000;
/** Rows per statement. */
const ROWS_PER_STEP = 4;

/** The column of a locked company with the sequence of its next event. */
export const NEXT_EVENT = 'next_event_sequence AS "nextEvent"';

export interface EventCount {
  /** How many events the change appends. */
  readonly events: number;
}

/** For the UPDATE of a company that a change sends: advances the sequence. */
export const ADD_EVENTS: Columns<EventCount> = {
  next_event_sequence: ['bigint', ({ events }) => events, add],
};

type OnAppended = (companyIds: readonly string[]) => void;

let announce: OnAppended = () => undefined;

/** Calls back in this process after the commit of new events, with their companies. */
export function onEventsAppended(callback: OnAppended): void {
  announce = callback;
}

/** The events of a transaction, in order, by company. */
export class NewEvents {
  readonly #events = new Map<string, NewEvent[]>();

  add(companyId: string, ...events: readonly NewEvent[]): void {
    const earlier = this.#events.get(companyId);
    if (earlier) for (const event of events) earlier.push(event);
    else this.#events.set(companyId, [...events]);
  }

  /** How many events a company has, for `ADD_EVENTS`. */
  count(companyId: string): number {
    return this.#events.get(companyId)?.length ?? 0;
  }

  /**
   * Inserts the events. Requires the locks of the companies and the sequences of their next events,
   * which the caller advances with ADD_EVENTS. Few events are sent without a wait.
   */
  async append(nextOf: (companyId: string) => string, tx: Transaction): Promise<void> {
    const rows = [...this.#events].flatMap(([companyId, events]) =>
      rowsOf(companyId, Number(nextOf(companyId)), events),
    );
    const companyIds = [...this.#events.keys()];
    tx.afterCommit.push(() => announce(companyIds));
    for (const step of stepsOf(rows, ROWS_PER_STEP * Math.max(1, this.#events.size)))
      await insertRows('feed', ROW, step, tx);
  }
}

/**
 * Locks the company, appends the events and advances the sequence, for changes that do not change
 * the company's row otherwise.
 */
export async function appendEvents(
  companyId: string,
  events: readonly NewEvent[],
  tx: Transaction,
): Promise<void> {
  if (events.length === 0) return;
  const [company] = await lockCompanies<{ nextEvent: string }>(
    [companyId],
    { columns: NEXT_EVENT },
    tx,
  );
  if (!company) throw new Error(`there is no company ${companyId}`);
  const appended = new NewEvents();
  appended.add(companyId, ...events);
  await Promise.all([
    appended.append(() => company.nextEvent, tx),
    query(
      'UPDATE companies SET next_event_sequence = next_event_sequence + $2 WHERE id = $1',
      [companyId, events.length],
      tx,
    ),
  ]);
}

interface NewRow {
  readonly companyId: string;
  readonly first: number;
  readonly last: number;
  readonly stubs: string;
}

const ROW: Columns<NewRow> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  first_sequence: ['bigint', ({ first }) => String(first)],
  last_sequence: ['bigint', ({ last }) => String(last)],
  stubs: ['body', ({ stubs }) => stubs],
  created_at: 'clock_timestamp()',
};

function rowsOf(companyId: string, next: number, events: readonly NewEvent[]): NewRow[] {
  let first = next;
  return [...stepsOf(events, EVENTS_PER_ROW)].map(step => {
    const row = { companyId, first, last: first + step.length - 1, stubs: writeStubs(step) };
    first += step.length;
    return row;
  });
}
