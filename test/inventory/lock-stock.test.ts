// The lock of the items that a batch names: under concurrent changes of the same items it returns
// every item that was asked for, and names mean what they meant when the invoice took its number.
import { expect } from 'chai';
import { lockCompanies } from '../../src/companies/lock.js';
import { lockStock } from '../../src/inventory/lock-stock.js';
import { confirmNames, type StockRef } from '../../src/inventory/names/resolve-names.js';
import {
  closeDatabase,
  inTransaction,
  openDatabase,
  query,
  type Transaction,
} from '../../src/platform/db/connection.js';
import { ConflictError } from '../../src/platform/postgres-errors.js';
import { invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { sample, stressLocks } from '../support/locking.js';
import { describeMode, makeStores, type Stores } from '../support/suite.js';

const ITEMS = 20;

interface Item {
  readonly id: string;
  readonly name: string;
  readonly sku: string;
}

describe('the lock of items', () => {
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

  async function lock(refs: readonly StockRef[], tx: Transaction): Promise<string[]> {
    const [{ stock, names }, companies] = await Promise.all([
      lockStock(refs, tx),
      lockCompanies([companyId], {}, tx),
    ]);
    await confirmNames(refs, names, companies, tx);
    return Array.from(stock.items(), ({ id }) => id);
  }

  it('returns each item that is named, by name, SKU or id, while others change it', async () => {
    const refsOf = (picked: readonly Item[]): StockRef[] =>
      picked.map(({ id, name, sku }, index) => {
        const ways = [{ nameKey: name }, { skuKey: sku }, { id }];
        return { companyId, ...ways[index % ways.length] };
      });
    const result = await stressLocks<readonly Item[]>({
      databaseUrl: stores.databaseUrl,
      pick: () => sample(items, 7),
      wanted: picked => picked.map(({ id }) => id),
      lock: (picked, tx) => lock(refsOf(picked), tx),
      change: (picked, tx) => touch(picked, tx),
    });
    expect(result).to.deep.equal({ committed: 400, wrong: 0, conflicts: 0, failures: [] });
  });

  for (const [title, nameKey, isConflict] of [
    ['starts over if a name that meant nothing has got an item since', 'wanted', true],
    ['goes on if only other names have changed', 'unwanted', false],
  ] as const)
    it(title, async () => {
      openDatabase({ url: stores.databaseUrl, poolMax: 1, name: 'names', lookupPlans: true });
      const refs = [
        { companyId, nameKey },
        { companyId, skuKey: 's-1' },
      ];
      const locking = inTransaction(async tx => {
        const { names } = await lockStock(refs, tx);
        await stores.sql(
          `WITH changed AS (
             UPDATE companies SET names_version = names_version + 1 WHERE id = $1
           )
           INSERT INTO item_keys (company_id, item_id, name_key)
           VALUES ($1, $2, $3)`,
          [companyId, items[1]?.id, isConflict ? nameKey : 'another'],
        );
        await confirmNames(refs, names, await lockCompanies([companyId], {}, tx), tx);
      });
      const error = await locking.catch((reason: unknown) => reason).finally(closeDatabase);
      expect(error instanceof ConflictError, String(error)).to.equal(isConflict);
      if (!isConflict) expect(error).to.equal(undefined);
    });
});

function touch(picked: readonly Item[], tx: Transaction): Promise<object[]> {
  const ids = picked.map(({ id }) => id);
  return query('UPDATE items SET updated_at = clock_timestamp() WHERE id = ANY($1)', [ids], tx);
}

describeMode('postgres', 'names that change while invoices are created', stack => {
  it('match the item that had the name when the invoice took its number', async () => {
    const company = await makeCompany(stack());
    const [first = '', second = ''] = await receive(
      company,
      { name: 'First', delta: 0 },
      { name: 'Second', delta: 0 },
    );
    await stack().sql('UPDATE companies SET allow_negative_stock = true WHERE id = $1', [
      company.companyId,
    ]);
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
