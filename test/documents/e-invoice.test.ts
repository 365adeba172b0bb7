// Electronic invoices: their rules, their amounts, and the schema of CII.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Profile } from '../../src/companies/profile/profile.js';
import type { CustomerRecord } from '../../src/customers/record.js';
import { brokenRules, checkDocument } from '../../src/documents/e-invoice/check.js';
import { ciiOf } from '../../src/documents/e-invoice/cii.js';
import { LIMITS, RULES } from '../../src/documents/e-invoice/rules.js';
import { type EInvoice, eInvoiceOf, withDecimals } from '../../src/documents/e-invoice/semantic.js';
import { ublOf } from '../../src/documents/e-invoice/ubl.js';
import { element, xmlOf } from '../../src/documents/e-invoice/xml.js';
import {
  anySample,
  creditNoteOf,
  invoiceData,
  PROFILE,
  RECORD,
  sampleDocument,
  sampleLine,
} from '../support/documents.js';
import { ROOT } from '../support/processes.js';
import { requireProgram } from '../support/programs.js';

const taxedAs = (category: string, rate = 0n) => ({
  lines: [sampleLine('Pump', null, 10_000n, 1_000_000n, null, category, rate)],
});
const seller = (changes: Partial<Profile>) => ({ profile: { ...PROFILE, ...changes } });
const buyer = (changes: Partial<CustomerRecord>) => ({ record: { ...RECORD, ...changes } });
const NO_NUMBERS = { taxId: null, taxNumber: null };
const NO_ADDRESS = { address: null, deliveryAddress: null };
const noCountry = (invoice: EInvoice, side: 'seller' | 'buyer'): EInvoice => {
  const { address } = invoice[side];
  return {
    ...invoice,
    [side]: { ...invoice[side], address: address && { ...address, country: '' } },
  };
};

/** For each rule, an invoice that breaks it alone. */
const BROKEN: readonly (readonly [rule: string, pointer: string, invoice: EInvoice])[] = [
  ['BR-08', '/company/address', eInvoiceOf(sampleDocument({}, seller({ address: null })))],
  ['BR-09', '/company/address/country', noCountry(eInvoiceOf(sampleDocument()), 'seller')],
  [
    'BR-CO-26',
    '/company/taxNumber',
    eInvoiceOf(sampleDocument(taxedAs('O'), seller({ registrationId: null, taxNumber: null }))),
  ],
  ...[['S', 190_000n] as const, ['Z', 0n] as const, ['E', 0n] as const, ['AE', 0n] as const].map(
    ([category, rate]) =>
      [
        `BR-${category}-02`,
        '/company/taxId',
        eInvoiceOf(sampleDocument(taxedAs(category, rate), seller(NO_NUMBERS))),
      ] as const,
  ),
  [
    'BR-IC-02',
    '/company/taxId',
    eInvoiceOf(sampleDocument(taxedAs('K'), seller({ taxId: '123456' }))),
  ],
  ['BR-G-02', '/company/taxId', eInvoiceOf(sampleDocument(taxedAs('G'), seller(NO_NUMBERS)))],
  ['BR-10', '/customer/address', eInvoiceOf(sampleDocument({}, buyer(NO_ADDRESS)))],
  ['BR-11', '/customer/address/country', noCountry(eInvoiceOf(sampleDocument()), 'buyer')],
  [
    'BR-AE-02',
    '/customer/taxId',
    eInvoiceOf(sampleDocument(taxedAs('AE'), buyer({ taxId: '123', registrationId: null }))),
  ],
  ['BR-IC-02', '/customer/taxId', eInvoiceOf(sampleDocument(taxedAs('K'), buyer({ taxId: null })))],
  [
    'BR-IC-12',
    '/customer/deliveryAddress',
    { ...eInvoiceOf(sampleDocument(taxedAs('K'))), deliveryAddress: null },
  ],
  [
    'BR-E-10',
    '/company/untaxed/reason',
    eInvoiceOf(
      sampleDocument(
        { lines: [sampleLine('Pump', null, 10_000n, 10_000n, null, null)] },
        seller({ untaxed: { category: 'E', reason: null } }),
      ),
    ),
  ],
];

/** A credit note of 49 yen at 10%, whose share of the invoice's tax is `tax`. */
const sharedTax = (tax: string) => {
  const lines = [sampleLine('Pump', null, 10_000n, 490_000n, null, 'S', 100_000n)];
  const document = creditNoteOf(invoiceData({ currency: 'JPY', lines, percent: null }));
  return { ...document, taxes: document.taxes.map(group => ({ ...group, tax })) };
};

