// The audit finds what the product did not write, among the rows that are new.
import { expect } from 'chai';
import { closeDatabase, inTransaction, type Transaction } from '../src/platform/db/connection.js';
import { refreshSummary } from '../src/summary/refresh.js';
import { auditLagSeconds, checkDocuments, unaudited } from '../src/verify/audit-documents.js';
import { auditJobs, checkJobs } from '../src/verify/audit-jobs.js';
import { checkFeed } from '../src/verify/feed/audit.js';
import { checkEntries } from '../src/verify/ledger/audit.js';
import { checkRolledUpCredits } from '../src/verify/ledger/audit-rollups.js';
import type { Violation } from '../src/verify/violation.js';
import { send } from './support/client.js';
import { makeCustomer } from './support/customers.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from './support/factories.js';
import { credit, issue, keepBooks } from './support/ledger.js';
import { addInvoices, addPayments } from './support/many-rows.js';
import { until } from './support/processes.js';
import {
  makeProcesses,
  makeStack,
  openForTests,
  type Processes,
  type Stack,
} from './support/suite.js';
import { plantViolation, TWO_INVOICES, violationsFor } from './support/violations.js';

const REPORTED_MS = 10_000;
/** The scheduler rolls up and audits this many invoices per step. */
const INVOICES_PER_STEP = 4_000;
const BACKLOG = 4 * INVOICES_PER_STEP;
/** The class of the advisory locks by which steps show that they wait. */
const GATE = 4711;
/** At most, for each step of the audit. */
const BROKEN_INVARIANTS = 10;
/** The invariants that concern new rows. */
const AUDITED = [
  "an invoice's total is its lines less its discount plus its tax",
  "a line's amount is qty × price less its discount, each rounded half up",
  'a discount is its percentage rounded half up, and at most what it reduces',
  'tax is rounded half up once for all lines of one category and rate',
  "an invoice's stored JSON matches its row and lines",
  "a line counts towards its item's figures, or towards its name's",
  "an invoice is in its company's currency",
  'invoice numbers run from 1 to the counter without a gap',
  'each movement carries the balance after it',
  'on hand is the sum of the movements',
  "an invoice's stock movements match its lines",
  "an adjustment's stored movements match its movement rows",
  "a movement's kind is its adjustment's reason, and a sale reduces stock",
  "no row references another company's row",
  'an invoice or adjustment comes from a job that succeeded with it',
  'a job that succeeded has exactly its result',
  'paid and credited are the sums of the allocations',
  "an invoice's status follows from what is paid and credited",
  'a payment or credit note is allocated, refunded and unallocated in whole',
  'the JSON of an entry matches its row, the entries before it and the money that they moved',
  'goods come back as the credit notes say',
  'an entry belongs to a payment, credit note or invoice of its customer',
  'effective dates never go back along an invoice, payment or credit note',
  'an allocation has the dates and the customer of its invoice',
  'entries and credit notes are numbered from 1 without a gap',
  "a credit note has its lines' share of its invoice, cumulative and at most all of it",
  'the customer rollup equals a recount up to its watermark',
  'the rows of a feed join without a gap up to the counter',
  'each invoice since the feed began has its event once',
  'each entry since the feed began has its event once',
  "an invoice's last event has its settlement",
  "an item's last level in the feed is its stock on hand",
  "a customer's last event has the last version",
];

/** Receives 10 Pipe and sells it on two invoices. */
async function trade(company: TestCompany): Promise<void> {
  await receive(company, { name: 'Pipe', delta: 10, sku: 'P' });
  for (const invoice of TWO_INVOICES)
    expect((await company.post('/invoices', invoice)).status).to.equal(201);
}

