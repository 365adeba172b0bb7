// SQL that violates each invariant, for tests of verify and of the audit.
import { expect } from 'chai';
import pg from 'pg';
import { RUNS } from '../../src/verify/service.js';
import type { Violation as Offender } from '../../src/verify/violation.js';

/** Of a company with 10 Pipe: the second one has discounts and taxes. */
export const TWO_INVOICES: readonly object[] = [
  {
    customerName: 'Castle',
    date: '2026-11-20',
    items: [
      { name: 'Pipe', qty: 3, price: 2 },
      { name: 'Delivery', qty: 1, price: 9 },
    ],
  },
  {
    customerName: 'Castle',
    date: '2026-11-20',
    dueDate: '2026-12-20',
    discount: { percent: 10 },
    items: [
      { name: 'Pipe', qty: 3, price: 0.335, taxRate: 19 },
      { name: 'Delivery', qty: 1, price: 10, taxRate: 7, discount: { amount: 1 } },
    ],
  },
];

const INVOICE = '(SELECT id FROM invoices WHERE company_id = $1 ORDER BY number LIMIT 1)';
const OTHER_COMPANY = '(SELECT id FROM companies WHERE id <> $1 LIMIT 1)';
/** Adds e-mails of the first invoice. `values` are of the columns from of_create on. */
const emails = (values: string, count = 1) => `
    INSERT INTO emails (company_id, id, document_type, document_id, recipients, subject, message,
      attach, created_at,
      document_number, of_create, status, attempts, admitted_at, sent_at, due_at)
    SELECT $1, gen_random_uuid(), 'invoice', ${INVOICE}, '{"to":["a@b.example"],"cc":[]}', 'x', 'x',
      '["pdf"]', now(), ${values}
    FROM generate_series(1, ${count})`;
const WAITING = "'queued', 0, now(), NULL, now()";
/** Adds a webhook endpoint without a secret. */
const endpoint = (position: string) => `
    INSERT INTO webhook_endpoints (company_id, id, url, types, position, created_at, updated_at)
    VALUES ($1, gen_random_uuid(), 'https://a.example/', '["*"]', ${position}, now(), now())`;
type Violation = string | readonly [prepare: string, sql: string];

/**
 * SQL that violates each invariant for company $1, after dropping a constraint that prevents it.
 */
