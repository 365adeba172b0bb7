// Invoices, credit notes and statements print the customer's record, and units of the items.
import { expect } from 'chai';
import { addressLines } from '../../src/companies/parties/address-lines.js';
import { countryName } from '../../src/dashboard/customers/options.js';
import { makeCustomer } from '../support/customers.js';
import { signedIn } from '../support/dashboard.js';
import { makeCompany, receive } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { credit, issue } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const NONE = { line1: null, line2: null, line3: null, city: null, postalCode: null, region: null };
const linesOf = (given: Partial<Record<keyof typeof NONE, string>>, country: string) =>
  addressLines({ ...NONE, ...given, country }, countryName(country)).join(' / ');

describe('the lines of an address', () => {
  const parts = { line1: '1 Quay', city: 'City', region: 'RG', postalCode: '123' };

  it('are in the order of its country', () => {
    const wanted = {
      US: '1 Quay / City, RG 123 / United States',
      CA: '1 Quay / City RG 123 / Canada',
      AU: '1 Quay / City RG 123 / Australia',
      GB: '1 Quay / City / RG / 123 / United Kingdom',
      IE: '1 Quay / City / RG / 123 / Ireland',
      DE: '1 Quay / 123 City / RG / Germany',
      IT: '1 Quay / 123 City RG / Italy',
      BR: '1 Quay / City-RG / 123 / Brazil',
      IN: '1 Quay / City 123 / RG / India',
      MX: '1 Quay / 123 City, RG / Mexico',
      HU: 'City / 1 Quay / 123 / RG / Hungary',
      JP: '1 Quay / City, RG 123 / Japan',
    };
    for (const [country, lines] of Object.entries(wanted))
      expect(linesOf(parts, country)).to.equal(lines);
    const japanese = {
      line1: '丸の内1-1',
      city: '千代田区',
      region: '東京都',
      postalCode: '100-0005',
    };
    expect(linesOf(japanese, 'JP')).to.equal('100-0005 / 東京都千代田区 / 丸の内1-1 / Japan');
  });

  it('leave out what is missing, with its separators', () => {
    expect(linesOf({ city: 'Texas City', postalCode: '77590' }, 'US')).to.equal(
      'Texas City 77590 / United States',
    );
    expect(linesOf({ region: 'TX', line1: 'A', line3: 'B' }, 'US')).to.equal(
      'A / B / TX / United States',
    );
    expect(linesOf({}, 'FR')).to.equal('France');
  });
});

describeMode('postgres', 'printed documents', stack => {
  it('have the legal name, the address and the numbers of the record, and units', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    await receive(company, { name: 'Pipe', delta: 50, unit: 'm' });
    const { id } = await makeCustomer(company, {
      name: 'Quay',
      aliases: ['Quay Ltd'],
      legalName: 'Quay Trading Limited',
      address: {
        line1: '1 Bay St',
        city: 'Texas City',
        region: 'TX',
        postalCode: '77590',
        country: 'US',
      },
      taxId: 'US123',
      buyerReference: 'Desk 7',
    });
    const items = [
      { name: 'Pipe', qty: 12, price: 2 },
      { name: 'Work', qty: 3, price: 1 },
    ];
    const invoice = await issue(company, { customerName: 'Quay Ltd', items });
    const note = await credit(company, invoice, { items: [{ line: 1, qty: 2, restock: true }] });
    const buyer =
      'Quay Trading Limited 1 Bay St Texas City, TX 77590 United States ' +
      'Customer number C-00001 Tax ID US123 Your reference Desk 7';
    const printed = async (path: string) => textOf(await browser.get(`${path}/print`));
    expect(await printed(`/invoices/${invoice.id}`))
      .to.contain(`Bill to ${buyer}`)
      .and.contain('Pipe 12 m $2.00 $24.00')
      .and.contain('Work 3 $1.00 $3.00');
    expect(await printed(`/credit-notes/${note.id}`))
      .to.contain(`Customer ${buyer}`)
      .and.contain('Pipe 2 m $4.00');
    expect(await printed(`/customers/${id}`)).to.contain(`Customer ${buyer}`);
    const plain = await issue(company, { customerName: 'Pier', items });
    expect(await printed(`/invoices/${plain.id}`))
      .to.contain('Bill to Pier')
      .and.not.contain('Tax ID');
  });
});
