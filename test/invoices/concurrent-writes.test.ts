// Many clients sell and adjust the same few items at once. Plenty of stock, so nothing may be
// refused, and each line must take its item's stock, whatever way it names the item.
import { expect } from 'chai';
import { v5 as uuidv5 } from 'uuid';
import { explainWrites } from '../faults/model/explain.js';
import { readModelRows } from '../faults/model/rows.js';
import type { ModelWrite } from '../faults/model/write.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { inBothModes } from '../support/suite.js';

const CLIENTS = 32;
const ITEMS = 12;
const WRITES = 900;
const STOCK = 1_000_000;
const LINES = 7;
const TIMEOUT_MS = 180_000;

const nameOf = (item: number) => `Item ${item}`;
const skuOf = (item: number) => `SKU-${item}`;

/** Names and SKUs alternate, except that every fifth invoice has names only. */
function invoiceBody(write: number): Record<string, unknown> {
  const items = Array.from({ length: LINES }, (_, line) => {
    const item = (write * 5 + line * 7) % ITEMS;
    const names =
      write % 5 === 0 || (write + line) % 2 === 0
        ? { name: nameOf(item) }
        : { name: 'By SKU', sku: skuOf(item) };
    return { ...names, qty: 1 + ((write + line) % 3), price: 10 };
  });
  return { customerName: 'Many & Sons', date: '2026-11-20', items };
}

function adjustmentBody(write: number): Record<string, unknown> {
  const items = Array.from({ length: LINES }, (_, entry) => {
    const item = (write + entry * 5) % ITEMS;
    const named = (write + entry) % 2 === 0 ? { name: nameOf(item) } : { sku: skuOf(item) };
    return { ...named, delta: (write + entry) % 4 === 0 ? -1 : 2 };
  });
  return { reason: 'correction', items };
}

/** Sends a write and records it for the model. */
async function sendWrite(company: TestCompany, write: number): Promise<ModelWrite> {
  const isAdjustment = write % 3 === 0;
  const path = isAdjustment ? '/inventory/adjustments' : '/invoices';
  const body = isAdjustment ? adjustmentBody(write) : invoiceBody(write);
  const key = `write-${write}`;
  const sentAt = Date.now();
  const headers = { 'idempotency-key': key, prefer: 'wait=30' };
  const answer = await company.post(path, body, { headers });
  const { companyId } = company;
  return {
    ...{ key, companyId, path, body, sentAt },
    jobId: uuidv5(key, companyId),
    answeredAt: Date.now(),
    status: answer.status,
    result: answer.body,
  };
}

inBothModes('concurrent writes of the same items', stack => {
  it('take the stock of every line, to the unit', async function () {
    this.timeout(TIMEOUT_MS);
    const company = await makeCompany(stack());
    const { companyId } = company;
    const items = Array.from({ length: ITEMS }, (_, item) => ({
      ...{ name: nameOf(item), sku: skuOf(item), delta: STOCK },
    }));
    const itemIds = await receive(company, ...items);
    const writes: ModelWrite[] = [];
    let next = 0;
    const runClient = async () => {
      while (next < WRITES) {
        next += 1;
        writes.push(await sendWrite(company, next));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, runClient));

    const rows = await readModelRows(stack().sql, [companyId]);
    const refused = writes.filter(({ status }) => status !== 201);
    const lines = writes.flatMap(({ path, result }) =>
      path === '/invoices' ? (result.items ?? []) : [],
    );
    const lost = lines.filter(({ itemId }) => itemId === null);
    const { violations, explained } = explainWrites(writes, rows);
    expect(
      { refused: refused.length, lost: lost.length, violations: violations.length, explained },
      `${violations[0]}`,
    ).to.deep.equal({ refused: 0, lost: 0, violations: 0, explained: WRITES });

    const expected = new Map(itemIds.map(id => [id, STOCK]));
    const add = (item: number, qty: number) => {
      const id = itemIds[item] ?? '';
      expected.set(id, (expected.get(id) ?? 0) + qty);
    };
    for (const { body, path } of writes)
      for (const { name, sku, qty, delta } of body.items as readonly Named[])
        add(Number(/\d+$/u.exec(sku ?? name ?? '')?.[0]), path === '/invoices' ? -qty : delta);
    const onHand = await stack().sql<{ id: string; onHand: number }>(
      'SELECT id, on_hand::float8 AS "onHand" FROM items WHERE company_id = $1',
      [companyId],
    );
    expect(new Map(onHand.map(row => [row.id, row.onHand]))).to.deep.equal(expected);
  });
});

interface Named {
  readonly name?: string;
  readonly sku?: string;
  readonly qty: number;
  readonly delta: number;
}