const VIOLATIONS: Readonly<Record<string, Violation>> = {
  'the search text of each row equals the row':
    "UPDATE search_texts SET lines = replace(lines, 'pipe', 'tube') WHERE company_id = $1",
  "the JSON of each version of a customer's record can be read": `
    INSERT INTO customer_versions (company_id, customer_id, version, valid_from, body)
    SELECT company_id, id, version + 1, '2100-01-01', '{"id":"x"}'
    FROM customers
    WHERE company_id = $1`,
  'the versions of names are those of the records that had them': `
    INSERT INTO customer_name_versions (company_id, name_key, valid_from, customer_id)
    SELECT company_id, name_key, '2100-01-01', customer_id
    FROM customer_names
    WHERE company_id = $1`,
  'the match keys of names, SKUs and numbers equal the texts of the row':
    "UPDATE items SET name_key = 'tube' WHERE company_id = $1 AND name_key = 'pipe'",
  "a delivery's search text and unit costs match its row": `
    INSERT INTO adjustments (company_id, id, submission_id, reason, movements, stock_version,
      created_at, delivery_key)
    SELECT company_id, gen_random_uuid(), gen_random_uuid(), reason, movements, stock_version,
      created_at, 'tube'
    FROM adjustments
    WHERE company_id = $1 AND reason = 'received'`,
  'a row refers to rows that exist': `
    UPDATE api_keys SET created_by = gen_random_uuid() WHERE company_id = $1`,
  'a stored response is what its request was answered with': `
    INSERT INTO stored_responses (company_id, id, fingerprint, status, body)
    SELECT company_id, id, sha256('x'), 200, json_build_object('id', id)::text
    FROM customers
    WHERE company_id = $1`,
  "a customer's record has its names, and a merged record none":
    'DELETE FROM customer_names WHERE company_id = $1',
  "a name's last version names the record that has it": `
    INSERT INTO customer_name_versions (company_id, name_key, valid_from)
    SELECT company_id, name_key, '2100-01-01' FROM customer_names WHERE company_id = $1`,
  'an invoice is created with one e-mail at most': [
    'DROP INDEX emails_of_create',
    emails(`'INV-000001', true, ${WAITING}`, 2),
  ],
  'each e-mail that was sent has its attachments': emails(
    "'INV-000001', false, 'sent', 1, now(), now(), NULL",
  ),
  'an e-mail names a document of its company by its number': emails(
    `'INV-999999', false, ${WAITING}`,
  ),
  'an e-mail is due exactly while it is queued': emails(
    "'INV-000001', false, 'queued', 0, now(), NULL, NULL",
  ),
  'the position of a webhook endpoint is in its feed': endpoint('1000000'),
  'a webhook has succeeded exactly if it was answered with 2xx': `
    INSERT INTO webhook_deliveries (company_id, endpoint_id, sequence, event_id, type, event_at,
      status, attempts, scheduled_attempts, created_at)
    VALUES ($1, gen_random_uuid(), 1, gen_random_uuid(), 'x', now(), 'succeeded', 1, 1, now())`,
  'a webhook endpoint has one current secret, encrypted': endpoint('0'),
  'the versions of a profile run from 1 without a gap': `
    INSERT INTO company_profile_versions (company_id, version, valid_from, body)
    VALUES ($1, 2, '2100-01-01', '{}')`,
  'each version of a profile has its logo': `
    INSERT INTO company_logos (company_id, hash, bytes)
    VALUES ($1, sha256('logo'::bytea), 'logo'::bytea)`,
  'the versions of a customer run from 1 without a gap': `
    INSERT INTO customer_versions (company_id, customer_id, version, valid_from)
    SELECT company_id, id, version + 2, '2100-01-01' FROM customers WHERE company_id = $1`,
  'the last version of a customer equals the record':
    'UPDATE customers SET version = version + 1 WHERE company_id = $1',
  "the columns of a customer's record equal its JSON":
    'UPDATE customers SET hold = NOT hold WHERE company_id = $1',
  "a company's figures of customers equal a recount":
    'UPDATE companies SET customers_on_hold = 9 WHERE id = $1',
  "the exposures of customers' credit limits equal a recount":
    'UPDATE customer_exposures SET exposure = exposure + 1 WHERE company_id = $1',
  'invoice numbers run from 1 to the counter without a gap':
    'UPDATE invoices SET number = number + 100 WHERE company_id = $1 AND number = 2',
  "an invoice's total is its lines less its discount plus its tax": `
    UPDATE invoices SET total = total + 0.01 WHERE company_id = $1 AND id = ${INVOICE}`,
  "a line's amount is qty × price less its discount, each rounded half up": `
    UPDATE invoices SET body = replace(body, '"price":0.335', '"price":0.345')
    WHERE company_id = $1`,
  'a discount is its percentage rounded half up, and at most what it reduces': `
    UPDATE invoices SET body = replace(body, '"percent":10,"amount":1,', '"percent":11,"amount":1,')
    WHERE company_id = $1`,
  'tax is rounded half up once for all lines of one category and rate': `
    UPDATE invoices SET body = replace(body, '"base":8.1,"amount":0.57', '"base":8.1,"amount":0.58')
    WHERE company_id = $1`,
  "an invoice's stored JSON matches its row and lines": `
    UPDATE invoices SET body = replace(body, 'Castle', 'Tower')
    WHERE company_id = $1 AND id = ${INVOICE}`,
  "an invoice is in its company's currency": `
    UPDATE invoices SET currency = 'EUR' WHERE company_id = $1 AND id = ${INVOICE}`,
  'on hand is the sum of the movements':
    'UPDATE items SET on_hand = on_hand + 1 WHERE company_id = $1',
  'each movement carries the balance after it': `
    UPDATE movements SET on_hand_after = on_hand_after + 1
    WHERE company_id = $1 AND invoice_id IS NOT NULL`,
  "an invoice's stock movements match its lines": `
    UPDATE invoices SET body = replace(body, '"qty":3', '"qty":2') WHERE company_id = $1`,
  "an adjustment's stored movements match its movement rows": `
    UPDATE adjustments SET movements = replace(movements::text, '10', '11')::json
    WHERE company_id = $1`,
  'a correction changes items of a delivery of its company': `
    UPDATE adjustments SET reason = 'correction', corrects = company_id WHERE company_id = $1`,
  "a movement's kind is its adjustment's reason, and a sale reduces stock": `
    UPDATE movements SET kind = 'lost' WHERE company_id = $1 AND adjustment_id IS NOT NULL`,
  "a line counts towards its item's figures, or towards its name's":
    'UPDATE invoices SET name_keys = NULL WHERE company_id = $1',
  'a line that names an item in use takes its stock': `
    INSERT INTO item_keys (company_id, item_id, name_key, matches_from)
    SELECT company_id, id, 'delivery', 2 FROM items WHERE company_id = $1`,
  'a submission has one job': `
    INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id,
      payload, run_at)
    SELECT company_id, gen_random_uuid(), type, 'queued', fingerprint, submission_id, request_id,
      '{}', now()
    FROM jobs
    WHERE company_id = $1`,
  'no two items of a company share a name or a sku': [
    'DROP INDEX items_name_unique',
    `INSERT INTO items (company_id, id, name, name_key)
     SELECT company_id, gen_random_uuid(), name, name_key FROM items WHERE company_id = $1`,
  ],
  'lines find each item by its name, unless it is archived':
    "UPDATE item_keys SET name_key = 'other' WHERE company_id = $1",
  'a job that succeeded has exactly its result': `
    UPDATE jobs SET result_id = company_id WHERE company_id = $1 AND type = 'invoice.create'`,
  'an invoice or adjustment comes from a job that succeeded with it': `
    UPDATE jobs SET status = 'failed', error = '{}', result_id = NULL
    WHERE company_id = $1 AND type = 'inventory.adjust'`,
  "no row references another company's row": `
    UPDATE items SET company_id = ${OTHER_COMPANY} WHERE company_id = $1`,
  "an import's counters match its rows": `
    WITH sender AS (
      INSERT INTO users (company_id, id, email, password_hash, role)
      VALUES ($1, gen_random_uuid(), 'a@b.c', '', 'owner')
      RETURNING *
    )
    INSERT INTO imports (company_id, id, user_id, file_name, reference, reason, decimal_mark,
      header, status, rows_total, rows_failed, run_at)
    SELECT company_id, id, id, '', '', 'count', '.', '[]', 'queued', 2, 1, 'infinity'
    FROM sender`,
  'no watermark is ahead of its company':
    'UPDATE summaries SET watermark = watermark + 1 WHERE company_id = $1',
  "a company's stock figures equal a recount of its items":
    'UPDATE companies SET stock_value = stock_value + 1 WHERE id = $1',
  "a month's best customers and items have its largest totals":
    "UPDATE monthly_tops SET customers = '{}' WHERE company_id = $1",
  'an up-to-date summary equals a recount': `
    UPDATE summaries SET body = replace(body, '"items":1', '"items":2') WHERE company_id = $1`,
  'the daily rollup equals a recount up to its watermark':
    'UPDATE daily_totals SET total = total + 1 WHERE company_id = $1',
  'the rollup of what is due equals a recount up to its watermark':
    'UPDATE due_totals SET total = total + 1 WHERE company_id = $1',
  'the rollup of taxes equals a recount up to its watermarks': `
    INSERT INTO tax_totals (company_id, month, type, category, rate, net, tax)
    VALUES ($1, '2026-10-01', 'invoice', 'S', 5, 1, 0.05)`,
  'the rollup of entries equals a recount up to its watermark':
    "UPDATE entry_totals SET tax = tax - 0.01 WHERE company_id = $1 AND type = 'creditNote'",
  "a summary's unallocated money equals a recount up to its watermark":
    'UPDATE summaries SET unallocated = unallocated + 1 WHERE company_id = $1',
  "the dues of a company's invoices equal a recount up to their watermarks": `
    WITH progress AS (
      INSERT INTO receivable_progress (company_id, watermark, entry_sequence) VALUES ($1, 0, 0)
      ON CONFLICT DO NOTHING
    )
    INSERT INTO invoice_dues (company_id, customer_key, due_date, date, number, due)
    VALUES ($1, 'stranger', 'infinity', '2026-11-20', 1, 15)`,
  "a customer's debits less credits are its outstanding less its unallocated money":
    "UPDATE entries SET amount = amount + 1 WHERE company_id = $1 AND type = 'payment'",
  'the customer rollup equals a recount up to its watermark':
    'DELETE FROM customer_totals WHERE company_id = $1',
  'the item rollup equals a recount up to its watermark':
    'UPDATE item_totals SET qty = qty + 1 WHERE company_id = $1',
};

