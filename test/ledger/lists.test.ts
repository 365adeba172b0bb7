// The lists of payments, refunds and credit notes, the scopes of the endpoints, and their jobs.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { addKey, makeCompany, type TestCompany } from '../support/factories.js';
import { created, credit, creditNote, issue, pay, payment, read } from '../support/ledger.js';
import { describeMode, inBothModes } from '../support/suite.js';
import { untilSettled } from '../support/waiting-job.js';

const ids = (rows: Json[]) => rows.map(({ id }) => id);

async function allPages(company: TestCompany, path: string): Promise<Json[]> {
  const rows: Json[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const { body, headers }: Json = await company.get(next);
    rows.push(...body);
    const link: string | undefined = /<([^>]+)>/u.exec(headers.link ?? '')?.[1];
    next = link && new URL(link, 'http://any').pathname.slice('/api/external'.length);
    if (next !== undefined && link) next += new URL(link, 'http://any').search;
  }
  return rows;
}

describeMode('postgres', 'the lists of the ledger', stack => {
  it('have the newest date first, then the newest entry, in pages', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { items: [{ name: 'A', qty: 1, price: 1_000 }] });
    const made: Json[] = [];
    for (const date of ['2026-11-02', '2026-11-03', '2026-11-02', '2026-11-01'])
      made.push(await pay(company, 10, [invoice], { date }));
    const order = [1, 2, 0, 3].map(index => made[index].id);
    expect(ids(await read(company, '/payments'))).to.deep.equal(order);
    expect(ids(await allPages(company, '/payments?limit=1'))).to.deep.equal(order);
    const window = await read(company, '/payments?from=2026-11-02&to=2026-11-02');
    expect(ids(window)).to.deep.equal([made[2].id, made[0].id]);
    const { headers } = await company.get('/payments?limit=1');
    const cursor = /cursor=([^&>]+)/u.exec(String(headers.link))?.[1];
    for (const path of [`/refunds?cursor=${cursor}`, '/payments?cursor=x'])
      expect((await company.get(path)).body.code).to.equal('invalid_cursor');
    for (const path of ['/payments?limit=0', '/payments?unallocated=yes', '/refunds?invoiceId=x'])
      expect((await company.get(path)).body.code).to.equal('invalid_parameter');
    expect((await company.get('/credit-notes?externalId=x')).body.code).to.equal(
      'unknown_parameter',
    );
  });

  it('are filtered by customer, invoice, external id and what is unallocated', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const other = await issue(company, { customerName: 'Other' });
    const first = await pay(company, 60, [invoice], { externalId: 'T 1' });
    const second = await pay(company, 110, [other]);
    await company.post(`/payments/${first.id}/reversal`, { date: '2026-11-25' });
    const note = await credit(company, invoice, { items: [{ line: 1, amount: 5 }] });
    const otherNote = await credit(company, other, { items: [{ line: 1, amount: 5 }] });
    const refund = async (body: object) =>
      created(await company.post('/refunds', { date: '2026-11-26', amount: 2, ...body }));
    const ofPayment = await refund({ paymentId: second.id });
    const ofNote = await refund({ creditNoteId: otherNote.id });
    const listed = async (path: string) => ids(await read(company, path));
    expect(await listed('/payments?customerName=OTHER')).to.deep.equal([second.id]);
    expect(await listed(`/payments?invoiceId=${invoice.id}`)).to.deep.equal([first.id]);
    expect(await listed('/payments?externalId=T%201')).to.deep.equal([first.id]);
    expect(await listed('/payments?unallocated=1')).to.deep.equal([second.id]);
    expect(await listed('/payments?unallocated=0')).to.have.length(2);
    expect(await listed(`/credit-notes?invoiceId=${invoice.id}`)).to.deep.equal([note.id]);
    expect(await listed('/credit-notes?customerName=other')).to.deep.equal([otherNote.id]);
    expect(await listed(`/refunds?invoiceId=${other.id}`)).to.deep.equal([ofNote.id, ofPayment.id]);
    expect(await listed(`/refunds?invoiceId=${invoice.id}`)).to.deep.equal([]);
    expect(await listed('/refunds?customerName=Other&from=2026-11-26')).to.have.length(2);
  });

  it('show an entry at once', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { items: [{ name: 'A', qty: 1, price: 1_000 }] });
    for (let turn = 1; turn <= 10; turn += 1) {
      const { id } = await pay(company, 1, [invoice]);
      const [newest] = await read(company, '/payments?limit=1');
      expect(newest.id).to.equal(id);
      const [listed] = await read(company, '/invoices?limit=1');
      expect(listed.amountPaid).to.equal(turn);
    }
  });

  it('have nothing of another company', async () => {
    const [mine, theirs] = [await makeCompany(stack()), await makeCompany(stack())];
    const invoice = await issue(theirs);
    const { id } = await pay(theirs, 110, [invoice]);
    const note = await credit(theirs, invoice);
    const refund = created(
      await theirs.post('/refunds', { paymentId: id, amount: 1, date: '2026-11-26' }),
    );
    const records = [`/payments/${id}`, `/credit-notes/${note.id}`, `/refunds/${refund.id}`];
    for (const path of [...records, `/invoices/${invoice.id}/entries`]) {
      const { status, text } = await mine.get(path, { headers: { 'x-request-id': 'a' } });
      const missing = path.replace(/[0-9a-f-]{36}/u, uuidv7());
      const nothing = await mine.get(missing, { headers: { 'x-request-id': 'a' } });
      expect(status).to.equal(404);
      expect(text.replace(path, '')).to.equal(nothing.text.replace(missing, ''));
    }
    for (const path of ['/payments', '/credit-notes', '/refunds'])
      expect(await read(mine, path)).to.deep.equal([]);
    for (const path of [`/payments/${note.id}`, `/credit-notes/${id}`, '/refunds/x'])
      expect((await theirs.get(path)).status).to.equal(404);
  });
});

