// Three months of the demo company, from history.jsonl: opening stock, sales, payments, credit
// notes, deliveries and a stock-take. The writes are the same on every machine; only their dates
// depend on the day.
import { readFileSync } from 'node:fs';
import type { AdjustmentRequest } from '../inventory/schema.js';
import { type InvoiceSettings, withDefaults } from '../invoices/defaults.js';
import type { InvoiceRequest } from '../invoices/schema.js';
import type { LedgerPayload } from '../ledger/payload.js';

/** One line of the file. A blank line ends a step. */
interface RecordedWrite {
  readonly key: string;
  readonly type: Write['type'];
  /** Working days before today, from Monday to Saturday. Negative for days to come. */
  readonly day: number;
  /** UTC, as HH:MM:SS. The times of today are scaled to the part of the day that has passed. */
  readonly time: string;
  /** Of an invoice's goods, like `day`. */
  readonly deliveryDay?: number;
  /** Without dates. Names records by the keys of the writes that created them. */
  readonly request: object;
}

export interface Write {
  readonly key: string;
  readonly at: Date;
  readonly type: 'inventory.adjust' | 'invoice.create' | LedgerPayload['type'];
  readonly request: AdjustmentRequest | InvoiceRequest | LedgerPayload;
}

/** Writes of one queue that are settled together, after the writes of earlier steps. */
export type Step = readonly Write[];

export const DEMO_SETTINGS: InvoiceSettings = {
  currency: 'USD',
  termsDays: 30,
  defaultTaxRate: 8.25,
};

const DAY_MS = 86_400_000;
/** The compiler does not copy this file. */
const FILE = new URL('../../../src/demo/history.jsonl', import.meta.url);

/** The steps in order. The last invoice and the stock-take happen at `now`. */
export function demoHistory(now: Date): Step[] {
  return readFileSync(FILE, 'utf8')
    .trim()
    .split('\n\n')
    .map(step => step.split('\n').map(line => dateWrite(JSON.parse(line) as RecordedWrite, now)));
}

function dateWrite(recorded: RecordedWrite, now: Date): Write {
  const { key, type, day, time } = recorded;
  const midnight = workingDay(now, day);
  const elapsed = day === 0 ? (now.getTime() - midnight.getTime()) / DAY_MS : 1;
  const at = new Date(midnight.getTime() + elapsed * timeMs(time));
  return { key, at, type, request: dateRequest(recorded, dateOf(at), now) };
}

function dateRequest(recorded: RecordedWrite, date: string, now: Date): Write['request'] {
  const { type, deliveryDay, request } = recorded;
  if (type === 'inventory.adjust') return request as AdjustmentRequest;
  if (type !== 'invoice.create') return { ...request, type, date } as LedgerPayload;
  const delivery =
    deliveryDay === undefined ? {} : { deliveryDate: dateOf(workingDay(now, deliveryDay)) };
  return withDefaults({ ...request, date, ...delivery } as InvoiceRequest, DEMO_SETTINGS);
}

/** The midnight so many working days before `now`. Day 0 is today, even on a Sunday. */
function workingDay(now: Date, count: number): Date {
  const day = new Date(now.getTime() - (now.getTime() % DAY_MS));
  for (let left = Math.abs(count); left > 0; left -= day.getUTCDay() === 0 ? 0 : 1)
    day.setUTCDate(day.getUTCDate() - Math.sign(count));
  return day;
}

function timeMs(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

/** The company's time zone is UTC. */
function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
