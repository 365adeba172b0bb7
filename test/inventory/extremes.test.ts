// Stock at both ends of its range: each request that the schema accepts is carried out or refused
// with a documented code. None fails by an internal error.
import { expect } from 'chai';
import fc from 'fast-check';
import { invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { describeMode } from '../support/suite.js';
import { casesOf } from '../support/tier.js';

const MOST = 99_999_999_999.9999;
/** The most that one entry can add or count. */
const STEP = 1_000_000_000;
const REFUSALS = ['insufficient_stock', 'stock_conflict', 'validation_failed'];
const SEED = 20_261_122;
const RUNS = casesOf(60);

/** The entries that bring a new item to this end of the range. */
function entriesTo(name: string, sign: 1 | -1): object[] {
  const entries = Array.from({ length: 99 }, () => ({ name, delta: sign * STEP }));
  return [...entries, { name, delta: sign * 999_999_999.9999 }];
}

describeMode('postgres', 'stock at the ends of its range', stack => {
  const adjust = (company: TestCompany, reason: string, ...items: object[]) =>
    company.post('/inventory/adjustments', { reason, items });

  it('refuses a count that would change it by more than a movement can', async () => {
    const company = await makeCompany(stack(), { allowNegativeStock: true });
    for (const sign of [1, -1] as const) {
      const name = `End ${sign}`;
      expect((await adjust(company, 'received', ...entriesTo(name, sign))).status).to.equal(201);
      const { status, body } = await adjust(company, 'count', { name, count: -sign * STEP });
      expect([status, body.code, body.errors?.[0]?.code]).to.deep.equal([
        422,
        'validation_failed',
        'too_large',
      ]);
      expect((await adjust(company, 'count', { name, count: sign * STEP })).status).to.equal(201);
    }
  });

  it('posts or refuses whatever the schema accepts', async () => {
    const companies = await Promise.all(
      [true, false].map(allowNegativeStock => makeCompany(stack(), { allowNegativeStock })),
    );
    const quantity = fc.oneof(
      fc.constantFrom(STEP, -STEP, 999_999_999.9999, -999_999_999.9999, 0.0001, -0.0001, 0),
      fc.integer({ min: -STEP, max: STEP }),
    );
    const detail = fc.record(
      {
        unitCost: fc.constantFrom(0, 0.0001, 999_999_999.9999),
        reorderPoint: fc.constantFrom(0, STEP),
        expectedOnHand: fc.constantFrom(undefined, undefined, MOST, -MOST),
      },
      { requiredKeys: [] },
    );
    const entry = fc
      .tuple(fc.constantFrom('delta', 'count'), quantity, detail)
      .map(([field, value, details]) => ({ [field]: value, ...details }));
    const adjustment = fc.record({
      reason: fc.constantFrom('received', 'count', 'correction', 'lost'),
      entries: fc.array(entry, { minLength: 1, maxLength: 2 }),
    });
    const invoice = fc.array(
      fc.record({
        qty: fc.constantFrom(0.0001, 1, 999_999.9999, 1_000_000),
        price: fc.constantFrom(0, 0.0001, 1, 100_000, 999_999_999.9999),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const start = fc.constantFrom<1 | -1 | 0>(1, -1, -1, 0);
    let made = 0;
    const property = fc.asyncProperty(
      fc.constantFrom(...companies),
      start,
      fc.array(fc.oneof(adjustment, invoice), { minLength: 1, maxLength: 4 }),
      async (company, sign, requests) => {
        made += 1;
        const name = `Item ${made}`;
        if (sign !== 0) await adjust(company, 'received', ...entriesTo(name, sign));
        for (const request of requests) {
          const { status, body } = Array.isArray(request)
            ? await company.post(
                '/invoices',
                invoiceRequest({ items: request.map(line => ({ name, ...line })) }),
              )
            : await adjust(
                company,
                request.reason,
                ...request.entries.map(values => ({ name, ...values })),
              );
          if (status !== 201) expect(REFUSALS, JSON.stringify(body)).to.include(body.code);
        }
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
    const failed = await stack().sql(
      `SELECT error FROM jobs
       WHERE company_id = ANY($1) AND (attempts > 0 OR (error->>'status')::int >= 500)`,
      [companies.map(({ companyId }) => companyId)],
    );
    expect(failed).to.deep.equal([]);
  });
});
