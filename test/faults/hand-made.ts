// A history of a company made by hand, for the tests of the sequential model.
import { explainWrites } from './model/explain.js';
import type { AllocationRow, EntryRow, JobRow, ModelRows, MovementRow } from './model/rows.js';
import type { ModelError } from './model/stock-plans.js';
import type { ModelWrite, Outcome } from './model/write.js';

export const companyId = 'C';
const API = '/api/external';

/** A history in which writes are committed in the order of these calls. */
export class HandMade {
  readonly writes: ModelWrite[] = [];
  readonly rows = {
    items: [
      { companyId, id: 'pump', name: 'Pump', sku: 'P-1' },
      { companyId, id: 'hose', name: 'Garden Hose', sku: 'H-1' },
      { companyId, id: 'new', name: 'New', sku: 'N-1' },
    ],
    movements: [] as MovementRow[],
    adjustments: [] as { companyId: string; id: string; stockVersion: number }[],
    invoices: [] as ModelRows['invoices'][number][],
    entries: [] as EntryRow[],
    allocations: [] as AllocationRow[],
    jobs: [] as JobRow[],
  } satisfies ModelRows;
  readonly #onHand = new Map<string, number>();

  /** A write that was sent, committed and answered at these seconds. */
  write(
    key: string,
    path: string,
    body: ModelWrite['body'],
    result: Outcome,
    [sent, committed, answered]: readonly [number, number, number],
  ): this {
    const status = result.code === undefined ? 201 : 409;
    const [sentAt, finishedAt, answeredAt] = [sent, committed, answered].map(at => at * 1000) as [
      number,
      number,
      number,
    ];
    const write = { key, companyId, jobId: key, path: `${API}${path}`, body, status, result };
    this.writes.push({ ...write, sentAt, answeredAt });
    const resultId = status === 201 ? (result.id ?? null) : null;
    this.rows.jobs.push({ companyId, id: key, resultId, finishedAt });
    return this;
  }

  move(sourceId: string, itemId: string, delta: number): void {
    const onHandAfter = (this.#onHand.get(itemId) ?? 0) + delta;
    this.#onHand.set(itemId, onHandAfter);
    this.rows.movements.push({ companyId, itemId, sourceId, delta, onHandAfter });
  }

  /** A receipt by name and SKU. The first one of an item creates it. */
  receive(second: number, itemId: string, delta: number): this {
    const id = `receipt of ${itemId} at ${second}`;
    this.move(id, itemId, delta);
    const item = this.rows.items.find(each => each.id === itemId);
    const items = [{ name: item?.name.toUpperCase(), sku: item?.sku.toLowerCase(), delta }];
    const times = [second, second + 0.3, second + 0.6] as const;
    return this.write(id, '/inventory/adjustments', { reason: 'received', items }, { id }, times);
  }

  /** An invoice of one unit per line. `itemIds` are those of the answer's lines. */
  sell(
    second: number,
    lines: readonly { name?: string; sku?: string }[],
    itemIds: readonly (string | null)[],
    moved = itemIds,
    seconds = 0.6,
  ): this {
    const id = `invoice at ${second}`;
    const { invoices } = this.rows;
    const items = lines.map(() => ({ qty: 1, amount: 10 }));
    invoices.push({ companyId, id, number: invoices.length + 1, total: 100, lines: items });
    for (const itemId of moved) if (itemId !== null) this.move(id, itemId, -1);
    const body = { items: lines.map(line => ({ ...line, qty: 1 })) };
    const result = { id, items: itemIds.map(itemId => ({ itemId, qty: 1 })) };
    const times = [second, second + seconds / 2, second + seconds] as const;
    return this.write(id, '/invoices', body, result, times);
  }

  /** An invoice of the given quantity of Pump that was refused. */
  refuse(second: number, qty: number, code: string, ...errors: readonly ModelError[]): this {
    const body = { items: [{ name: 'pump', qty }] };
    const times = [second, second + 0.3, second + 0.6] as const;
    return this.write(`refused at ${second}`, '/invoices', body, { code, errors }, times);
  }

  entry(second: number, path: string, body: ModelWrite['body'], row: Partial<EntryRow>): this {
    const { entries } = this.rows;
    const id = `entry at ${second}`;
    const sequence = entries.length + 1;
    const none = { sourceId: null, invoiceId: null, reason: null, externalId: null, items: null };
    entries.push({ companyId, id, sequence, type: 'payment', amount: 0, ...none, ...row });
    return this.write(id, path, body, { id }, [second, second + 0.3, second + 0.6]);
  }

  give(invoiceId: string, amount: number, sourceId: string): this {
    const sequence = this.rows.entries.length;
    this.rows.allocations.push({ companyId, invoiceId, sequence, sourceId, amount });
    return this;
  }

  get violations(): readonly string[] {
    return explainWrites(this.writes, this.rows).violations;
  }
}