inBothModes('a write of the ledger', stack => {
  it('can be left to a job, which names its result', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const run = async (path: string, body: object) => {
      const headers = { prefer: 'respond-async' };
      const response = await company.post(path, body, { headers });
      expect(response.status).to.equal(202);
      return untilSettled(company, response.body.id);
    };
    const paid = await run('/payments', payment(120, [invoice]));
    expect(paid).to.deep.include({ type: 'payment.record', status: 'succeeded' });
    const { id, href } = paid.result;
    expect([paid.result.type, href]).to.deep.equal(['payment', `/api/external/payments/${id}`]);
    expect((await read(company, `/payments/${id}`)).unallocated).to.equal(20);
    const refunded = await run('/refunds', { paymentId: id, amount: 5, date: '2026-11-26' });
    expect(refunded.result.href).to.match(/^\/api\/external\/refunds\//u);
    const note = await run('/credit-notes', creditNote(invoice));
    expect(note.result.href).to.equal(`/api/external/credit-notes/${note.result.id}`);
    const moved = await run('/allocations', {
      paymentId: id,
      invoices: [{ invoiceId: invoice.id, amount: -10 }],
    });
    expect(moved.result).to.deep.equal(paid.result);
    const refusal = await run(`/payments/${id}/reversal`, { date: '2026-11-27' });
    expect(refusal).to.deep.include({ type: 'payment.reverse', status: 'failed', result: null });
    expect(refusal.error).to.deep.include({
      code: 'invalid_state',
      instance: `/api/external/payments/${id}/reversal`,
    });
    const voided = await run(`/invoices/${(await issue(company)).id}/void`, {});
    expect(voided).to.deep.include({ type: 'invoice.void', status: 'succeeded' });
  });
});

describeMode('postgres', 'the scopes of the ledger', stack => {
  it('are not among those of a new key, and each endpoint needs its own', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const { id } = await pay(company, 10, [invoice]);
    const v1 = [
      ...['summary:read', 'invoices:read', 'invoices:write'],
      ...['inventory:read', 'inventory:write'],
    ];
    const { key } = await addKey(stack(), company.companyId, v1);
    const needs = async (method: 'get' | 'post', path: string, scope: string) => {
      const { body } =
        method === 'get' ? await company.get(path, { key }) : await company.post(path, {}, { key });
      expect(body).to.deep.include({ code: 'insufficient_scope', requiredScope: scope });
    };
    for (const path of ['/payments', '/refunds', `/payments/${id}`, `/refunds/${id}`])
      await needs('get', path, 'payments:read');
    for (const path of ['/payments', '/refunds', '/allocations', `/payments/${id}/reversal`])
      await needs('post', path, 'payments:write');
    for (const path of ['/credit-notes', `/invoices/${invoice.id}/void`])
      await needs('post', path, 'credits:write');
    for (const path of ['/credit-notes', `/invoices/${invoice.id}/entries`])
      expect((await company.get(path, { key })).status).to.equal(200);
    const job = await company.post('/payments', payment(1, [invoice]), {
      headers: { prefer: 'respond-async' },
    });
    await needs('get', `/jobs/${job.body.id}`, 'payments:read');
  });
});
