// An invoice that was never issued, for a look at the company's pages.
import type { Profile } from '../../companies/profile/profile.js';
import type { DocumentModel } from '../../documents/model/document.js';
import { minorUnits } from '../../platform/values/money.js';

export function sampleDocument(profile: Profile, currency: string): DocumentModel {
  const { name, legalName, address, taxId, taxNumber, registrationId } = profile;
  const { electronicAddress, contactName, email, phone, bankName, iban, bic } = profile;
  const { paymentTerms, footer, paymentQr, logo, language, paper } = profile;
  const line = { discount: null, category: 'S', rate: '20' };
  return {
    ...{ type: 'invoice', number: 'SAMPLE', date: '2026-01-15', dueDate: '2026-02-14' },
    ...{ createdAt: '2026-01-15T00:00:00.000Z', invoiceDate: '2026-01-15', invoice: null },
    ...{ currency, decimals: minorUnits(currency), language, paper, isTaxed: true },
    ...{ reference: null, orderReference: 'PO-1', buyerReference: null, deliveryDate: null },
    ...{ note: null, discount: null, deliveryAddress: null },
    seller: {
      ...{ name, legalName, address, taxId, taxNumber, registrationId, electronicAddress },
      ...{ contactName, email, phone, bankName, iban, bic, paymentTerms, footer, paymentQr, logo },
    },
    buyer: {
      ...{ name: 'Sample customer', legalName: null, number: 'C-00001', address },
      ...{ taxId: null, registrationId: null, electronicAddress: null, contactName: null },
    },
    lines: [
      { ...line, name: 'Ball valve 1/2"', sku: 'BV-12', qty: '10', price: '8', amount: '80' },
      { ...line, name: 'Delivery', sku: null, qty: '1', price: '20', amount: '20' },
    ],
    ...{ subtotal: '100', taxTotal: '20', total: '120' },
    taxes: [{ category: 'S', rate: '20', amounts: '100', base: '100', tax: '20', reason: null }],
  };
}
