// A search finds the same rows in stored texts, by a statement, as among rows without one: whatever
// the order of its words, and wherever each is found.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { closeDatabase, inTransaction, openDatabase } from '../../src/platform/db/connection.js';
import { storeSearchTexts } from '../../src/search/store-texts.js';
import type { SearchedWord, TextQuery } from '../../src/search/text-query.js';
import { isFound, positionsInTexts, type SearchableRow } from '../../src/search/texts.js';
import { makeStores, type Stores } from '../support/suite.js';

const CITIES = ['london', 'bath', 'york'];
const ROWS = 1_500;

describe('a search in stored texts', () => {
  let stores: Stores;
  before(async () => {
    stores = await makeStores('postgres');
    openDatabase({ url: stores.databaseUrl, poolMax: 2, name: 'found' });
  });
  after(closeDatabase);

  const word = (folded: string, more: Partial<SearchedWord> = {}): SearchedWord => ({
    ...{ folded, phone: null, amounts: [], customers: [] },
    ...more,
  });
  /** In the record of every third customer; of one of them; and also in a text. */
  const ofMany = word('london', {
    customers: Array.from({ length: 30 }, (_, at) => `customer ${at * 3}`),
  });
  const ofFew = word('bath', { customers: ['customer 4', 'customer 40'] });
  const ofMore = word('ball', { customers: ['customer 7'] });
  const WORDS = [
    ...[word('customer'), word('ball'), word('po-7'), word('2026'), word('9.5')],
    // No text has the amount of a row.
    ...[word('12.50', { amounts: ['12.5'] }), word('7', { amounts: ['7'] })],
    ...[word('customer 7', { isWhole: true }), ofMany, ofFew, ofMore, word('none')],
  ];

  it('finds the rows that have all words', async () => {
    const companyId = uuidv7();
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone) VALUES ($1, 'Texts', 'USD', 'UTC')`,
      [companyId],
    );
    const rows: SearchableRow[] = Array.from({ length: ROWS }, (_, at) => ({
      ...{ companyId, position: String(at + 1), date: '2026-11-20' },
      amount: ['12.5', '7', '19.5'][at % 3] ?? '',
      customerKey: `customer ${at % 90}`,
      texts: [`PO-${at}`, at % 4 === 0 ? 'Ball valve' : null, CITIES[at % 50] ?? null],
    }));
    await inTransaction(tx => storeSearchTexts('invoices', rows, tx));
    const found = async (query: TextQuery) => {
      const bind: unknown[] = [companyId];
      const sql = positionsInTexts(['invoices'], query, bound => `$${bind.push(bound)}`);
      const read = await stores.sql<{ position: string }>(sql, bind);
      return read.map(({ position }) => position).sort();
    };
    const counts = new Set<number>();
    for (const first of WORDS)
      for (const second of WORDS)
        for (const whole of [null, word('po-12')]) {
          const query = { text: '', words: [first, word('customer'), second], whole };
          const expected = rows.filter(row => isFound(query, row)).map(({ position }) => position);
          expect(await found(query), JSON.stringify(query)).to.deep.equal(expected.sort());
          counts.add(expected.length);
        }
    // None, all, and many numbers between.
    expect(counts).to.include.members([0, ROWS]);
    expect(counts.size).to.be.above(20);
  });
});
