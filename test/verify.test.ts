// The invariants: `npm run verify` and the audit find no violation in what the product wrote, and
// each check finds its own.
import { expect } from 'chai';
import pg from 'pg';
import { connectClient } from '../src/platform/db/connection.js';
import { RUNS, verifyAll } from '../src/verify/service.js';
import type { Violation } from '../src/verify/violation.js';
import type { Json } from './support/client.js';
import { makeCompany, receive, type TestCompany } from './support/factories.js';
import { created, keepBooks, pay } from './support/ledger.js';
import { runScript, until } from './support/processes.js';
import { makeStack, type Stack } from './support/suite.js';
import {
  EVERY_VIOLATION,
  plantViolation,
  TWO_INVOICES,
  violationsFor,
} from './support/violations.js';

/** Violations that the database accepts: refusing them would take reading other rows per write. */
const ACCEPTED_BY_DATABASE = [
  'the rows of a feed join without a gap up to the counter',
  'each overdue invoice is announced once',
  "a customer's record has its names, and a merged record none",
  "a name's last version names the record that has it",
  'the position of a webhook endpoint is in its feed',
  'a webhook has succeeded exactly if it was answered with 2xx',
  'a webhook endpoint has one current secret, encrypted',
  'the versions of a profile run from 1 without a gap',
  'each version of a profile has its logo',
  'each e-mail that was sent has its attachments',
  'an e-mail names a document of its company by its number',
  'an e-mail is due exactly while it is queued',
  'the versions of a customer run from 1 without a gap',
  'the last version of a customer equals the record',
  "the columns of a customer's record equal its JSON",
  "a company's figures of customers equal a recount",
  "the exposures of customers' credit limits equal a recount",
  'on hand is the sum of the movements',
  'a line that names an item in use takes its stock',
  'a submission has one job',
  "an import's counters match its rows",
  'lines find each item by its name, unless it is archived',
  "a company's stock figures equal a recount of its items",
  "a month's best customers and items have its largest totals",
  'the daily rollup equals a recount up to its watermark',
  'the rollup of what is due equals a recount up to its watermark',
  'the rollup of taxes equals a recount up to its watermarks',
  'the rollup of entries equals a recount up to its watermark',
  "a summary's unallocated money equals a recount up to its watermark",
  "the dues of a company's invoices equal a recount up to their watermarks",
  'the customer rollup equals a recount up to its watermark',
  'the item rollup equals a recount up to its watermark',
  'an up-to-date summary equals a recount',
  'a payment or credit note is allocated, refunded and unallocated in whole',
  'the JSON of an entry matches its row, the entries before it and the money that they moved',
  'the search text of each row equals the row',
  "the JSON of each version of a customer's record can be read",
  'the versions of names are those of the records that had them',
  'the match keys of names, SKUs and numbers equal the texts of the row',
  "a delivery's search text and unit costs match its row",
  'a stored response is what its request was answered with',
];

const CHECKED = RUNS.flatMap(({ names }) => names).length;

/** A record with every kind of value, one that is merged into it, and one that is deleted. */
async function keepCustomers(company: TestCompany): Promise<void> {
  const { body } = await company.post('/customers/batch', {
    customers: [
      {
        name: 'Castle',
        aliases: ['Keep'],
        externalId: 'c-1',
        taxId: 'DE 1-2',
        termsDays: 14,
        tax: { rate: 0, category: 'E', reason: 'Exempt' },
        creditLimit: 1234.5,
        hold: true,
      },
      { name: 'Tower' },
      { name: 'Moat' },
    ],
  });
  const [castle, tower, moat] = body.results.map(({ customer }: Json) => customer.id);
  await company.post(`/customers/${castle}/merge`, { customerId: tower });
  expect((await company.delete(`/customers/${moat}`)).status).to.equal(204);
  // Money of one name of the record for an invoice of another.
  const payment = await pay(company, 1, [], { customerName: 'Keep' });
  const { body: invoices } = await company.get('/invoices?customerName=Castle');
  const recipients = [{ invoiceId: invoices[0].id }];
  created(await company.post('/allocations', { paymentId: payment.id, invoices: recipients }));
}

async function violationsOf(run: (typeof RUNS)[number]['run'], client: pg.Client) {
  const violations: Violation[] = [];
  for await (const violation of run(client)) violations.push(violation);
  return violations;
}

describe('verify', () => {
  let stack: Stack;
  let company: TestCompany;

  before(async () => {
    stack = await makeStack('postgres');
    company = await makeCompany(stack);
    await makeCompany(stack);
    await receive(company, { name: 'Pipe', delta: 10, sku: 'P' });
    for (const invoice of TWO_INVOICES)
      expect((await company.post('/invoices', invoice)).status).to.equal(201);
    await keepBooks(company);
    const refuse = `UPDATE companies SET credit_limit_action = 'refuse' WHERE id = $1`;
    await stack.sql(refuse, [company.companyId]);
    await keepCustomers(company);
    await until('the rollups hold all', async () => {
      const [row] = await stack.sql(
        `SELECT s.watermark, s.entry_sequence = c.next_entry_sequence - 1 AS "hasEntries"
         FROM summaries s JOIN companies c ON c.id = s.company_id
         WHERE s.company_id = $1`,
        [company.companyId],
      );
      return row?.watermark === '5' && row?.hasEntries === true;
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

  for (const { names, run } of RUNS) {
    for (const name of names) {
      it(`finds a violation of: ${name}`, async () => {
        const client = new pg.Client({ connectionString: stack.databaseUrl });
        await client.connect();
        try {
          await client.query('BEGIN');
          expect(await violationsOf(run, client)).to.deep.equal([]);
          await client.query('COMMIT');
          for (const planted of violationsFor(name)) {
            // Disables foreign keys and triggers for this transaction.
            await client.query('BEGIN; SET LOCAL session_replication_role = replica');
            await plantViolation(client, planted, company.companyId);
            const found = (await violationsOf(run, client)).filter(
              ({ violation }) => violation === name,
            );
            expect(found[0], String(planted)).to.have.property('companyId', company.companyId);
            await client.query('ROLLBACK');
          }
        } finally {
          await client.end();
        }
      });
    }
  }

  it('is rarely needed: the database refuses most violations', async () => {
    const client = await connectClient(stack.databaseUrl, 'test');
    const accepted: string[] = [];
    for (const [name, violation] of Object.entries(EVERY_VIOLATION)) {
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
    expect(lines.at(-1)).to.deep.equal({ checked: CHECKED, violations: 2 });
    const [first, second] = lines;
    expect([first.companyId, second.companyId]).to.deep.equal(Array(2).fill(company.companyId));
    expect([first.violation, second.violation]).to.have.members([
      'on hand is the sum of the movements',
      "an item's last level in the feed is its stock on hand",
    ]);
    expect(stderr).to.equal('');
    expect(code).to.equal(1);
  });
});
