// Writes that the database refuses to a role with all rights on all tables that is not a superuser,
// and the valid forms of the same writes.
import { expect } from 'chai';
import pg from 'pg';
import { MINOR_UNITS } from '../../src/platform/values/money.js';
import { invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const ACCEPTED = 'accepted';

// Statements of a company that received 10 Pipe and sold 2 on its first invoice. :company and the
// like are its ids, :new and :other are new ones.
const takeNumbers = (count: number) =>
  `UPDATE companies SET next_invoice_number = next_invoice_number + ${count} WHERE id = :company`;
const insertInvoice = ({ number = 2, currency = 'USD', total = 3 } = {}) =>
  `INSERT INTO invoices (
     company_id, id, submission_id, number, number_prefix, customer_name, customer_key,
     date, currency, total, body, created_at
   ) VALUES (
     :company, :new, :new, ${number}, 'INV-', 'Castle', 'castle',
     '2026-11-20', '${currency}', ${total}, json_build_object('id', :new), now()
   )`;
const insertLine = ({
  position = 1,
  amount = 3,
  item = 'NULL',
  key = `'name:work'`,
  invoice = ':new',
} = {}) =>
  `INSERT INTO invoice_lines (
     company_id, invoice_id, position, item_id, item_key, name, qty, price, amount
   ) VALUES (:company, ${invoice}, ${position}, ${item}, ${key}, 'Work', 2, 1.5, ${amount})`;
const insertWhole = (invoice = {}, line = {}) =>
  `WITH invoice AS (${insertInvoice(invoice)}) ${insertLine(line)}`;
const sold = { item: ':item', key: ':item' };
const insertMovement = ({
  delta = -2,
  after = 6,
  kind = 'sale',
  source = 'invoice_id',
  id = ':new',
} = {}) =>
  `INSERT INTO movements (company_id, item_id, delta, on_hand_after, kind, ${source}, created_at)
   VALUES (:company, :item, ${delta}, ${after}, '${kind}', ${id}, now())`;
const setOnHand = (onHand: number) =>
  `UPDATE items SET on_hand = ${onHand} WHERE company_id = :company`;
const move = (movement = {}, onHand = 6) =>
  `WITH movement AS (${insertMovement(movement)}) ${setOnHand(onHand)}`;
const adjusted = {
  source: 'adjustment_id',
  id: ':adjustment',
  kind: 'received',
  delta: 1,
  after: 9,
};
const insertJob = ({
  company = ':company',
  status = 'succeeded',
  submission = ':new',
  result = ':new',
} = {}) => {
  const [filled, value] = {
    succeeded: ['result_id, finished_at', `${result}, now()`],
    failed: ['error, finished_at', `'{}', now()`],
    queued: ['payload, run_at', `'{}', now()`],
  }[status] ?? [''];
  return `INSERT INTO jobs (
      company_id, id, type, status, fingerprint, submission_id, request_id, ${filled}
    ) VALUES (
      ${company}, :new, 'invoice.create', '${status}', sha256(''), ${submission}, 'r', ${value}
    )`;
};
const posted = [takeNumbers(1), insertWhole()];
const postedSale = [takeNumbers(1), insertWhole({}, sold)];

const ACCEPTED_WRITES: readonly (readonly [title: string, ...statements: string[]])[] = [
  ['an invoice with the next number and its lines, and its job', ...posted, insertJob()],
  ['an invoice that takes stock', ...postedSale, move(), insertJob()],
  [
    'several invoices in one transaction',
    ...posted,
    takeNumbers(1),
    insertWhole({ number: 3 }).replaceAll(':new', ':other'),
  ],
  ['received stock', move(adjusted, 9)],
  ['a queued job', insertJob({ status: 'queued' })],
  [
    'the corrected spelling of a customer',
    `UPDATE invoices SET customer_name = 'CASTLE' WHERE company_id = :company`,
  ],
  ['deleting settled jobs past their retention', 'DELETE FROM jobs WHERE company_id = :company'],
];

const REFUSED_WRITES: readonly (readonly [
  title: string,
  reason: RegExp,
  ...statements: string[],
])[] = [
  ['a number that was not taken from the counter', /next numbers/, insertWhole()],
  ['a gap in the numbers', /next numbers/, takeNumbers(2), insertWhole({ number: 3 })],
  ['a number that is taken and not used', /taken and not used/, takeNumbers(1)],
  [
    'a company that starts with another number',
    /taken and not used/,
    `INSERT INTO companies (id, name, currency, time_zone, next_invoice_number)
     VALUES (:new, 'N', 'USD', 'UTC', 7)`,
  ],
  ['a counter that goes back', /does not go back/, takeNumbers(-1)],
  [
    'a stock version that goes back',
    /does not go back/,
    'UPDATE companies SET stock_version = 0 WHERE id = :company',
  ],
  [
    'another currency once there is an invoice',
    /currency is fixed/,
    `UPDATE companies SET currency = 'EUR' WHERE id = :company`,
  ],
  [
    "an invoice in another currency than the company's",
    /currency/,
    takeNumbers(1),
    insertWhole({ currency: 'EUR' }),
  ],
  ['an invoice without lines', /comes with its lines/, takeNumbers(1), insertInvoice()],
  [
    'a total that is not the sum of the lines',
    /sum of its lines/,
    takeNumbers(1),
    insertWhole({ total: 4 }),
  ],
  [
    'lines that do not start at 1',
    /sum of its lines/,
    takeNumbers(1),
    insertWhole({}, { position: 2 }),
  ],
  [
    'a line added to an issued invoice',
    /sum of its lines/,
    insertLine({ position: 2, invoice: ':invoice' }),
  ],
  [
    'an amount that is not qty × price rounded',
    /amount_rounded/,
    takeNumbers(1),
    insertWhole({ total: 3.01 }, { amount: 3.01 }),
  ],
  [
    "a line that counts towards another item's figures",
    /item_key/,
    takeNumbers(1),
    insertWhole({}, { ...sold, key: ':company' }),
  ],
  [
    'an invoice without a customer',
    /invoices_text/,
    takeNumbers(1),
    insertInvoice().replace(`'castle'`, `''`),
  ],
  [
    'another customer on an issued invoice',
    /append-only/,
    `UPDATE invoices SET customer_key = 'x' WHERE company_id = :company`,
  ],
  [
    "another invoice's JSON",
    /invoices_body/,
    takeNumbers(1),
    insertWhole().replace(`json_build_object('id', :new)`, `json_build_object('id', :other)`),
  ],
  [
    'another JSON of an issued invoice',
    /append-only/,
    `UPDATE invoices SET body = body || ' ' WHERE company_id = :company`,
  ],
  [
    'another time of an issued invoice',
    /append-only/,
    'UPDATE invoices SET created_at = now() WHERE company_id = :company',
  ],
  ['stock on hand without a movement', /last movement/, setOnHand(11)],
  [
    'a new item with stock on hand',
    /until a movement/,
    `INSERT INTO items (company_id, id, name, name_key, on_hand)
     VALUES (:company, :new, 'N', 'n', 1)`,
  ],
  [
    'an item without a name',
    /items_text/,
    `INSERT INTO items (company_id, id, name, name_key)
     VALUES (:company, :new, '', 'n')`,
  ],
  [
    'a movement that does not change the stock on hand',
    /does not follow/,
    insertMovement(adjusted),
  ],
  [
    'a movement with a balance other than the stock on hand',
    /does not follow|last movement/,
    move(adjusted, 10),
  ],
  [
    'movements in one statement that do not follow from each other',
    /does not follow/,
    move(adjusted, 9).replace(
      ', now())',
      `, now()), (:company, :item, 1, 9, 'received', :adjustment, now())`,
    ),
  ],
  [
    'stock below zero in a company that does not allow it',
    /negative stock/,
    move({ ...adjusted, delta: -9, after: -1 }, -1),
  ],
  [
    "a movement whose kind is not its adjustment's reason",
    /reason/,
    move({ ...adjusted, kind: 'lost' }, 9),
  ],
  ['a sale that adds to stock', /sale_takes/, ...postedSale, move({ delta: 2, after: 10 }, 10)],
  [
    'a sale of more than its lines',
    /what its lines say/,
    ...postedSale,
    move({ delta: -3, after: 5 }, 5),
  ],
  ['a sale without a line', /what its lines say/, ...posted, move()],
  ['a second movement of one item for one invoice', /sale_unique/, move({ id: ':invoice' })],
  ['a job that succeeded without its result', /exactly its result/, insertJob()],
  [
    "a job that succeeded with another submission's result",
    /exactly its result/,
    insertJob({ result: ':invoice' }),
  ],
  [
    'a job that succeeded and took no stock for its lines',
    /exactly its result/,
    ...postedSale,
    insertJob(),
  ],
  [
    'a failed job with an invoice',
    /exactly its result/,
    ...posted,
    insertJob({ status: 'failed' }),
  ],
  [
    'a queued job with an invoice',
    /exactly its result/,
    ...posted,
    insertJob({ status: 'queued' }),
  ],
  [
    'a job without a company',
    /exactly its result/,
    insertJob({ status: 'queued', company: ':new' }),
  ],
  [
    'another outcome of a settled job',
    /append-only/,
    `UPDATE jobs SET status = 'failed', result_id = NULL, error = '{}' WHERE company_id = :company`,
  ],
  [
    'deleting a queued job, which was promised',
    /append-only/,
    insertJob({ status: 'queued' }),
    'DELETE FROM jobs WHERE company_id = :company',
  ],
  [
    'a summary ahead of its invoices',
    /ahead/,
    'UPDATE summaries SET watermark = watermark + 100 WHERE company_id = :company',
  ],
  [
    'a summary ahead of its stock',
    /ahead/,
    'UPDATE summaries SET stock_version = stock_version + 100 WHERE company_id = :company',
  ],
  ['half a summary', /body_whole/, 'UPDATE summaries SET body = NULL WHERE company_id = :company'],
  [
    'a day without invoices',
    /daily_totals_check/,
    `INSERT INTO daily_totals VALUES (:company, '2020-01-01', 0, 0)`,
  ],
  [
    'a total that is not a number',
    /customer_totals_check/,
    `INSERT INTO customer_totals VALUES (:company, '2020-01-01', 'n', 'N', 1, 'NaN')`,
  ],
  [
    'a month that does not start on its first day',
    /item_totals_check/,
    `INSERT INTO item_totals VALUES (:company, '2020-01-02', 'name:n', 'N', 1, 1)`,
  ],
  ...['movements', 'invoice_lines', 'adjustments', 'invoices', 'jobs'].map(
    table => [`TRUNCATE of ${table}`, /append-only/, `TRUNCATE ${table} CASCADE`] as const,
  ),
];

describeMode('postgres', 'the database', stack => {
  let ids: Record<string, string>;
  let client: pg.Client;

  before(async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', delta: 10 });
    const items = [{ name: 'Pipe', qty: 2, price: 1.5 }];
    expect((await company.post('/invoices', invoiceRequest({ items }))).status).to.equal(201);
    expect((await company.get('/summary')).status).to.equal(200);
    const [found] = await stack().sql<Record<string, string>>(
      `SELECT companies.id AS company, items.id AS item,
         adjustments.id AS adjustment, invoices.id AS invoice,
         gen_random_uuid() AS new, gen_random_uuid() AS other
       FROM companies
       JOIN items ON items.company_id = companies.id
       JOIN adjustments ON adjustments.company_id = companies.id
       JOIN invoices ON invoices.company_id = companies.id
       WHERE companies.id = $1`,
      [company.companyId],
    );
    ids = found ?? {};
    client = new pg.Client({ connectionString: stack().databaseUrl });
    await client.connect();
    await client.query(
      'CREATE ROLE clerk; GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk; SET ROLE clerk',
    );
  });
  after(() => client.end());

  /**
   * Runs the statements up to COMMIT, then rolls back. Returns what refused them, or "accepted".
   */
  async function attempt(statements: readonly string[]): Promise<string> {
    await client.query('BEGIN');
    try {
      for (const sql of [...statements, 'SET CONSTRAINTS ALL IMMEDIATE'])
        await client.query(
          sql.replaceAll(
            /:(company|item|adjustment|invoice|new|other)\b/gu,
            (_, name) => `'${ids[name]}'`,
          ),
        );
      return ACCEPTED;
    } catch (error) {
      const { code, constraint, message } = error as pg.DatabaseError;
      // 40001: a retry may succeed.
      if (!code?.startsWith('23') && code !== '40001') throw error;
      return constraint ?? message;
    } finally {
      await client.query('ROLLBACK');
    }
  }

  for (const [title, ...statements] of ACCEPTED_WRITES) {
    it(`accepts ${title}`, async () => expect(await attempt(statements)).to.equal(ACCEPTED));
  }

  for (const [title, reason, ...statements] of REFUSED_WRITES) {
    it(`refuses ${title}`, async () => expect(await attempt(statements)).to.match(reason));
  }

  it('accepts the decimal places of every currency', async () => {
    // The rounding's constraint allows what money.ts has: 0, 2 and 3.
    expect([...new Set([...MINOR_UNITS.values(), 2])].sort()).to.deep.equal([0, 2, 3]);
  });
});