/** SQL that violates each invariant of the ledger, in books like those of `keepBooks`. */
const LEDGER: typeof VIOLATIONS = {
  'paid and credited are the sums of the allocations':
    'UPDATE allocations SET amount = amount + 1 WHERE company_id = $1 AND amount > 0',
  "an invoice's status follows from what is paid and credited": [
    'ALTER TABLE invoices DROP CONSTRAINT invoices_settlement',
    `UPDATE invoices SET settled_on = '2026-11-30'
     WHERE company_id = $1 AND status = 'open' AND paid > 0`,
  ],
  'a payment or credit note is allocated, refunded and unallocated in whole':
    'UPDATE entries SET unallocated = unallocated - 1 WHERE company_id = $1 AND unallocated > 1',
  'the JSON of an entry matches its row, the entries before it and the money that they moved': `
    UPDATE entries SET body = replace(body, 'Ledger', 'Register')
    WHERE company_id = $1 AND type = 'payment' AND NOT reversed`,
  'goods come back as the credit notes say':
    "UPDATE movements SET delta = delta + 1 WHERE company_id = $1 AND kind = 'return'",
  'an entry belongs to a payment, credit note or invoice of its customer':
    "UPDATE entries SET customer_key = 'other' WHERE company_id = $1 AND type = 'refund'",
  'effective dates never go back along an invoice, payment or credit note': `
    UPDATE allocations SET effective_date = '2020-01-01'
    WHERE company_id = $1 AND sequence > 1`,
  'an allocation has the dates and the customer of its invoice': `
    UPDATE allocations SET customer_key = 'other' WHERE company_id = $1`,
  'an effective date is the latest of its own date and those that it follows': `
    UPDATE entries SET effective_date = effective_date + 1
    WHERE company_id = $1 AND type IN ('refund', 'reversal')`,
  'entries and credit notes are numbered from 1 without a gap':
    'UPDATE entries SET sequence = sequence + 100 WHERE company_id = $1 AND sequence = 2',
  "a credit note has its lines' share of its invoice, cumulative and at most all of it": `
    UPDATE entries SET subtotal = subtotal - 0.01, tax_total = tax_total + 0.01
    WHERE company_id = $1 AND type = 'creditNote'`,
};

