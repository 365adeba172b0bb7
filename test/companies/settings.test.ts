// A company's settings: which values are valid, and which can't change later.
import { expect } from 'chai';
import pg from 'pg';
import { createCompany } from '../../src/companies/service.js';
import { updateSettings } from '../../src/customer-records/settings.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { refreshSummary } from '../../src/summary/refresh.js';
import { makeCustomer } from '../support/customers.js';
import { makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { describeMode, openForTests } from '../support/suite.js';

/** The code of the problem that refused the change, or `accepted`. */
const outcomeOf = async (change: Promise<unknown>): Promise<string> =>
  change.then(
    () => 'accepted',
    (error: { code?: string }) => error.code ?? String(error),
  );

describeMode('postgres', 'a company', stack => {
  before(() => {
    openForTests(stack().databaseUrl, 4);
  });
  after(closeDatabase);

  it('has USD, UTC and the default rate limit unless specified', async () => {
    const company = await createCompany({ name: 'N' });
    expect(company.toJSON()).to.deep.include({
      name: 'N',
      currency: 'USD',
      timeZone: 'UTC',
      rateLimitPerHour: null,
    });
  });

  it('accepts ISO 4217 currencies and time zones that both Node and Postgres know', async () => {
    for (const currency of ['JPY', 'KWD', 'EUR'])
      expect(await outcomeOf(createCompany({ name: 'N', currency }))).to.equal('accepted');
    for (const currency of ['usd', 'XYZ', ''])
      expect(await outcomeOf(createCompany({ name: 'N', currency }))).to.equal('validation_failed');
    for (const timeZone of ['Pacific/Kiritimati', 'America/Argentina/Buenos_Aires', 'UTC']) {
      const company = await createCompany({ name: 'N', timeZone });
      expect(await refreshSummary(company.id), timeZone).to.include(timeZone);
    }
    for (const timeZone of ['Berlin', 'europe/berlin', '+02:00', 'localtime', 'posix/UTC', "x'y"]) {
      expect(await outcomeOf(createCompany({ name: 'N', timeZone })), timeZone).to.equal(
        'validation_failed',
      );
    }
  });

  it('has a name of 1 to 255 characters and a rate limit of at least one', async () => {
    for (const name of ['', '  ', 'x'.repeat(256), 'a\u0000b'])
      expect(await outcomeOf(createCompany({ name }))).to.equal('validation_failed');
    expect((await createCompany({ name: '😀'.repeat(255) })).name).to.have.length(510);
    for (const rateLimitPerHour of [0, -1, 1.5, 1e9]) {
      expect(await outcomeOf(createCompany({ name: 'N', rateLimitPerHour }))).to.equal(
        'validation_failed',
      );
    }
  });

  it('keeps its currency once there is an invoice, even if both happen at once', async () => {
    const company = await makeCompany(stack());
    const client = new pg.Client({ connectionString: stack().databaseUrl });
    await client.connect();
    // The currency change locks the company's row after the worker has read USD and before it takes
    // an invoice number.
    await client.query('BEGIN');
    await client.query(`UPDATE companies SET currency = 'JPY' WHERE id = $1`, [company.companyId]);
    const invoice = {
      customerName: 'Castle',
      date: '2026-11-20',
      items: [{ name: 'Work', qty: 1, price: 10.5 }],
    };
    const answer = company.post('/invoices', invoice);
    await until('the worker waits for the row', async () => {
      const waiting = await stack().sql(
        `SELECT
         FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND query LIKE '%next_invoice_number%'
           AND datname = current_database()`,
      );
      return waiting.length > 0;
    });
    await client.query('COMMIT');
    await client.end();
    // The invoice was checked in USD, so the worker refuses it, and the next one is in JPY.
    expect((await answer).body).to.include({ status: 409, code: 'invalid_state' });
    const next = { ...invoice, items: [{ name: 'Work', qty: 1, price: 10.5 }] };
    await until('web reads the new currency', async () => {
      const { body } = await company.post('/invoices', next);
      return body.currency === 'JPY' && body.total === 11;
    });
    expect(await outcomeOf(updateSettings(company.companyId, { currency: 'USD' }))).to.equal(
      'validation_failed',
    );
    expect(
      await outcomeOf(updateSettings(company.companyId, { currency: 'JPY', name: 'M' })),
    ).to.equal('accepted');
  });

  it('takes no currency that has fewer decimals than a credit limit', async () => {
    const company = await makeCompany(stack());
    const { companyId } = company;
    const cut = await makeCustomer(company, { name: 'Castle', creditLimit: 10.55 });
    const merged = await makeCustomer(company, { name: 'Moat', creditLimit: 0.5 });
    await makeCustomer(company, { name: 'Tower', creditLimit: 100 });
    await company.post(`/customers/${cut.id}/merge`, { customerId: merged.id });
    const change = (currency: string) => outcomeOf(updateSettings(companyId, { currency }));
    expect(await change('KWD')).to.equal('accepted');
    expect(await change('JPY')).to.equal('validation_failed');
    const { body } = await company.get(`/customers/${cut.id}`);
    expect(body).to.include({ currency: 'KWD', creditLimit: 10.55 });
    await company.patch(`/customers/${cut.id}`, { creditLimit: 11 });
    expect(await change('JPY')).to.equal('accepted');
  });
});
