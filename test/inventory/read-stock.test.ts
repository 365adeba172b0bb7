// The items that a batch names, read under the locks of their companies: under concurrent changes
// it gets every item that was asked for, with its current stock, and names mean what they meant
// when the invoice took its number.
import { expect } from 'chai';
import { lockCompanies } from '../../src/companies/lock.js';
import { readStock, type StockRef } from '../../src/inventory/read-stock.js';
import type { Stock, StockItem } from '../../src/inventory/stock.js';
import {
  closeDatabase,
  inTransaction,
  openDatabase,
  query,
  type Transaction,
} from '../../src/platform/db/connection.js';
import { fromUnits, toUnits } from '../../src/platform/values/money.js';
import { changeCompany, invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { sample, stressLocks } from '../support/locking.js';
import { until } from '../support/processes.js';
import { describeMode, makeStores, type Stores } from '../support/suite.js';

const ITEMS = 20;

interface Item {
  readonly id: string;
  readonly name: string;
  readonly sku: string;
}

describe('the items of a batch', () => {
  let stores: Stores;
  let companyId: string;
  let items: readonly Item[];

  before(async () => {
    stores = await makeStores('postgres');
    const [company] = await stores.sql<{ id: string }>(
      `INSERT INTO companies (id, name, currency, time_zone)
       VALUES (gen_random_uuid(), 'Hot', 'USD', 'UTC')
       RETURNING id`,
    );
    companyId = company?.id ?? '';
    items = await stores.sql<Item>(
      `INSERT INTO items (company_id, id, name, name_key, sku, sku_key)
       SELECT $1, gen_random_uuid(), 'item ' || n, 'item ' || n, 's-' || n, 's-' || n
       FROM generate_series(1, $2::int) n
       RETURNING id, name, sku`,
      [companyId, ITEMS],
    );
    await stores.sql(
      `INSERT INTO item_keys (company_id, item_id, name_key)
       SELECT company_id, id, name_key FROM items`,
    );
  });

  async function lockAndRead(refs: readonly StockRef[], tx: Transaction): Promise<Stock> {
    const [, stock] = await Promise.all([lockCompanies([companyId], {}, tx), readStock(refs, tx)]);
    return stock;
  }

  it('are all read, by name, SKU or id, with the stock that the batch before left', async () => {
    const read = new WeakMap<Transaction, Stock>();
    const refsOf = (picked: readonly Item[]): StockRef[] =>
      picked.map(({ id, name, sku }, index) => {
        const ways = [{ nameKey: name }, { skuKey: sku }, { id }];
        return { companyId, ...ways[index % ways.length] };
      });
    const result = await stressLocks<readonly Item[]>({
      databaseUrl: stores.databaseUrl,
      pick: () => sample(items, 7),
      wanted: picked => picked.map(({ id }) => id),
      lock: async (picked, tx) => {
        const stock = await lockAndRead(refsOf(picked), tx);
        read.set(tx, stock);
        return Array.from(stock.items(), ({ id }) => id);
      },
      change: (_picked, tx) => addOne(read.get(tx)?.items() ?? [], tx),
    });
    expect(result).to.deep.equal({ committed: 400, wrong: 0, failures: [] });
    const [row] = await stores.sql('SELECT sum(on_hand)::int AS total FROM items');
    expect(row).to.deep.equal({ total: 7 * 400 });
  });

  it('have the names that were given while the lock was waited for', async () => {
    openDatabase({ url: stores.databaseUrl, poolMax: 2, name: 'names', lookupPlans: true });
    let reading: Promise<Stock> | undefined;
    await inTransaction(async tx => {
      await lockCompanies([companyId], {}, tx);
      reading = inTransaction(waiting => lockAndRead([{ companyId, nameKey: 'given' }], waiting));
      await until('the batch waits for the company', async () => {
        const waiting = await stores.sql(
          `SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      await query(
        'INSERT INTO item_keys (company_id, item_id, name_key) VALUES ($1, $2, $3)',
        [companyId, items[1]?.id, 'given'],
        tx,
      );
    });
    const stock = await reading?.finally(closeDatabase);
    expect(stock?.byName(companyId, 'given')?.id).to.equal(items[1]?.id);
  });
});

/** Writes the stock that was read, and one more. */
function addOne(items: readonly StockItem[], tx: Transaction): Promise<object[]> {
  return query(
    `UPDATE items
     SET on_hand = change.on_hand
     FROM unnest($1::uuid[], $2::numeric[]) AS change (id, on_hand)
     WHERE items.id = change.id`,
    [items.map(({ id }) => id), items.map(({ onHand }) => fromUnits(onHand + toUnits(1)))],
    tx,
  );
}

describeMode('postgres', 'names that change while invoices are created', stack => {
  it('match the item that had the name when the invoice took its number', async () => {
    const company = await makeCompany(stack());
    const [first = '', second = ''] = await receive(
      company,
      { name: 'First', delta: 0 },
      { name: 'Second', delta: 0 },
    );
    await changeCompany(stack(), company, { allowNegativeStock: true });
    // The name passes to and fro, and for a while no item has it.
    const patches: [string, object][] = [
      [first, { name: 'Wanted' }],
      [first, { name: 'First' }],
      [second, { name: 'Wanted' }],
      [second, { name: 'Second' }],
      [first, { name: 'Wanted' }],
      [first, { name: 'First' }],
    ];
    let isDone = false;
    const rename = async () => {
      for (let round = 0; round < 8; round += 1)
        for (const [id, patch] of patches)
          expect((await company.patch(`/inventory/${id}`, patch)).status).to.equal(200);
      isDone = true;
    };
    const statuses = new Set<number>();
    const sell = async () => {
      while (!isDone) {
        const items = [{ name: 'wanted', qty: 1, price: 1 }];
        statuses.add((await company.post('/invoices', invoiceRequest({ items }))).status);
      }
    };
    await Promise.all([rename(), ...Array.from({ length: 8 }, sell)]);
    expect([...statuses]).to.deep.equal([201]);
    const [counts] = await stack().sql<{ unmatched: number; matched: number }>(
      `SELECT count(*) FILTER (WHERE item_id IS NULL)::int AS unmatched,
         count(*) FILTER (WHERE item_id IS NOT NULL)::int AS matched
       FROM invoice_lines
       WHERE company_id = $1`,
      [company.companyId],
    );
    expect(counts?.matched).to.be.above(0);
    // The first rename gave the name to an item; from then on it always belonged to one.
    const wrong = await stack().sql(
      `SELECT i.number, k.matches_from
       FROM invoices i
       JOIN invoice_lines l ON l.company_id = i.company_id AND l.invoice_id = i.id
       JOIN item_keys k ON k.company_id = i.company_id AND k.name_key = 'wanted'
       WHERE i.company_id = $1 AND (l.item_id IS NULL) = (i.number >= k.matches_from)`,
      [company.companyId],
    );
    expect(wrong).to.deep.equal([]);
  });
});
