// invoice.overdue: once per invoice, from the sweep of the scheduler.
import { expect } from 'chai';
import { announceOverdue } from '../../src/events/overdue.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import type { Json } from '../support/client.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { expectCompleteFeed, readFeed } from '../support/feed.js';
import { issue, pay } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode, openForTests } from '../support/suite.js';

const PAST = { date: '2026-01-01', dueDate: '2026-01-31' };

async function overdue(company: TestCompany): Promise<string[]> {
  const events = await readFeed(company, 'types=invoice.overdue');
  return events.map(({ data }: Json) => data.id);
}

describeMode('postgres', 'invoice.overdue', stack => {
  before(() => openForTests(stack().databaseUrl, 2));
  after(closeDatabase);

  /** A company whose feed begins now, after what it has: as the migration leaves it. */
  const beginFeed = ({ companyId }: TestCompany, day = 'now()::date') =>
    stack().sql(
      `INSERT INTO overdue_progress
       SELECT id, ${day}, next_invoice_number - 1, next_entry_sequence - 1,
         ${day}, next_invoice_number - 1, next_entry_sequence - 1
       FROM companies
       WHERE id = $1
       ON CONFLICT (company_id) DO UPDATE SET (
           day, invoice_number, entry_sequence,
           first_day, first_invoice_number, first_entry_sequence
         ) = (
           excluded.day, excluded.invoice_number, excluded.entry_sequence,
           excluded.first_day, excluded.first_invoice_number, excluded.first_entry_sequence
         )`,
      [companyId],
    );

  it('comes from the scheduler within a minute, with the invoice as it is', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, PAST);
    await pay(company, 10, [invoice]);
    await until('the event', async () => (await overdue(company)).length > 0, 60_000);
    const [event] = await readFeed(company, 'types=invoice.overdue');
    expect(event.actor).to.equal(null);
    expect(event.data).to.deep.equal((await company.get(`/invoices/${invoice.id}`)).body);
    await expectCompleteFeed(stack(), company);
  });

  it('comes once, whatever happens to the invoice', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, PAST);
    await announceOverdue(company.companyId);
    const { id } = await pay(company, 100, [invoice]);
    await company.post(`/payments/${id}/reversal`, { date: '2026-11-25' });
    await announceOverdue(company.companyId);
    await announceOverdue(company.companyId);
    expect(await overdue(company)).to.deep.equal([invoice.id]);
  });

  it('needs a due date that has passed and money that is due', async () => {
    const company = await makeCompany(stack());
    await issue(company, { date: '2026-01-01' });
    await issue(company, { date: '2026-01-01', dueDate: '2099-01-01' });
    const paid = await issue(company, PAST);
    await pay(company, 100, [paid]);
    const voided = await issue(company, PAST);
    await company.post(`/invoices/${voided.id}/void`, {});
    await announceOverdue(company.companyId);
    expect(await overdue(company)).to.deep.equal([]);
  });

  it('comes when the due date passes, and when a reversal opens an invoice again', async () => {
    const company = await makeCompany(stack());
    const early = await issue(company, PAST);
    const paid = await issue(company, { ...PAST, dueDate: '2026-02-10' });
    const { id } = await pay(company, 100, [paid]);
    const late = await issue(company, { ...PAST, dueDate: '2026-02-20' });
    // The feed began on a day on which one of them was overdue.
    await beginFeed(company, "'2026-02-15'::date");
    await announceOverdue(company.companyId);
    expect(await overdue(company)).to.deep.equal([late.id]);
    await company.post(`/payments/${id}/reversal`, { date: '2026-11-25' });
    await announceOverdue(company.companyId);
    expect(await overdue(company)).to.deep.equal([late.id, paid.id]);
    expect(await overdue(company)).not.to.include(early.id);
  });

  it('never comes for what was overdue when the feed began', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, PAST);
    const part = await pay(company, 30, [invoice]);
    await beginFeed(company);
    await company.post(`/payments/${part.id}/reversal`, { date: '2026-11-25' });
    const whole = await pay(company, 100, [invoice]);
    await company.post(`/payments/${whole.id}/reversal`, { date: '2026-11-26' });
    await announceOverdue(company.companyId);
    expect(await overdue(company)).to.deep.equal([]);
  });

  it('comes for more invoices than one step announces', async () => {
    const company = await makeCompany(stack());
    const items = [{ name: 'Work', qty: 1, price: 1 }];
    const invoices = Array.from({ length: 100 }, () => ({ customerName: 'Ada', ...PAST, items }));
    for (let batch = 0; batch < 6; batch += 1) await company.post('/invoices/batch', { invoices });
    await announceOverdue(company.companyId);
    expect(new Set(await overdue(company)).size).to.equal(600);
  });
});