describe('the audit of new rows', () => {
  let target: Stack;
  let company: TestCompany;

  before(async () => {
    // Without a scheduler, so that all rows are new.
    target = await makeStack('postgres', ['web', 'worker']);
    company = await makeCompany(target);
    await makeCompany(target);
    await trade(company);
    await keepBooks(company);
    const { id } = await makeCustomer(company, { name: 'Ada' });
    expect((await company.delete(`/customers/${id}`)).status).to.equal(204);
    openForTests(target.databaseUrl, 2);
    await refreshSummary(company.companyId);
  });
  after(closeDatabase);

  /** Runs the audit after `prepare` in a transaction that is rolled back. */
  async function findAfter(prepare: (tx: Transaction) => Promise<void>): Promise<Violation[]> {
    let found: Violation[] = [];
    const rollBack = new Error('roll back');
    await inTransaction(async tx => {
      await prepare(tx);
      const documents = await checkDocuments([company.companyId], tx);
      const entries = await checkEntries([company.companyId], tx);
      const credits = await checkRolledUpCredits([company.companyId], tx);
      const events = await checkFeed([company.companyId], tx);
      const jobs = await checkJobs('-infinity', 'infinity', tx);
      found = [documents, entries, credits, events, jobs].flatMap(step => step.found);
      throw rollBack;
    }).catch(error => {
      if (error !== rollBack) throw error;
    });
    return found;
  }

  it('finds no violation in what the product wrote', async () => {
    expect(await findAfter(async () => undefined)).to.deep.equal([]);
  });

  for (const name of AUDITED) {
    it(`finds a violation of: ${name}`, async () => {
      for (const planted of violationsFor(name)) {
        const found = await findAfter(async tx => {
          await tx.client.query('SET LOCAL session_replication_role = replica');
          await plantViolation(tx.client, planted, company.companyId);
        });
        const violation = found.find(each => each.violation === name);
        const message = `${planted}: ${JSON.stringify(found)}`;
        expect(violation, message).to.include({ companyId: company.companyId });
      }
    });
  }

  it('checks each row once, in steps, and knows how far it is behind', async () => {
    expect(await auditLagSeconds()).to.be.above(0);
    const audit = () => inTransaction(tx => checkDocuments([company.companyId], tx));
    expect(await audit()).to.deep.equal({ found: [], left: [] });
    expect(await auditLagSeconds()).to.be.above(0);
    const auditEntries = () => inTransaction(tx => checkEntries([company.companyId], tx));
    expect(await auditEntries()).to.deep.equal({ found: [], left: [] });
    expect(await auditLagSeconds()).to.be.above(0);
    const auditFeed = () => inTransaction(tx => checkFeed([company.companyId], tx));
    expect(await auditFeed()).to.deep.equal({ found: [], left: [] });
    expect(await auditLagSeconds()).to.equal(0);
    const breakOld =
      "UPDATE invoices SET total = total + 1 WHERE company_id = $1 AND status = 'open'";
    const found = await findAfter(async tx => {
      await tx.client.query('SET LOCAL session_replication_role = replica');
      await tx.client.query(breakOld, [company.companyId]);
    });
    expect(found).to.deep.equal([]);
    await trade(company);
    expect(await audit()).to.deep.equal({ found: [], left: [] });
  });

  it('compares stock on hand with the last movement, not with the last new one', async () => {
    const audit = () => inTransaction(tx => checkDocuments([company.companyId], tx));
    await receive(company, { name: 'Pipe', delta: 1 });
    expect(await audit()).to.deep.equal({ found: [], left: [] });
    await target.sql('UPDATE audits SET number = 0, sale_id = 0 WHERE company_id = $1', [
      company.companyId,
    ]);
    expect(await audit()).to.deep.equal({ found: [], left: [] });
  });

  it('goes on with the companies for whose entries a step had no room', async () => {
    const [one, other] = [await makeCompany(target), await makeCompany(target)];
    for (const each of [one, other]) await addPayments(target, each, 501);
    const audit = (left: string[]) => inTransaction(tx => checkEntries(left, tx));
    const ids = [one.companyId, other.companyId].sort();
    // A step has room for 500 entries.
    expect(await audit(ids)).to.deep.equal({ found: [], left: ids });
    expect(await audit(ids)).to.deep.equal({ found: [], left: ids.slice(1) });
    expect(await audit(ids.slice(1))).to.deep.equal({ found: [], left: [] });
  });

  it('audits events in steps, and notices missing rows between and after them', async () => {
    const seller = await makeCompany(target);
    const ids = [seller.companyId];
    const audit = async () => {
      const { found, left } = await inTransaction(tx => checkFeed(ids, tx));
      return [left.length, ...found.map(({ companyId: _, ...offender }) => offender)];
    };
    /** Adds rows as an import of so many thousand rows writes them, without the row `missing`. */
    const importThousands = async (count: number, missing = 0) => {
      await target.sql(
        `WITH company AS (
           UPDATE companies SET next_event_sequence = next_event_sequence + 1000 * $2
           WHERE id = $1
           RETURNING next_event_sequence - 1000 * $2 AS next
         )
         INSERT INTO feed
         SELECT $1, next + row * 1000 - 1, next + (row - 1) * 1000, now(), stubs.text
         FROM company, generate_series(1, $2) AS row,
           (
             SELECT json_agg(json_build_array('key.created', id, NULL, '{}'::json))::text AS text
             FROM generate_series(1, 1000) AS id
           ) stubs
         WHERE row <> $3`,
        [seller.companyId, count, missing],
      );
    };
    const violation = 'the rows of a feed join without a gap up to the counter';
    await importThousands(7);
    expect(await audit()).to.deep.equal([1]);
    expect(await audit()).to.deep.equal([0]);
    await issue(seller);
    expect(await audit()).to.deep.equal([0]);
    expect(await audit()).to.deep.equal([0]);
    await importThousands(3, 2);
    const gap = { violation, sequence: '10001', sequenceBefore: '8001' };
    expect(await audit()).to.deep.equal([0, gap]);
    await importThousands(1, 1);
    const end = { violation, sequence: '11001', sequenceBefore: '10001' };
    expect(await audit()).to.deep.equal([0, end]);
    await issue(seller);
    expect(await audit()).to.deep.equal([0]);
  });

  it('compares the month of a credit note once the note is rolled up, and not before', async () => {
    const seller = await makeCompany(target);
    const ids = [seller.companyId];
    const audit = () => inTransaction(tx => checkRolledUpCredits(ids, tx));
    const reached = async () =>
      (await target.sql('SELECT credit_sequence FROM audits WHERE company_id = ANY($1)', [ids]))[0];
    await credit(seller, await issue(seller), { items: [{ line: 1, qty: 1 }] });
    expect(await audit()).to.deep.equal({ found: [], left: [] });
    expect(await reached()).to.deep.equal({ credit_sequence: '0' });
    expect(await unaudited.find()).to.include(seller.companyId);
    await refreshSummary(seller.companyId);
    await target.sql('UPDATE customer_totals SET total = 100 WHERE company_id = ANY($1)', [ids]);
    const { found } = await audit();
    expect(found).to.deep.equal([
      {
        violation: 'the customer rollup equals a recount up to its watermark',
        companyId: seller.companyId,
        month: '2026-11-01',
        customers: 100,
        invoiced: 100,
        credited: 10,
      },
    ]);
    expect(await reached()).to.deep.equal({ credit_sequence: '1' });
    expect(await audit()).to.deep.equal({ found: [], left: [] });
  });

  describe('reads the jobs of a bounded time per step:', () => {
    /** Dates the company's rows of a table an hour apart. */
    const spread = (table: string, order: string, { companyId }: TestCompany) =>
      target.sql(
        `BEGIN;
         SET LOCAL session_replication_role = replica;
         UPDATE ${table}
         SET created_at = now() - interval '1 day' + ${order} * interval '1 hour'
         WHERE company_id = '${companyId}';
         COMMIT`,
      );
    type Step = typeof checkDocuments;
    /** How far each step gets, until none is left. */
    const steps = async (check: Step, column: string, ids: string[]): Promise<string[]> => {
      const reached: string[] = [];
      for (let left = ids; left.length > 0; ) {
        ({ left } = await inTransaction(tx => check(left, tx)));
        const rows = await target.sql<{ reached: string }>(
          `SELECT ${column} AS reached FROM audits WHERE company_id = ANY($1) ORDER BY company_id`,
          [ids],
        );
        reached.push(rows.map(row => row.reached).join(' '));
      }
      return reached;
    };

    it('a step ends before invoices that were made later', async () => {
      const [one, other] = [await makeCompany(target), await makeCompany(target)];
      const [first, second] = [one, other].toSorted((a, b) => (a.companyId < b.companyId ? -1 : 1));
      await addInvoices(target, first as TestCompany, 3);
      await addInvoices(target, second as TestCompany, 2);
      await spread('invoices', 'number', first as TestCompany);
      await spread('invoices', '(number + 1)', second as TestCompany);
      const ids = [first, second].map(company => company?.companyId ?? '');
      expect(await steps(checkDocuments, 'number', ids)).to.deep.equal(['1 0', '2 1', '3 2']);
    });

    it('a step ends before adjustments that were made later', async () => {
      const seller = await makeCompany(target);
      for (const delta of [3, 4]) await receive(seller, { name: 'Pipe', delta });
      await spread('adjustments', 'stock_version', seller);
      const reached = await steps(checkDocuments, 'stock_version', [seller.companyId]);
      expect(reached).to.deep.equal(['1', '2']);
    });

    it('a step ends before entries that were made later', async () => {
      const payer = await makeCompany(target);
      await addPayments(target, payer, 3);
      await spread('entries', 'sequence', payer);
      const reached = await steps(checkEntries, 'entry_sequence', [payer.companyId]);
      expect(reached).to.deep.equal(['1', '2', '3']);
    });

    it('a clock that was set back stops no step', async () => {
      const seller = await makeCompany(target);
      await addInvoices(target, seller, 3);
      await spread('invoices', '-number', seller);
      expect(await steps(checkDocuments, 'number', [seller.companyId])).to.deep.equal(['3']);
    });
  });

  it('goes back an hour if the clock of Postgres was set back', async () => {
    const warnings: string[] = [];
    const log = { warn: (_: unknown, text: string) => void warnings.push(text) };
    let found: readonly Violation[] = [];
    const audit = async () => {
      for (let isDone = false; !isDone; ) {
        const step = await inTransaction(tx => auditJobs(log as never, tx));
        found = [...found, ...step.found];
        isDone = step.isDone;
      }
    };
    await target.sql("UPDATE audited_jobs SET until = now() + interval '1 day'");
    await target.sql(
      `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id,
         result_id, finished_at)
       SELECT $1, id, 'invoice.create', 'succeeded', sha256('x'), id, 'lost', id,
         now() - interval '1 minute'
       FROM gen_random_uuid() AS id`,
      [company.companyId],
    );
    await audit();
    expect(warnings).to.have.length(1);
    expect(found.map(({ violation }) => violation)).to.deep.equal([
      'a job that succeeded has exactly its result',
    ]);
    await audit();
    expect(warnings).to.have.length(1);
    await target.sql("DELETE FROM jobs WHERE request_id = 'lost'");
  });
});

