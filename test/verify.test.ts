// `npm run verify`: finds no violation in what the product wrote, and each check finds its own.
import { expect } from 'chai';
import pg from 'pg';
import { connectClient } from '../src/platform/db/connection.js';
import { CHECKS } from '../src/verify/checks.js';
import { verifyAll } from '../src/verify/service.js';
import { makeCompany, receive, type TestCompany } from './support/factories.js';
import { runScript, until } from './support/processes.js';
import { makeStack, type Stack } from './support/suite.js';

const INVOICE = '(SELECT id FROM invoices WHERE company_id = $1 ORDER BY number LIMIT 1)';
const OTHER_COMPANY = '(SELECT id FROM companies WHERE id <> $1 LIMIT 1)';
/**
 * SQL that violates each invariant for company $1, after dropping a constraint that prevents it.
 */
const VIOLATIONS: Readonly<Record<string, string | readonly [prepare: string, sql: string]>> = {
  'invoice numbers run from 1 to the counter without a gap':
    'UPDATE invoices SET number = number + 1 WHERE company_id = $1 AND number = 2',
  "an invoice's total is the sum of its lines": `
    UPDATE invoices SET total = total + 0.01 WHERE company_id = $1 AND id = ${INVOICE}`,
  "a line's amount is qty × price rounded half up to the currency's minor unit":
    'UPDATE invoice_lines SET amount = 1.005 WHERE company_id = $1 AND price = 0.335',
  "an invoice's stored JSON matches its row and lines": `
    UPDATE invoices SET body = replace(body, 'Pipe', 'Wire')
    WHERE company_id = $1 AND id = ${INVOICE}`,
  "an invoice's lines are numbered from 1 without a gap":
    'UPDATE invoice_lines SET position = 3 WHERE company_id = $1 AND position = 2',
  "an invoice is in its company's currency": `
    UPDATE invoices SET currency = 'EUR' WHERE company_id = $1 AND id = ${INVOICE}`,
  'on hand is the sum of the movements':
    'UPDATE items SET on_hand = on_hand + 1 WHERE company_id = $1',
  'each movement carries the balance after it': `
    UPDATE movements SET on_hand_after = on_hand_after + 1
    WHERE company_id = $1 AND invoice_id IS NOT NULL`,
  "an invoice's stock movements match its lines": `
    UPDATE invoice_lines SET item_id = NULL, item_key = 'name:pipe'
    WHERE company_id = $1 AND item_id IS NOT NULL`,
  "an adjustment's stored movements match its movement rows":
    "UPDATE adjustments SET movements = '[]' WHERE company_id = $1",
  "a movement's kind is its adjustment's reason, and a sale reduces stock": `
    UPDATE movements SET kind = 'lost' WHERE company_id = $1 AND adjustment_id IS NOT NULL`,
  "a line counts towards its item's figures, or towards its name's": [
    'ALTER TABLE invoice_lines DROP CONSTRAINT invoice_lines_item_key_check',
    'UPDATE invoice_lines SET item_key = name WHERE company_id = $1 AND item_id IS NULL',
  ],
  'a submission has one job': `
    INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id,
      payload, run_at)
    SELECT company_id, gen_random_uuid(), type, 'queued', fingerprint, submission_id, request_id,
      '{}', now()
    FROM jobs
    WHERE company_id = $1`,
  'no two items of a company share a name or a sku': [
    'ALTER TABLE items DROP CONSTRAINT items_name_unique',
    `INSERT INTO items (company_id, id, name, name_key)
     SELECT company_id, gen_random_uuid(), name, name_key FROM items WHERE company_id = $1`,
  ],
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
    INSERT INTO imports (company_id, id, user_id, file_name, reference, reason, all_or_nothing,
      header, status, rows_total, rows_failed, run_at)
    SELECT company_id, id, id, '', '', 'count', false, '[]', 'queued', 2, 1, 'infinity'
    FROM sender`,
  'no summary is ahead of its company':
    'UPDATE summaries SET watermark = watermark + 1 WHERE company_id = $1',
  'an up-to-date summary equals a recount': `
    UPDATE summaries SET body = replace(body, '"items":1', '"items":2') WHERE company_id = $1`,
  'the daily rollup equals a recount up to its watermark':
    'UPDATE daily_totals SET total = total + 1 WHERE company_id = $1',
  'the customer rollup equals a recount up to its watermark':
    'DELETE FROM customer_totals WHERE company_id = $1',
  'the item rollup equals a recount up to its watermark':
    'UPDATE item_totals SET qty = qty + 1 WHERE company_id = $1',
};

/**
 * Violations that the database accepts: refusing them would take a recount or JSON parsing per row.
 */
const ACCEPTED_BY_DATABASE = [
  'the daily rollup equals a recount up to its watermark',
  'the customer rollup equals a recount up to its watermark',
  'the item rollup equals a recount up to its watermark',
  'an up-to-date summary equals a recount',
  "an import's counters match its rows",
];

async function plantViolation(
  client: pg.Client,
  violation: string | readonly [prepare: string, sql: string],
  companyId: string,
): Promise<number> {
  const [prepare, sql] = typeof violation === 'string' ? ['', violation] : violation;
  await client.query(prepare);
  return (await client.query(sql, [companyId])).rowCount ?? 0;
}

const CHECKED = CHECKS.flatMap(({ names }) => names).length;

describe('verify', () => {
  let stack: Stack;
  let company: TestCompany;

  before(async function () {
    this.timeout(60_000);
    stack = await makeStack('postgres');
    company = await makeCompany(stack);
    await makeCompany(stack);
    await receive(company, { name: 'Pipe', delta: 10, sku: 'P' });
    for (const price of [2, 0.335]) {
      const items = [
        { name: 'Pipe', qty: 3, price },
        { name: 'Delivery', qty: 1, price: 9 },
      ];
      expect(
        (await company.post('/invoices', { customerName: 'Castle', date: '2026-11-20', items }))
          .status,
      ).to.equal(201);
    }
    await until('the rollups hold both', async () => {
      const [row] = await stack.sql('SELECT watermark FROM summaries WHERE company_id = $1', [
        company.companyId,
      ]);
      return row?.watermark === '2';
    });
  });

  /** Runs SQL with the database's triggers disabled. */
  async function runWithoutTriggers(sql: string): Promise<void> {
    const client = await connectClient(stack.databaseUrl, 'test');
    await client.query('SET session_replication_role = replica');
    await client.query(sql, [company.companyId]).finally(() => client.end());
  }

  it('finds no violation in what the product wrote, and exits 0', () => {
    const { code, stdout, stderr } = runScript('src/commands/verify.js', [], stack.env);
    expect(stderr).to.equal('');
    expect(stdout).to.equal(`{"checked":${CHECKED},"violations":0}\n`);
    expect(code).to.equal(0);
  });

  for (const { names, sql } of CHECKS) {
    for (const name of names) {
      it(`finds a violation of: ${name}`, async () => {
        const client = new pg.Client({ connectionString: stack.databaseUrl });
        await client.connect();
        try {
          expect((await client.query(sql)).rows).to.deep.equal([]);
          // Disables foreign keys and triggers for this transaction.
          await client.query('BEGIN; SET LOCAL session_replication_role = replica');
          expect(
            await plantViolation(client, VIOLATIONS[name] ?? '', company.companyId),
          ).to.be.above(0);
          const found = (await client.query(sql)).rows.filter(
            ({ violation = name }) => violation === name,
          );
          expect(found[0]).to.have.property('companyId', company.companyId);
        } finally {
          await client.end();
        }
      });
    }
  }

  it('is rarely needed: the database refuses most violations', async () => {
    const client = await connectClient(stack.databaseUrl, 'test');
    const accepted: string[] = [];
    for (const [name, violation] of Object.entries(VIOLATIONS)) {
      const sql = typeof violation === 'string' ? violation : violation[1];
      await client.query('BEGIN');
      const refusal = await client.query(sql, [company.companyId]).then(
        () => null,
        (error: pg.DatabaseError) => error.code?.slice(0, 2),
      );
      await client.query('ROLLBACK');
      if (refusal === null) accepted.push(name);
      else expect(refusal, name).to.equal('23');
    }
    await client.end();
    expect(accepted).to.have.members(ACCEPTED_BY_DATABASE);
  });

  it('reads one snapshot on all of its connections', async () => {
    let connections = 0;
    const connect = async () => {
      connections += 1;
      // A later connection would see this change without the first one's snapshot.
      if (connections > 1)
        await runWithoutTriggers('UPDATE items SET on_hand = on_hand + 1 WHERE company_id = $1');
      return connectClient(stack.databaseUrl, 'test');
    };
    const verdict = await verifyAll(connect, () => undefined).finally(() =>
      runWithoutTriggers('UPDATE items SET on_hand = on_hand - 1 WHERE company_id = $1'),
    );
    expect(connections).to.equal(2);
    expect(verdict).to.deep.equal({ checked: CHECKED, violations: 0 });
  });

  it('prints one line per violation and a last line with their count, and exits 1', async () => {
    await runWithoutTriggers('UPDATE items SET on_hand = on_hand + 1 WHERE company_id = $1');
    const { code, stdout, stderr } = runScript('src/commands/verify.js', [], stack.env);
    await runWithoutTriggers('UPDATE items SET on_hand = on_hand - 1 WHERE company_id = $1');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.at(-1)).to.deep.equal({ checked: CHECKED, violations: 1 });
    expect(lines.slice(0, -1)).to.have.length(1);
    expect(lines[0]).to.include({
      violation: 'on hand is the sum of the movements',
      companyId: company.companyId,
    });
    expect(stderr).to.equal('');
    expect(code).to.equal(1);
  });
});
