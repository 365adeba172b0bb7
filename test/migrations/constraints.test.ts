// Writes that the database refuses to a role with all rights on all tables that is not a superuser,
// and the valid forms of the same writes.
import { expect } from 'chai';
import pg from 'pg';
import { invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const ACCEPTED = 'accepted';

// Statements of a company that received 10 Pipe and sold 2 on its first invoice. :company and the
// like are its ids, :new and :other are new ones.
const takeNumbers = (count: number) =>
  `UPDATE companies SET next_invoice_number = next_invoice_number + ${count} WHERE id = :company`;
const insertInvoice = ({ number = 2, total = '3' } = {}) =>
  `INSERT INTO invoices (
     company_id, id, submission_id, number, number_prefix, customer_name, customer_key,
     date, currency, total, body, created_at
   ) VALUES (
     :company, :new, :new, ${number}, 'INV-', 'Castle', 'castle',
     '2026-11-20', 'USD', ${total}, '{}', now()
   )`;
const insertMovement = ({
  delta = -2 as number | string,
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
const insertKey = (id: string, once = 'NULL') =>
  `INSERT INTO api_keys (company_id, id, once, name, scopes)
   VALUES (:company, ${id}, ${once}, 'Shop', '{}')`;
const insertDue = (dueDate: string) =>
  insertInvoice()
    .replace('created_at\n', 'created_at, due_date\n')
    .replace('now()\n', `now(), '${dueDate}'\n`);
const setCompany = (change: string) => `UPDATE companies SET ${change} WHERE id = :company`;
const settle = (change: string) => `UPDATE invoices SET ${change} WHERE company_id = :company`;
const posted = [takeNumbers(1), insertInvoice()];

const ACCEPTED_WRITES: readonly (readonly [title: string, ...statements: string[]])[] = [
  ['an invoice that takes stock, and its job', ...posted, move(), insertJob()],
  ['received stock', move(adjusted, 9)],
  ['a queued job', insertJob({ status: 'queued' })],
  [
    'the corrected spelling of a customer',
    `UPDATE invoices SET customer_name = 'CASTLE' WHERE company_id = :company`,
  ],
  ['a payment of a part', settle('paid = 1')],
  ['a payment of the rest', settle(`status = 'paid', paid = total, settled_on = '2026-11-20'`)],
  ['a voided invoice', settle(`status = 'void', credited = total`)],
  ['deleting settled jobs past their retention', 'DELETE FROM jobs WHERE company_id = :company'],
];

const REFUSED_WRITES: readonly (readonly [
  title: string,
  reason: RegExp,
  ...statements: string[],
])[] = [
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
    'an invoice without a customer',
    /invoices_text/,
    takeNumbers(1),
    insertInvoice().replace(`'castle'`, `''`),
  ],
  ['a second invoice with a number', /number_unique/, insertInvoice({ number: 1 })],
  ['a total that is not a number', /total_check/, insertInvoice({ total: "'NaN'" })],
  ['a quantity that is not a number', /delta_check/, move({ ...adjusted, delta: "'NaN'" })],
  [
    'a key with the id of another company’s key',
    /api_keys_id_key/,
    `INSERT INTO companies (id, name, currency, time_zone) VALUES (:other, 'O', 'USD', 'UTC')`,
    insertKey(':new'),
    insertKey(':new').replace(':company', ':other'),
  ],
  [
    'a second key of a form',
    /api_keys_once/,
    insertKey(':new', ':item'),
    insertKey(':other', ':item'),
  ],
  ['deleting a company', /append-only/, 'DELETE FROM companies WHERE id = :company'],
  ['deleting an item', /append-only/, 'DELETE FROM items WHERE company_id = :company'],
  [
    'another customer on an issued invoice',
    /append-only/,
    `UPDATE invoices SET customer_key = 'x' WHERE company_id = :company`,
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
  ['another due date of an issued invoice', /append-only/, settle(`due_date = '2026-12-01'`)],
  ['paying more than the total', /invoices_settlement/, settle('paid = total + 0.01')],
  ['paying less than nothing', /invoices_settlement/, settle('paid = -0.01')],
  ['paying NaN', /invoices_settlement/, settle(`paid = 'NaN'`)],
  ['crediting less than nothing', /invoices_settlement/, settle('credited = -0.01')],
  [
    'paying and crediting more than the total',
    /invoices_settlement/,
    settle('paid = total, credited = 0.01'),
  ],
  ['an open invoice with nothing due', /invoices_settlement/, settle('paid = total')],
  [
    'a paid invoice with something due',
    /invoices_settlement/,
    settle(`status = 'paid', paid = total - 0.01, settled_on = '2026-11-20'`),
  ],
  [
    'a paid invoice without the date of its settlement',
    /invoices_settlement/,
    settle(`status = 'paid', paid = total`),
  ],
  [
    'an open invoice with the date of its settlement',
    /invoices_settlement/,
    settle(`settled_on = '2026-11-20'`),
  ],
  ['a void invoice that was paid', /invoices_settlement/, settle(`status = 'void', paid = total`)],
  [
    'a change of a void invoice',
    /append-only/,
    settle(`status = 'void', credited = total`),
    settle(`status = 'open', credited = 0`),
  ],
  [
    'JSON that comes with a settlement',
    /append-only/,
    settle(`paid = 1, body = replace(body, 'Pipe', 'Tube')`),
  ],
  ['a due date before the date', /invoices_due_date/, takeNumbers(1), insertDue('2026-11-19')],
  ['an entry counter that goes back', /does not go back/, setCompany('next_entry_sequence = 0')],
  [
    'a credit note counter that goes back',
    /does not go back/,
    setCompany('next_credit_note_number = 0'),
  ],
  ['terms of 366 days', /companies_terms_days/, setCompany('terms_days = 366')],
  ['a tax rate above 100 %', /companies_default_tax/, setCompany('default_tax_rate = 100.1')],
  ['a tax rate of NaN', /companies_default_tax/, setCompany(`default_tax_rate = 'NaN'`)],
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
  ['a sale that adds to stock', /sale_takes/, ...posted, move({ delta: 2, after: 10 }, 10)],
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
  ...['movements', 'adjustments', 'invoices', 'entries', 'allocations', 'jobs'].map(
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
});
