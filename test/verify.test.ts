// `npm run verify`: finds nothing wrong in what the product wrote, and each of its checks finds what it is for.
import { expect } from 'chai';
import pg from 'pg';
import { CHECKS } from '../src/verify/checks.js';
import { makeCompany, receive, type TestCompany } from './support/factories.js';
import { runScript, until } from './support/processes.js';
import { makeStack, type Stack } from './support/suite.js';

// What breaks each invariant of company $1 in a database that would let it; one statement a check.
const INVOICE = '(SELECT id FROM invoices WHERE company_id = $1 ORDER BY number LIMIT 1)';
const OTHER_COMPANY = '(SELECT id FROM companies WHERE id <> $1 LIMIT 1)';
const BREAKS: Readonly<Record<string, string>> = {
  'invoice numbers are 1 to the counter, without a gap':
    'UPDATE invoices SET number = number + 1 WHERE company_id = $1 AND number = 2',
  "an invoice's total is the sum of its lines": `UPDATE invoices SET total = total + 0.01 WHERE company_id = $1 AND id = ${INVOICE}`,
  "a line's amount is qty × price rounded half up to the currency's minor unit":
    'UPDATE invoice_lines SET amount = 0.33 WHERE company_id = $1 AND price = 0.335',
  "an invoice's stored line JSON says what its lines say": `UPDATE invoices SET lines = replace(lines::text, 'Pipe', 'Wire')::json WHERE company_id = $1 AND id = ${INVOICE}`,
  "an invoice is in its company's currency": `UPDATE invoices SET currency = 'EUR' WHERE company_id = $1 AND id = ${INVOICE}`,
  'on hand is the sum of the movements': 'UPDATE items SET on_hand = on_hand + 1 WHERE company_id = $1',
  'each movement carries the balance after it':
    'UPDATE movements SET on_hand_after = on_hand_after + 1 WHERE company_id = $1 AND invoice_id IS NOT NULL',
  'an invoice took out of stock what its lines say':
    'UPDATE invoice_lines SET item_id = NULL WHERE company_id = $1 AND item_id IS NOT NULL',
  "an adjustment's stored movements are those that it made": `UPDATE adjustments SET movements = '[]' WHERE company_id = $1`,
  'a job that succeeded has exactly its result': `UPDATE jobs SET result_id = company_id WHERE company_id = $1 AND type = 'invoice.create'`,
  'an invoice or adjustment comes from a job that succeeded with it': `UPDATE jobs SET status = 'failed', error = '{}', result_id = NULL WHERE company_id = $1 AND type = 'inventory.adjust'`,
  'no row points across companies': `UPDATE movements SET company_id = ${OTHER_COMPANY} WHERE company_id = $1`,
  'no summary is ahead of its company': 'UPDATE summaries SET watermark = watermark + 1 WHERE company_id = $1',
  'the daily rollup equals a recount up to its watermark':
    'UPDATE daily_totals SET total = total + 1 WHERE company_id = $1',
  'the customer rollup equals a recount up to its watermark': 'DELETE FROM customer_totals WHERE company_id = $1',
  'the item rollup equals a recount up to its watermark': 'UPDATE item_totals SET qty = qty + 1 WHERE company_id = $1',
};

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
      expect((await company.post('/invoices', { customerName: 'Castle', date: '2026-11-20', items })).status).to.equal(
        201,
      );
    }
    await until('the rollups hold both', async () => {
      const [row] = await stack.sql('SELECT watermark FROM summaries WHERE company_id = $1', [company.companyId]);
      return row?.watermark === '2';
    });
  });

  it('finds nothing wrong in what the product wrote, and exits 0', () => {
    const { code, stdout, stderr } = runScript('src/commands/verify.js', [], stack.env);
    expect(stderr).to.equal('');
    expect(stdout).to.equal(`{"checked":${CHECKS.length},"violations":0}\n`);
    expect(code).to.equal(0);
  });

  for (const { name, sql } of CHECKS) {
    it(`finds where it is not so: ${name}`, async () => {
      const client = new pg.Client({ connectionString: stack.databaseUrl });
      await client.connect();
      try {
        expect((await client.query(sql)).rows).to.deep.equal([]);
        // Foreign keys and triggers off, for this transaction only.
        await client.query('BEGIN; SET LOCAL session_replication_role = replica');
        expect((await client.query(BREAKS[name] ?? '', [company.companyId])).rowCount).to.be.above(0);
        expect((await client.query(sql)).rows[0]).to.have.property('companyId');
      } finally {
        await client.end();
      }
    });
  }

  it('prints one line a violation, counts them in the last one, and exits 1', async () => {
    const move = (by: number) =>
      stack.sql('UPDATE items SET on_hand = on_hand + $2 WHERE company_id = $1', [company.companyId, by]);
    await move(1);
    const { code, stdout, stderr } = runScript('src/commands/verify.js', [], stack.env);
    await move(-1);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.at(-1)).to.deep.equal({ checked: CHECKS.length, violations: 1 });
    expect(lines.slice(0, -1)).to.have.length(1);
    expect(lines[0]).to.include({ violation: 'on hand is the sum of the movements', companyId: company.companyId });
    expect(stderr).to.equal('');
    expect(code).to.equal(1);
  });
});
