// Effective dates: from when an entry counts in balances of a past day, whatever its own date.
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { created, credit, issue, pay } from '../support/ledger.js';
import { writeRandomBooks } from '../support/random-books.js';
import { describeMode, type Stack } from '../support/suite.js';

interface Entry {
  readonly id: string;
  readonly sequence: string;
  readonly type: string;
  readonly date: string;
  readonly effective: string;
  readonly sourceId: string | null;
  readonly invoiceId: string | null;
  readonly amount: number;
  readonly allocations: readonly Allocation[];
}

interface Allocation {
  readonly invoiceId: string;
  readonly amount: number;
  readonly effective: string;
}

const COLUMNS = `
  e.id, e.sequence, e.type, e.date::text AS date, e.effective_date::text AS effective,
  e.source_id AS "sourceId", e.invoice_id AS "invoiceId", e.amount::float AS amount,
  COALESCE((
    SELECT json_agg(json_build_object(
      'invoiceId', a.invoice_id, 'amount', a.amount, 'effective', a.effective_date
    ))
    FROM allocations a
    WHERE a.company_id = e.company_id AND a.sequence = e.sequence
  ), '[]') AS allocations`;

const entriesOf = (stack: Pick<Stack, 'sql'>, { companyId }: TestCompany) =>
  stack.sql<Entry>(`SELECT ${COLUMNS} FROM entries e WHERE company_id = $1 ORDER BY sequence`, [
    companyId,
  ]);

const latest = (dates: readonly string[]) => dates.reduce((a, b) => (a > b ? a : b), '');

/** The effective dates by their definition, in order. */
function expectedDates(entries: readonly Entry[], invoices: readonly Json[]): string[] {
  const last = new Map<string, string>(invoices.map(({ id, date }) => [id, date]));
  return entries.map(({ id, date, sourceId, invoiceId, allocations }) => {
    const ids = [sourceId ?? id, ...allocations.map(each => each.invoiceId)];
    if (invoiceId) ids.push(invoiceId);
    const effective = latest([date, ...ids.map(each => last.get(each) ?? '')]);
    for (const each of ids) last.set(each, effective);
    return effective;
  });
}

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
    const entries = await entriesOf(stack(), company);
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
    const entries = await entriesOf(stack(), company);
    expect(entries.map(({ effective }) => effective)).to.deep.equal(['2026-11-20', '2026-11-20']);
  });

  it('follows a credit note on its invoice that had nothing due', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { date: '2026-11-20' });
    const { id } = await pay(company, 100, [invoice], { date: '2026-11-21' });
    await credit(company, invoice, { date: '2026-11-28' });
    created(await company.post(`/payments/${id}/reversal`, { date: '2026-11-24' }));
    const entries = await entriesOf(stack(), company);
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
    const entries = await entriesOf(stack(), company);
    expect(entries.map(({ effective }) => effective)).to.deep.equal(
      expectedDates(entries, [invoice]),
    );
  });

  it('is filled in rows that an earlier release inserts', async () => {
    const company = await makeCompany(stack());
    const { invoices } = await writeRandomBooks(company, {
      ...{ seed: 5, invoices: 10, requests: 40 },
      names: ['Ada'],
    });
    const { companyId } = company;
    const invoice = invoices[0] as Json;
    const [source] = await stack().sql<{ id: string; date: string }>(
      `INSERT INTO entries (company_id, id, submission_id, sequence, type, date, currency,
         customer_name, customer_key, amount, body, created_at)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), 1000, 'payment', '2025-01-01', 'USD',
         'Ada', 'ada', 1, '{}', now()
       RETURNING id, effective_date::text AS date`,
      [companyId],
    );
    expect(source?.date).to.equal('2025-01-01');
    const [allocation] = await stack().sql<Json>(
      `WITH last AS (SELECT last_date_of_invoice($1, $2)::text AS last)
       INSERT INTO allocations (company_id, invoice_id, sequence, source_id, amount)
       SELECT $1, $2, 1000, $3, 1 FROM last
       RETURNING effective_date::text AS effective, source_date::text AS source,
         invoice_number::int AS number, invoice_date::text AS date, customer_key AS customer,
         (SELECT last FROM last) AS last`,
      [companyId, invoice.id, source?.id],
    );
    expect(allocation).to.deep.include({
      ...{ effective: allocation?.last, source: '2025-01-01', number: 1 },
      ...{ date: invoice.date, customer: 'ada' },
    });
    const [reversal] = await stack().sql<{ effective: string }>(
      `INSERT INTO entries (company_id, id, submission_id, sequence, type, date, currency,
         customer_name, customer_key, amount, source_id, body, created_at)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), 1001, 'reversal', '2025-01-02', 'USD',
         'Ada', 'ada', 1, $2, '{}', now()
       RETURNING effective_date::text AS effective`,
      [companyId, source?.id],
    );
    expect(reversal?.effective).to.equal(allocation?.last);
  });
});

describeMode('postgres', 'the migration that adds effective dates', stack => {
  it('fills the rows of an earlier release like the service itself', async () => {
    const company = await makeCompany(stack());
    await writeRandomBooks(company, { seed: 7, invoices: 20, requests: 80, names: ['Ada', 'Bob'] });
    const rows = async () => [
      await entriesOf(stack(), company),
      await stack().sql('SELECT * FROM allocations WHERE company_id = $1 ORDER BY 2, 3', [
        company.companyId,
      ]),
    ];
    const before = await rows();
    const path = new URL('../../../src/migrations/0021-effective-dates.sql', import.meta.url);
    const [, fill = ''] = /DO \$\$(.*?END) \$\$;/su.exec(await readFile(path, 'utf8')) ?? [];
    await stack().sql(`
      DO $do$
      BEGIN
        ALTER TABLE entries ALTER COLUMN effective_date DROP NOT NULL;
        ALTER TABLE allocations ALTER COLUMN effective_date DROP NOT NULL;
        SET LOCAL session_replication_role = replica;
        UPDATE entries SET effective_date = NULL;
        UPDATE allocations SET effective_date = NULL;
        EXECUTE $run$DO $fill$${fill}$fill$$run$;
        ALTER TABLE entries ALTER COLUMN effective_date SET NOT NULL;
        ALTER TABLE allocations ALTER COLUMN effective_date SET NOT NULL;
      END $do$`);
    expect(await rows()).to.deep.equal(before);
  });
});
