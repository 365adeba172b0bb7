// Effective dates: from when an entry counts in balances of a past day, whatever its own date.
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { type Entry, entriesOf, expectedDates } from '../support/effective-dates.js';
import { makeCompany } from '../support/factories.js';
import { created, credit, issue, pay } from '../support/ledger.js';
import { writeRandomBooks } from '../support/random-books.js';
import { describeMode } from '../support/suite.js';

/** The lowest sum of any day: of the money due on an invoice, or left of a source. */
function lowestOf(entries: readonly Entry[], invoices: readonly Json[]): number {
  const moves = new Map<string, Map<string, number>>();
  const move = (id: string, day: string, amount: number) => {
    const days = moves.get(id) ?? new Map<string, number>();
    days.set(day, (days.get(day) ?? 0) + amount);
    moves.set(id, days);
  };
  for (const { id, date, total } of invoices) move(id, date, total);
  for (const { id, type, date, effective, sourceId, amount, allocations } of entries) {
    if (sourceId === null) move(id, date, amount);
    else if (type !== 'allocation') move(sourceId, effective, -amount);
    for (const part of allocations) {
      move(part.invoiceId, part.effective, -part.amount);
      move(sourceId ?? id, part.effective, -part.amount);
    }
  }
  const lowest = [...moves.values()].flatMap(days => {
    let sum = 0;
    return [...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, amount]) => {
        sum = Math.round((sum + amount) * 100) / 100;
        return sum;
      });
  });
  return Math.min(...lowest);
}

describeMode('postgres', 'an effective date', stack => {
  const NAMES = ['Ada', 'ADA', 'Bob'];

  it('never goes back along an invoice or source, and no day is below 0', async () => {
    const company = await makeCompany(stack());
    const options = { seed: 21, invoices: 40, requests: 160, names: NAMES };
    const { invoices } = await writeRandomBooks(company, options);
    const entries = await entriesOf(stack(), company.companyId);
    expect(entries.length).to.be.above(60);
    for (const type of ['payment', 'creditNote', 'reversal', 'refund', 'allocation'])
      expect(entries.filter(entry => entry.type === type).length, type).to.be.above(2);
    expect(entries.some(({ date, effective }) => date < effective)).to.equal(true);
    expect(entries.map(({ effective }) => effective)).to.deep.equal(
      expectedDates(entries, invoices),
    );
    for (const { effective, allocations } of entries)
      for (const part of allocations) expect(part.effective).to.equal(effective);
    expect(lowestOf(entries, invoices)).to.be.at.least(0);
  });

  it('is not before the date of the invoice that an earlier payment pays', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { date: '2026-11-20' });
    const { id } = await pay(company, 100, [invoice], { date: '2026-11-10' });
    const reversal = { date: '2026-11-12' };
    created(await company.post(`/payments/${id}/reversal`, reversal));
    const entries = await entriesOf(stack(), company.companyId);
    expect(entries.map(({ effective }) => effective)).to.deep.equal(['2026-11-20', '2026-11-20']);
  });

  it('follows a credit note on its invoice that had nothing due', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { date: '2026-11-20' });
    const { id } = await pay(company, 100, [invoice], { date: '2026-11-21' });
    await credit(company, invoice, { date: '2026-11-28' });
    created(await company.post(`/payments/${id}/reversal`, { date: '2026-11-24' }));
    const entries = await entriesOf(stack(), company.companyId);
    expect(entries.at(-1)).to.include({ date: '2026-11-24', effective: '2026-11-28' });
  });

  it('follows earlier entries of the same batch', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { date: '2026-11-20' });
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        pay(company, 10, [invoice], { date: `2026-11-${28 - index}` }),
      ),
    );
    const entries = await entriesOf(stack(), company.companyId);
    expect(entries.map(({ effective }) => effective)).to.deep.equal(
      expectedDates(entries, [invoice]),
    );
  });
});