describe('the rules of an electronic invoice', () => {
  it('are all met by the sample', () => {
    expect(brokenRules(eInvoiceOf(sampleDocument()))).to.deep.equal([]);
  });

  for (const [rule, pointer, invoice] of BROKEN)
    it(`names ${pointer} for an invoice that breaks ${rule} alone`, () => {
      const found = brokenRules(invoice).map(error => [error.rule, error.pointer, error.code]);
      expect(found).to.deep.equal([[rule, pointer, 'required']]);
    });

  it('each have such an invoice', () => {
    const shown = BROKEN.map(([rule]) => rule);
    expect(shown.sort()).to.deep.equal(RULES.map(({ id }) => id).sort());
  });

  it('make documents unavailable whose data no format can express', () => {
    const dinars = checkDocument(sampleDocument({ currency: 'KWD' }));
    const tiny = checkDocument(
      sampleDocument({ lines: [sampleLine('A', null, 1_000_000n, 1_000_000n, null, 'S', 4_900n)] }),
    );
    const gone = checkDocument(sampleDocument({ currency: 'BGN' }));
    for (const { refusal, profile } of [dinars, tiny, gone, checkDocument(sharedTax('6'))]) {
      expect(refusal?.code).to.equal('document_unavailable');
      expect(profile).to.equal('plain');
    }
    expect(LIMITS).to.have.length(4);
    expect(checkDocument(sharedTax('5')).refusal).to.equal(null);
    const small = sampleDocument({
      lines: [sampleLine('A', null, 10_000n, 1_000_000n, null, 'S', 4_900n)],
    });
    expect(checkDocument(small).refusal).to.equal(null);
  });

  it('let a document without an address of the seller be made in no form', () => {
    expect(() => checkDocument(sampleDocument({}, seller({ address: null })))).to.throw(
      'A document needs your address.',
    );
  });
});

describe('an electronic invoice', () => {
  it('has no VAT numbers outside the scope of VAT, and then another identifier', () => {
    const invoice = eInvoiceOf(sampleDocument(taxedAs('O'), seller({ registrationId: null })));
    expect(invoice.seller).to.deep.include({ vatId: null, identifier: '60/123/45678' });
    expect(invoice.buyer.vatId).to.equal(null);
    expect(ublOf(invoice)).not.to.match(/<cbc:Percent>|DE123456789<\/cbc:CompanyID>/u);
    expect(ciiOf(invoice)).not.to.match(/RateApplicablePercent|schemeID="VA"/u);
  });

  it('says that goods of an intra-community supply were delivered, and where', () => {
    const parts = buyer({ deliveryAddress: null });
    const { deliveryDate, deliveryAddress } = eInvoiceOf(sampleDocument(taxedAs('K'), parts));
    expect(deliveryDate).to.equal('2026-11-22');
    expect(deliveryAddress).to.deep.equal(RECORD.address);
    expect(eInvoiceOf(sampleDocument({}, parts)).deliveryDate).to.equal(null);
  });

  it('names the invoice in a credit note, without a date or an account for a payment', () => {
    const invoice = eInvoiceOf(creditNoteOf(invoiceData()));
    expect(invoice.precedingInvoice).to.deep.equal({ number: 'INV-000042', date: '2026-11-22' });
    expect(invoice).to.deep.include({ dueDate: null, payment: null });
    expect(invoice.lines[0]).to.deep.include({ qty: '2', priceQty: '2', price: '10.88' });
    expect(invoice.lines[1]).to.deep.include({ qty: '1', priceQty: '1', price: '21.17' });
    expect(ublOf(invoice)).to.match(/<CreditNote .*<cbc:CreditNoteTypeCode>381/su);
  });

  it('writes a SIREN with its scheme, and amounts with the decimals of the currency', () => {
    const { buyer: party } = eInvoiceOf(sampleDocument());
    expect(party.registration).to.deep.equal({ id: '123456789', scheme: '0002' });
    expect(withDecimals('12.5', 2)).to.equal('12.50');
    expect(withDecimals('0', 0)).to.equal('0');
    expect(withDecimals('1e-7', 2)).to.equal('0.00');
  });

  it('takes nothing in a note for the code of a subject', () => {
    const noteIn = (note: string) => {
      const xml = ublOf({ ...eInvoiceOf(sampleDocument()), note });
      return /<cbc:Note>(.*)<\/cbc:Note>/u.exec(xml)?.[1];
    };
    expect(noteIn('Gate #12B# at noon')).to.equal('#AAI#Gate #12B# at noon');
    expect(noteIn('#REG#x')).to.equal('#AAI##REG#x');
    for (const note of ['Gate #12', '#1234# and #123#', '## #123#', 'none'])
      expect(noteIn(note)).to.equal(note);
  });

  it('escapes text, and leaves no character that XML does not allow', () => {
    const written = xmlOf(element('a', 'x < y & "z"\t\u{1f382}\uffff\u0001'));
    expect(written).to.contain('<a>x &lt; y &amp; &quot;z&quot;&#9;\u{1f382}\ufffd\ufffd</a>');
  });

  it('has the totals of its data to the cent, in UBL and in CII', () => {
    fc.assert(
      fc.property(anySample(['EUR', 'JPY']), sample => {
        const data = invoiceData(sample);
        for (const document of [sampleDocument(sample), creditNoteOf(data)]) {
          const invoice = eInvoiceOf(document);
          const total = withDecimals(String(data.invoice.total), document.decimals);
          const figures = [...ublOf(invoice).matchAll(/PayableAmount[^>]*>([\d.]+)</gu)];
          expect(figures.map(([, figure]) => figure)).to.deep.equal([total]);
          expect(ciiOf(invoice)).to.contain(`<ram:GrandTotalAmount>${total}<`);
          expectSums(invoice);
        }
      }),
      { numRuns: 100 },
    );
  });
});

