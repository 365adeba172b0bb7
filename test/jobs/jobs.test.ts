// GET /jobs/{id}, and submissions that always fail.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { runAdmin } from '../support/commands.js';
import { addKey, invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { describeMode, type Stack } from '../support/suite.js';

/** Persists a job as the web process does, and returns its id. */
async function persistJob(
  stack: Stack,
  company: TestCompany,
  type: string,
  payload: unknown,
): Promise<string> {
  const id = uuidv7();
  await stack.sql(
    `INSERT INTO jobs (
       company_id, id, type, status, fingerprint, submission_id, request_id, payload, run_at
     )
     VALUES ($1, $2, $3, 'queued', $4, $5, 'persisted', $6, now() + interval '100 milliseconds')`,
    [company.companyId, id, type, Buffer.alloc(32), uuidv7(), JSON.stringify(payload)],
  );
  return id;
}

describeMode('postgres', 'reading a job', stack => {
  it('requires the read scope of the resource that the job writes', async () => {
    const company = await makeCompany(stack());
    const invoice = await company.post('/invoices', invoiceRequest(), {
      headers: { prefer: 'respond-async' },
    });
    const adjustment = await company.post(
      '/inventory/adjustments',
      { reason: 'received', items: [{ name: 'Pipe', delta: 1 }] },
      { headers: { prefer: 'respond-async' } },
    );
    const reading = async (scope: string, id: string) => {
      const { key } = await addKey(stack(), company.companyId, [scope]);
      const { status, body } = await company.get(`/jobs/${id}`, { key });
      return status === 403 ? body.requiredScope : status;
    };
    expect(await reading('invoices:read', invoice.body.id)).to.equal(200);
    expect(await reading('inventory:read', invoice.body.id)).to.equal('invoices:read');
    expect(await reading('inventory:read', adjustment.body.id)).to.equal(200);
    expect(await reading('invoices:read', adjustment.body.id)).to.equal('inventory:read');
  });

  it("answers another company's job exactly as a missing one", async () => {
    const [one, other] = [await makeCompany(stack()), await makeCompany(stack())];
    const { body } = await one.post('/invoices', invoiceRequest(), {
      headers: { prefer: 'respond-async' },
    });
    const missing = uuidv7();
    const texts = await Promise.all(
      [body.id, missing].map(async id => {
        const { status, text } = await other.get(`/jobs/${id}`, {
          headers: { 'x-request-id': 'same' },
        });
        expect(status).to.equal(404);
        return text.replaceAll(id, 'ID');
      }),
    );
    expect(texts[0]).to.equal(texts[1]);
    for (const id of ['1', 'x', `${missing}0`, '%00', missing.replaceAll('-', '')]) {
      expect((await one.get(`/jobs/${id}`)).body.code, id).to.equal('not_found');
    }
    expect((await one.get(`/jobs/${body.id.toUpperCase()}`)).status).to.equal(200);
  });
});

describeMode('postgres', 'a submission that always fails', stack => {
  it('fails a poison write alone after 5 attempts; an operator can retry it', async () => {
    const company = await makeCompany(stack());
    const before = await Promise.all(
      [1, 2].map(() => persistJob(stack(), company, 'invoice.create', invoiceRequest())),
    );
    const broken = await persistJob(stack(), company, 'invoice.create', {
      customerName: 'No items',
      date: '2026-11-20',
    });
    const after = await Promise.all(
      [1, 2].map(() => persistJob(stack(), company, 'invoice.create', invoiceRequest())),
    );
    const job = async (id: string): Promise<Json> => (await company.get(`/jobs/${id}`)).body;

    await until('the broken job failed', async () => {
      await stack().sql(
        "UPDATE jobs SET run_at = now() WHERE company_id = $1 AND id = $2 AND status = 'queued'",
        [company.companyId, broken],
      );
      return (await job(broken)).status === 'failed';
    });
    const failed = await job(broken);
    expect(failed).to.deep.include({ result: null, requestId: 'persisted' });
    expect(failed.error).to.include({ status: 500, code: 'internal_error' });
    expect(JSON.stringify(failed)).not.to.match(/TypeError|undefined|payload/u);
    for (const id of [...before, ...after]) expect((await job(id)).status).to.equal('succeeded');
    const numbers = (await company.get('/invoices')).body.map(({ number }: Json) => number);
    expect(numbers.sort()).to.deep.equal(['INV-000001', 'INV-000002', 'INV-000003', 'INV-000004']);

    const listed = await runAdmin(
      stack(),
      'jobs',
      'list',
      '--status',
      'failed',
      '--company',
      company.companyId,
    );
    expect(listed).to.have.length(1);
    expect(listed[0]).to.include({ jobId: broken, status: 'failed', attempts: 5 });
    await stack().sql('UPDATE jobs SET payload = $3 WHERE company_id = $1 AND id = $2', [
      company.companyId,
      broken,
      invoiceRequest(),
    ]);
    expect(await runAdmin(stack(), 'jobs', 'retry', '--job', broken)).to.include({
      jobId: broken,
      status: 'queued',
    });
    await until('the job succeeded', async () => (await job(broken)).status === 'succeeded');
    expect((await company.get('/invoices')).body).to.have.length(5);
  });
});
