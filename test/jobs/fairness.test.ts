// A company that sends much valid work delays others by about a batch, not by its backlog. Counts
// the writes that come first, since times depend on the machine.
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { inBothModes } from '../support/suite.js';

const REQUESTS = 24;
const INVOICES = 100;
/** Writes of the flood that come first: its share of the queue (500), and batches in flight. */
const MAX_BEFORE = 1_000;
const BYSTANDER_WRITES = 8;

inBothModes('beside a company that floods the queue', stack => {
  const lines = Array.from({ length: 5 }, (_, at) => ({ name: `Line ${at}`, qty: 1, price: 2 }));
  const batch = { invoices: Array(INVOICES).fill(invoiceRequest({ items: lines })) };

  const flood = (company: TestCompany, headers: Record<string, string>) =>
    Promise.all(
      Array.from({ length: REQUESTS }, () => company.post('/invoices/batch', batch, { headers })),
    );
  const settled = async ({ companyId }: TestCompany): Promise<number> => {
    const [row] = await stack().sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM jobs WHERE company_id = $1 AND status <> 'queued'`,
      [companyId],
    );
    return row?.count ?? 0;
  };

  /** How many of the flood's writes were settled while each of the others' waited. */
  const countBefore = async (flooding: TestCompany, bystander: TestCompany): Promise<number[]> => {
    const rows = await stack().sql<{ before: number }>(
      `SELECT (
         SELECT count(*)::int
         FROM jobs
         WHERE company_id = $1 AND finished_at BETWEEN j.created_at AND j.finished_at
       ) AS before
       FROM jobs j
       WHERE company_id = $2`,
      [flooding.companyId, bystander.companyId],
    );
    return rows.map(({ before }) => before);
  };

  for (const [how, headers] of [
    ['that wait', {}],
    ['with respond-async', { prefer: 'respond-async' }],
  ] as const)
    it(`settles another company's writes before most of a flood of requests ${how}`, async () => {
      const [flooding, bystander] = [await makeCompany(stack()), await makeCompany(stack())];
      const answering = flood(flooding, headers);
      await until('the flood is settled in part', async () => (await settled(flooding)) > 0);
      const atFirst = await settled(flooding);
      for (let at = 0; at < BYSTANDER_WRITES; at += 1) {
        const { status } = await bystander.post('/invoices', invoiceRequest(), { headers });
        expect(status).to.equal('prefer' in headers ? 202 : 201);
      }
      await until(
        "the bystander's writes are settled",
        async () => (await settled(bystander)) === BYSTANDER_WRITES,
      );
      const results = (await answering).flatMap(({ body }) => body.results);
      expect(results.filter(({ status }: Json) => status !== 201 && status !== 202)).to.deep.equal(
        [],
      );
      await until('the flood is settled', async () => (await settled(flooding)) === results.length);
      const before = await countBefore(flooding, bystander);
      expect(Math.max(...before), JSON.stringify(before)).to.be.below(MAX_BEFORE);
      // Otherwise the test has shown nothing.
      expect(atFirst).to.be.below(results.length - 1.2 * MAX_BEFORE);
    });
});