/** BR-CO-10, -11, -13, -14, -15, and BR-S-08 and its like. */
function expectSums(invoice: EInvoice): void {
  const { decimals } = invoice;
  const minor = (text: string) => BigInt(text.replace('.', ''));
  const sum = (texts: readonly string[]) => texts.reduce((all, text) => all + minor(text), 0n);
  for (const text of [invoice.total, ...invoice.lines.map(({ amount }) => amount)])
    expect(text.split('.')[1]?.length ?? 0).to.equal(decimals);
  const [lines, allowances] = [minor(invoice.lineTotal), minor(invoice.allowanceTotal)];
  expect(sum(invoice.lines.map(({ amount }) => amount))).to.equal(lines);
  expect(sum(invoice.allowances.map(({ amount }) => amount))).to.equal(allowances);
  expect(lines - allowances).to.equal(minor(invoice.taxBasis));
  expect(sum(invoice.taxes.map(({ tax }) => tax))).to.equal(minor(invoice.taxTotal));
  expect(minor(invoice.taxBasis) + minor(invoice.taxTotal)).to.equal(minor(invoice.total));
  for (const { category, rate, base } of invoice.taxes) {
    const own = (each: { category: string; rate: string | null }) =>
      each.category === category && each.rate === rate;
    const amounts = sum(invoice.lines.filter(own).map(({ amount }) => amount));
    const reduced = sum(invoice.allowances.filter(own).map(({ amount }) => amount));
    expect(amounts - reduced).to.equal(minor(base));
    expect(reduced >= 0n).to.equal(true);
  }
}

describe('CII', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cii-'));
  after(() => rmSync(folder, { recursive: true }));

  it('follows the schema of Factur-X, whatever the data are', function () {
    requireProgram(this, 'xmllint');
    const at = join(ROOT, 'node_modules/@stackforge-eu/factur-x');
    const found = execFileSync('find', [at, '-name', 'FACTUR-X_EN16931.xsd']).toString();
    const [schema = ''] = found.trim().split('\n');
    const files: string[] = [];
    const write = (xml: string) => {
      const file = join(folder, `${files.length}.xml`);
      writeFileSync(file, xml);
      files.push(file);
    };
    write(ciiOf(eInvoiceOf(sampleDocument())));
    write(ciiOf(eInvoiceOf(creditNoteOf(invoiceData()))));
    for (const sample of fc.sample(anySample(['EUR', 'USD', 'JPY']), 60)) {
      write(ciiOf(eInvoiceOf(sampleDocument(sample))));
      write(ciiOf(eInvoiceOf(creditNoteOf(invoiceData(sample)))));
    }
    for (const [, , invoice] of BROKEN.slice(2, 9)) write(ciiOf(invoice));
    const { stderr, status } = spawnSync('xmllint', ['--noout', '--schema', schema, ...files], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    expect(status, stderr.replaceAll(/^.* validates\n/gmu, '').slice(0, 2_000)).to.equal(0);
  });
});
