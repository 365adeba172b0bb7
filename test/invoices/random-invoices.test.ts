// Random invoices with tax and discounts, in currencies with 0, 2 and 3 decimals: their figures add
// up, and what is stored violates no invariant.
import { expect } from 'chai';
import fc from 'fast-check';
import { STORED_INVOICE, type StoredInvoice } from '../../src/invoices/issued/stored-invoice.js';
import { toUnits } from '../../src/platform/values/money.js';
import { checkContents } from '../../src/verify/invoice-contents.js';
import type { Json } from '../support/client.js';
import { makeCompany } from '../support/factories.js';
import { describeMode } from '../support/suite.js';
import { casesOf } from '../support/tier.js';

const SEED = 20261123;
const INVOICES = casesOf(100);
const CURRENCIES = { JPY: 0, EUR: 2, KWD: 3 } as const;

const decimal = (max: number, decimals = 4) =>
  fc.integer({ min: 1, max: max * 10 ** decimals }).map(units => units / 10 ** decimals);
const discount = (decimals: number) =>
  fc.oneof(
    fc.record({ percent: decimal(100) }),
    fc.record({ amount: decimal(decimals === 0 ? 3 : 1, decimals) }),
  );
const line = (decimals: number) =>
  fc.record(
    {
      name: fc.constant('Service'),
      qty: decimal(50),
      price: decimal(200),
      taxRate: fc.constantFrom(0, 5.5, 7, 8.1, 19, 100),
      discount: discount(decimals),
    },
    { requiredKeys: ['name', 'qty', 'price', 'taxRate'] },
  );
const request = (decimals: number) =>
  fc.record(
    {
      customerName: fc.constant('Castle'),
      date: fc.constant('2026-11-20'),
      items: fc.array(line(decimals), { minLength: 1, maxLength: 12 }),
      discount: discount(decimals),
    },
    { requiredKeys: ['customerName', 'date', 'items'] },
  );

/** The sum of a field, in ten-thousandths. */
const sum = (rows: readonly Json[], field: string): bigint =>
  rows.reduce((total: bigint, row: Json) => total + toUnits(row[field]), 0n);

describeMode('postgres', 'random invoices', stack => {
  for (const [currency, decimals] of Object.entries(CURRENCIES)) {
    it(`in ${currency} add up, and violate no invariant`, async () => {
      const company = await makeCompany(stack(), { currency });
      const invoices = fc.sample(request(decimals), { seed: SEED, numRuns: INVOICES });
      const { status, body } = await company.post('/invoices/batch', { invoices });
      expect(status).to.equal(200);
      const created: Json[] = [];
      for (const { status: each, invoice, problem } of body.results) {
        if (each === 201) created.push(invoice);
        // An amount may exceed what it reduces.
        else expect(problem.errors.map(({ code }: Json) => code)).to.include('too_large');
      }
      expect(created.length).to.be.above(INVOICES / 2);
      for (const invoice of created) {
        const { items, taxes, subtotal, taxTotal, total } = invoice;
        const reduction = toUnits(invoice.discount?.amount ?? 0);
        expect(sum(items, 'amount') - reduction).to.equal(toUnits(subtotal));
        expect(sum(taxes, 'base')).to.equal(toUnits(subtotal));
        expect(sum(taxes, 'amount')).to.equal(toUnits(taxTotal));
        expect(toUnits(subtotal) + toUnits(taxTotal)).to.equal(toUnits(total));
      }
      const stored = await stack().sql<StoredInvoice>(
        `SELECT ${STORED_INVOICE}
         FROM (
           SELECT i.*, c.currency AS company_currency
           FROM invoices i
           JOIN companies c ON c.id = i.company_id
           WHERE c.id = $1
         ) i`,
        [company.companyId],
      );
      expect(stored).to.have.length(created.length);
      expect(stored.flatMap(row => checkContents(row).violations)).to.deep.equal([]);
    });
  }
});