describe('the audit', () => {
  let stack: Processes;

  before(async () => {
    stack = await makeProcesses('postgres');
  });

  const auditCheck = async () => (await send(stack.baseUrl, 'GET', '/readyz')).body.checks.audit;

  it('reports a violation in /readyz, the log and the metrics, and goes on', async () => {
    const company = await makeCompany(stack);
    await trade(company);
    expect(await auditCheck()).to.equal('ok');
    await stack.sql('ALTER TABLE items DISABLE TRIGGER USER');
    await stack.sql('UPDATE items SET on_hand = 100 WHERE company_id = $1', [company.companyId]);
    await stack.sql('ALTER TABLE items ENABLE TRIGGER USER');
    const sale = invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] });
    expect((await company.post('/invoices', sale)).status).to.equal(201);
    await until(
      'the violation shows',
      async () => (await auditCheck()) === 'violations',
      REPORTED_MS,
    );
    const { status } = await send(stack.baseUrl, 'GET', '/readyz');
    expect(status).to.equal(200);
    // The steps of the audit report one after the other.
    await until('the log has it', async () =>
      stack.scheduler.output().includes('each movement carries the balance after it'),
    );
    const [audited] = await stack.sql('SELECT number FROM audits WHERE company_id = $1', [
      company.companyId,
    ]);
    expect(audited).to.deep.equal({ number: '3' });
    const token = { authorization: `Bearer ${stack.env.METRICS_TOKEN}` };
    await until(
      'the metric counts it',
      async () => {
        const { text } = await send(stack.baseUrl, 'GET', '/metrics', { headers: token });
        return /tradepost_audit_violations_total\{.*balance after it.* 1/u.test(text);
      },
      REPORTED_MS,
    );
  });

  it('stops between two steps of a backlog, and logs each violation once per step', async () => {
    const company = await makeCompany(stack);
    const output = () => stack.scheduler.output();
    const first = output().length;
    // A step that has written its progress shows a lock of its own, and waits for the gate. Each
    // step updates its progress once, and other columns as often as it likes.
    await stack.sql(
      `CREATE TABLE gate AS SELECT true AS closed;
       CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         PERFORM pg_advisory_xact_lock_shared(${GATE}, CAST(CAST(TG_RELID AS text) AS integer));
         WHILE EXISTS (SELECT FROM gate) LOOP PERFORM pg_sleep(0.01); END LOOP;
         -- A slow host takes a moment to tell all its sweeps to stop.
         PERFORM pg_sleep(1);
         RETURN NEW;
       END $$`,
    );
    for (const progress of ['watermark ON summaries', 'number ON audits'])
      await stack.sql(
        `CREATE TRIGGER wait_at_gate BEFORE UPDATE OF ${progress}
         FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`,
      );
    // Each of them lacks its lines.
    await addInvoices(stack, company, BACKLOG);
    await until('a step of each sweep is at the gate', async () => {
      const [row] = await stack.sql<{ waiting: string }>(
        `SELECT count(DISTINCT objid) AS waiting FROM pg_locks
         WHERE locktype = 'advisory' AND classid = $1`,
        [GATE],
      );
      return row?.waiting === '2';
    });
    const stopped = stack.scheduler.stop();
    await until('it stops', async () => output().slice(first).includes('"msg":"stopping"'));
    await stack.sql('DELETE FROM gate');
    expect(await stopped).to.equal(0);
    const [progress] = await stack.sql<{ rolledUp: number; audited: number }>(
      `SELECT watermark::int AS "rolledUp", number::int AS audited
       FROM summaries JOIN audits USING (company_id) WHERE company_id = $1`,
      [company.companyId],
    );
    const { rolledUp = 0, audited = 0 } = progress ?? {};
    expect(rolledUp).to.be.within(1, BACKLOG - 1);
    expect(audited).to.be.within(1, BACKLOG - 1);
    const lines = output().slice(first).split('an invariant is violated').slice(1);
    expect(lines.length).to.be.within(1, (BROKEN_INVARIANTS * audited) / INVOICES_PER_STEP);
  });
});
