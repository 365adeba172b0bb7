// Statements over many rows: what is written is what was given, whatever the values look like.
import { expect } from 'chai';
import fc from 'fast-check';
import { closeDatabase, inTransaction, query } from '../../../src/platform/db/connection.js';
import {
  add,
  type Columns,
  changeOrStored,
  insertRows,
  updateRows,
} from '../../../src/platform/db/rows.js';
import { makeStores, openForTests } from '../../support/suite.js';

interface Row {
  readonly id: number;
  readonly note: string | null;
  readonly amount: string | null;
  readonly isOpen: boolean;
  readonly body: string;
}

const ROW: Columns<Row> = {
  id: ['int', ({ id }) => id],
  note: ['text', ({ note }) => note],
  amount: ['numeric', ({ amount }) => amount],
  is_open: ['boolean', ({ isOpen }) => isOpen],
  body: ['body', ({ body }) => body],
  version: '1',
};
const CHANGE = {
  key: { id: ['int', ({ id }) => id] },
  set: {
    note: ['text', ({ note }) => note, changeOrStored],
    version: ['int', () => 2, add],
    body: 'stored.note',
  },
} satisfies { key: Columns<Row>; set: Columns<Row> };

const note = fc.oneof(
  fc.string({ unit: 'grapheme' }).map(text => text.replaceAll('\u0000', '')),
  fc.constantFrom('NULL', '', '{}', '"', '\\', 'a,b', ' '),
);
const rows = fc
  .array(
    fc.record({
      note: fc.option(note),
      amount: fc.option(fc.constantFrom('0', '-1.5', '12.0001')),
      isOpen: fc.boolean(),
      body: fc.json(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map(list => list.map((row, id) => ({ id, ...row })));

describe('statements over many rows', () => {
  before(async () => {
    const { databaseUrl } = await makeStores('postgres');
    openForTests(databaseUrl, 1);
    await query(
      `CREATE TABLE test_rows (
         id int, note text, amount numeric, is_open boolean, body text, version int
       )`,
      [],
    );
  });
  after(closeDatabase);

  const stored = () =>
    query(
      'SELECT id, note, amount, is_open AS "isOpen", body, version FROM test_rows ORDER BY id',
      [],
    );

  it('insert any values, and update by key with the stored value in view', async () => {
    await fc.assert(
      fc.asyncProperty(rows, note, async (list, changed) => {
        await query('DELETE FROM test_rows', []);
        await inTransaction(tx => insertRows('test_rows', ROW, list, tx));
        expect(await stored()).to.deep.equal(list.map(row => ({ ...row, version: 1 })));
        const [first] = list;
        const changes = list.map((row, index) => ({ ...row, note: index === 0 ? changed : null }));
        await inTransaction(tx => updateRows('test_rows', CHANGE, changes, tx));
        const expected = list.map(row => ({
          ...row,
          note: row === first ? changed : row.note,
          body: row.note,
          version: 3,
        }));
        expect(await stored()).to.deep.equal(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('reach the table they name, also if two tables share the columns', async () => {
    await query('CREATE TABLE other_rows (LIKE test_rows)', []);
    await query('DELETE FROM test_rows', []);
    const row = { id: 1, note: 'first', amount: '1', isOpen: true, body: '{}' };
    await inTransaction(async tx => {
      for (const table of ['test_rows', 'other_rows']) await insertRows(table, ROW, [row], tx);
      await updateRows('other_rows', CHANGE, [{ ...row, note: 'changed' }], tx);
    });
    const notes = (table: string) => query(`SELECT note FROM ${table}`, []);
    expect([await notes('test_rows'), await notes('other_rows')]).to.deep.equal([
      [{ note: 'first' }],
      [{ note: 'changed' }],
    ]);
  });

  it('send nothing without rows', async () => {
    await inTransaction(async tx => {
      tx.end();
      await insertRows('test_rows', ROW, [], tx);
      await updateRows('test_rows', CHANGE, [], tx);
    });
  });
});