/** Adds to a rollup what the credit notes had subtracted from it. */
const addBackCredits = (rollup: string, key: string, count: string, credited: string) => `
    UPDATE ${rollup} r
    SET ${count} = r.${count} + c.count, total = r.total + c.total
    FROM (${credited}) c
    WHERE r.company_id = $1 AND r.month = '2026-11-01' AND r.${key} = c.key`;

const WITHOUT_LIMITS = 'ALTER TABLE invoices DROP CONSTRAINT invoices_settlement';

/** More ways to violate invariants that consist of several rules. */
const VARIANTS: Readonly<Record<string, readonly Violation[]>> = {
  'the customer rollup equals a recount up to its watermark': [
    addBackCredits(
      'customer_totals',
      'customer_key',
      'count',
      `SELECT customer_key AS key, 0 AS count, sum(amount) AS total
       FROM entries
       WHERE company_id = $1 AND type = 'creditNote' AND date < '2026-12-01'
       GROUP BY customer_key`,
    ),
  ],
  'the item rollup equals a recount up to its watermark': [
    addBackCredits(
      'item_totals',
      'item_key',
      'qty',
      `SELECT item_id::text AS key, sum(qty) AS count, sum(amount) AS total
       FROM credit_note_lines
       WHERE company_id = $1 AND item_id IS NOT NULL
       GROUP BY item_id`,
    ),
    'UPDATE item_totals SET total = total + 1 WHERE company_id = $1',
  ],
  'the rollup of entries equals a recount up to its watermark': [
    "DELETE FROM entry_totals WHERE company_id = $1 AND type = 'void'",
  ],
  "a month's best customers and items have its largest totals": [
    'UPDATE monthly_tops SET items = items[2:5] WHERE company_id = $1',
    `UPDATE monthly_tops SET items = items[2:5] || items[1] WHERE company_id = $1`,
  ],
  "an invoice's stock movements match its lines": [
    `DELETE FROM movements
     WHERE company_id = $1
       AND id = (SELECT min(id) FROM movements WHERE company_id = $1 AND kind = 'sale')`,
    `UPDATE movements SET invoice_id = ${INVOICE} WHERE company_id = $1 AND kind = 'sale'`,
  ],
  "a movement's kind is its adjustment's reason, and a sale reduces stock": [
    [
      `ALTER TABLE movements DROP CONSTRAINT movements_check1`,
      `UPDATE movements SET kind = 'lost' WHERE company_id = $1 AND invoice_id IS NOT NULL`,
    ],
  ],
  'paid and credited are the sums of the allocations': [
    "UPDATE invoices SET paid = paid - 1 WHERE company_id = $1 AND status = 'open' AND paid > 1",
    'DELETE FROM allocations WHERE company_id = $1 AND amount < 0',
    "UPDATE invoices SET credited = credited + 1 WHERE company_id = $1 AND status = 'open'",
  ],
  "an invoice's status follows from what is paid and credited": [
    [
      WITHOUT_LIMITS,
      "UPDATE invoices SET paid = total + 1 WHERE company_id = $1 AND status = 'paid'",
    ],
    [WITHOUT_LIMITS, "UPDATE invoices SET paid = -1 WHERE company_id = $1 AND status = 'open'"],
    [
      WITHOUT_LIMITS,
      "UPDATE invoices SET status = 'void' WHERE company_id = $1 AND status = 'open'",
    ],
    [
      WITHOUT_LIMITS,
      `UPDATE invoices SET status = 'open', settled_on = NULL
       WHERE company_id = $1 AND status = 'paid'`,
    ],
  ],
  'a payment or credit note is allocated, refunded and unallocated in whole': [
    "DELETE FROM entries WHERE company_id = $1 AND type = 'refund'",
    "DELETE FROM entries WHERE company_id = $1 AND type = 'reversal'",
    `UPDATE entries SET refunded = refunded + 1, unallocated = unallocated - 1
     WHERE company_id = $1 AND refunded > 0`,
  ],
  'the JSON of an entry matches its row, the entries before it and the money that they moved': [
    `UPDATE entries SET body = replace(body, '"unallocated":', '"unallocated":1')
     WHERE company_id = $1 AND type = 'creditNote'`,
    `UPDATE entries SET body = replace(body, '"status":"reversed"', '"status":"recorded"')
     WHERE company_id = $1 AND reversed`,
    `UPDATE entries SET body = replace(body, '"amount":5}', '"amount":6}')
     WHERE company_id = $1 AND type = 'payment'`,
  ],
  'a correction changes items of a delivery of its company': [
    `INSERT INTO adjustments (company_id, id, submission_id, reason, movements, stock_version,
       created_at, corrects)
     SELECT company_id, gen_random_uuid(), gen_random_uuid(), 'correction',
       json_build_array(json_build_object('itemId', company_id, 'delta', 1)),
       stock_version, now(), id
     FROM adjustments
     WHERE company_id = $1 AND reason = 'received'`,
  ],
  'goods come back as the credit notes say': [
    "DELETE FROM movements WHERE company_id = $1 AND kind = 'return'",
    `UPDATE entries SET body = replace(body, '"restocked":true', '"restocked":false')
     WHERE company_id = $1 AND type = 'creditNote'`,
  ],
  'an entry belongs to a payment, credit note or invoice of its customer': [
    'UPDATE allocations SET sequence = sequence + 100 WHERE company_id = $1 AND amount = 5',
    "UPDATE entries SET date = '2026-11-19' WHERE company_id = $1 AND type = 'creditNote'",
    `UPDATE entries SET customer_key = 'other'
     WHERE company_id = $1 AND type = 'payment' AND NOT reversed`,
  ],
  'effective dates never go back along an invoice, payment or credit note': [
    "UPDATE entries SET effective_date = '2020-01-01' WHERE company_id = $1 AND type = 'refund'",
    `UPDATE entries SET effective_date = '2020-01-01', date = '2020-01-01'
     WHERE company_id = $1 AND type = 'reversal'`,
  ],
  'an allocation has the dates and the customer of its invoice': [
    ...['source_date', 'invoice_date'].map(
      column => `UPDATE allocations SET ${column} = ${column} + 1 WHERE company_id = $1`,
    ),
    `UPDATE allocations SET due_date = '2100-01-01' WHERE company_id = $1`,
    `UPDATE allocations SET invoice_number = invoice_number + 1 WHERE company_id = $1`,
  ],
  'an effective date is the latest of its own date and those that it follows': [
    `UPDATE allocations SET effective_date = effective_date + 100
     WHERE company_id = $1 AND sequence = 1`,
  ],
  "a customer's debits less credits are its outstanding less its unallocated money": [
    'UPDATE invoices SET paid = paid + 0.01 WHERE company_id = $1 AND number = 1',
    "DELETE FROM entries WHERE company_id = $1 AND type = 'refund'",
  ],
  'entries and credit notes are numbered from 1 without a gap': [
    'UPDATE entries SET number = number + 100 WHERE company_id = $1 AND number = 2',
    'DELETE FROM entries WHERE company_id = $1 AND number = 2',
  ],
  "a credit note has its lines' share of its invoice, cumulative and at most all of it": [
    `UPDATE entries SET credited_lines = '[[0,1,1]]'
     WHERE company_id = $1 AND type = 'creditNote'`,
    `UPDATE entries SET body = replace(body, '"qty":1,"amount":10,', '"qty":9,"amount":10,')
     WHERE company_id = $1 AND number = 1`,
    `UPDATE entries SET body = replace(body, '"qty":1,"amount":10,', '"qty":1,"amount":9.99,')
     WHERE company_id = $1 AND number = 1`,
    `UPDATE entries SET body = replace(body, '"base":10,"amount":1.9', '"base":10,"amount":1.89')
     WHERE company_id = $1 AND number = 1`,
  ],
};

