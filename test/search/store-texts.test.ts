// Search texts as the sweep stores them, a few lines at a time.
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { closeDatabase, inTransaction, openDatabase } from '../../src/platform/db/connection.js';
import { storeSearchTexts } from '../../src/search/store-texts.js';
import { lineOf, type SearchableRow } from '../../src/search/texts.js';
import { makeStores, type Stores } from '../support/suite.js';
import { casesOf } from '../support/tier.js';

const MAX_BYTES = 64 * 1024;

const COUNT_WRITES = `
  CREATE TABLE written (bytes integer);
  CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO written VALUES (octet_length(NEW.lines));
    RETURN NULL;
  END $$;
  CREATE TRIGGER count_write AFTER INSERT ON search_texts FOR EACH ROW
    EXECUTE FUNCTION count_write()`;

describe('stored search texts', () => {
  let stores: Stores;
  before(async () => {
    stores = await makeStores('postgres');
    openDatabase({ url: stores.databaseUrl, poolMax: 2, name: 'texts' });
  });
  after(closeDatabase);

  const makeCompany = async () => {
    const companyId = uuidv7();
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone) VALUES ($1, 'Texts', 'USD', 'UTC')`,
      [companyId],
    );
    return companyId;
  };
  /** The rows after `done`. */
  const rowsOf = (companyId: string, done: number, count: number, length = 100): SearchableRow[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ companyId, position: String(done + at + 1), date: '2026-11-20', amount: '18.5' },
      customerKey: 'customer',
      texts: ['é'.repeat(length / 2)],
    }));
  const store = (rows: readonly SearchableRow[]) =>
    inTransaction(tx => storeSearchTexts('payments', rows, tx));
  const read = async (companyId: string) => {
    const texts = await stores.sql<{ first: string; lines: string }>(
      `SELECT first, lines
       FROM search_texts
       WHERE company_id = $1 AND kind = 'payments'
       ORDER BY first`,
      [companyId],
    );
    for (const { first, lines } of texts) expect(lines.split('\u0001')[0]).to.equal(first);
    return texts.map(({ lines }) => lines);
  };
  const linesOf = (rows: readonly SearchableRow[]) => rows.map(lineOf).join('\n');

  it('become long although a company creates one row at a time', async () => {
    await stores.sql(COUNT_WRITES);
    const companyId = await makeCompany();
    const all = rowsOf(companyId, 0, 600, 300);
    for (const row of all) await store([row]);
    const texts = await read(companyId);
    expect(texts.join('\n')).to.equal(linesOf(all));
    expect(texts.length).to.be.below(20);
    expect(Math.max(...texts.map(text => text.length))).to.be.above(15_000);
    // A line is written ten times or so. Appending to one text would write it 250 times.
    const [written] = await stores.sql<{ bytes: number }>(
      'SELECT sum(bytes)::int AS bytes FROM written',
    );
    const bytes = Buffer.byteLength(texts.join('\n'));
    expect(written?.bytes).to.be.within(bytes, 12 * bytes);
  });

  it('have all lines of two companies in order, however many are stored at a time', async () => {
    const counts = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 25 });
    const lengths = fc.constantFrom(2, 100, 4_000);
    await fc.assert(
      fc.asyncProperty(counts, lengths, async (steps, length) => {
        const ids = [await makeCompany(), await makeCompany()].sort();
        const all = ids.map((): SearchableRow[] => []);
        for (const [step, count] of steps.entries()) {
          const added = ids.map((id, at) =>
            rowsOf(id, all[at]?.length ?? 0, (step + at) % 3 === 0 ? 0 : count, length),
          );
          await store(added.flat());
          for (const [at, rows] of added.entries()) all[at]?.push(...rows);
        }
        for (const [at, id] of ids.entries()) {
          const texts = await read(id);
          expect(texts.join('\n')).to.equal(linesOf(all[at] ?? []));
          for (const text of texts) expect(Buffer.byteLength(text)).to.be.at.most(MAX_BYTES);
        }
      }),
      { numRuns: casesOf(10) },
    );
  });

  it('are replaced if a summary is computed again, and no others', async () => {
    const [companyId, other] = [await makeCompany(), await makeCompany()];
    await store(rowsOf(companyId, 0, 700));
    await store(rowsOf(companyId, 700, 3));
    await store(rowsOf(other, 0, 5));
    await inTransaction(tx => storeSearchTexts('invoices', rowsOf(companyId, 0, 5), tx));
    await store(rowsOf(companyId, 0, 400));
    await store(rowsOf(companyId, 400, 300));
    const rows = rowsOf(companyId, 0, 700);
    expect((await read(companyId)).join('\n')).to.equal(linesOf(rows));
    expect(await read(other)).to.deep.equal([linesOf(rowsOf(other, 0, 5))]);
    const [invoices] = await stores.sql<{ count: number }>(
      `SELECT count(*)::int AS count
       FROM search_texts
       WHERE company_id = $1 AND kind = 'invoices'`,
      [companyId],
    );
    expect(invoices?.count).to.equal(1);
  });
});