/** Changes the last row of the feed that has a text. */
const inFeed = (change: string, text: string) => `
  UPDATE feed
  SET stubs = ${change}
  WHERE company_id = $1 AND last_sequence = (
      SELECT max(last_sequence) FROM feed WHERE company_id = $1 AND stubs LIKE '%${text}%'
    )`;
const replaceInFeed = (text: string, by: string) =>
  inFeed(`replace(stubs, '${text}', '${by}')`, text);
const FEED: typeof VIOLATIONS = {
  'the rows of a feed join without a gap up to the counter':
    'UPDATE companies SET next_event_sequence = next_event_sequence + 1 WHERE id = $1',
  'each invoice since the feed began has its event once': replaceInFeed(
    'invoice.created',
    'invoice.updated',
  ),
  'each entry since the feed began has its event once': replaceInFeed(
    'refund.recorded',
    'key.created',
  ),
  "an invoice's last event has its settlement": replaceInFeed('["void","', '["open","'),
  "an item's last level in the feed is its stock on hand": inFeed(
    String.raw`regexp_replace(stubs, '(\["stock.changed",[^[]*\["[-0-9a-f]+",)[-.0-9]+', '\19')`,
    'stock.changed',
  ),
  "a customer's last event has the last version": replaceInFeed(
    'customer.deleted',
    'customer.updated',
  ),
  'each overdue invoice is announced once':
    'INSERT INTO overdue_invoices VALUES ($1, gen_random_uuid())',
};

export const EVERY_VIOLATION: typeof VIOLATIONS = { ...VIOLATIONS, ...LEDGER, ...FEED };

/** All SQL that violates the invariant. */
export function violationsFor(name: string): readonly Violation[] {
  return [EVERY_VIOLATION[name] ?? '', ...(VARIANTS[name] ?? [])];
}

/** Violates the invariant. The client's triggers must be disabled. */
export async function plantViolation(
  client: pg.ClientBase,
  violation: Violation,
  companyId: string,
): Promise<void> {
  const [prepare, sql] = typeof violation === 'string' ? ['', violation] : violation;
  await client.query(prepare);
  expect((await client.query(sql, [companyId])).rowCount, sql).to.be.above(0);
}

/** Verify's findings in the company. Other tests break rows of their own companies on purpose. */
export async function violationsOfCompany(
  { databaseUrl }: { readonly databaseUrl: string },
  companyId: string,
): Promise<Offender[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const found: Offender[] = [];
    for (const { run } of RUNS)
      for await (const violation of run(client))
        if (violation.companyId === companyId) found.push(violation);
    return found;
  } finally {
    await client.end();
  }
}
