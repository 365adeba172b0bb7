// An electronic invoice as UBL 2.1, in the order of its schema (EN 16931-3-2).
import type { Address } from '../../companies/parties/party.js';
import type { EInvoice, ELine, EParty, TaxBreakdown, TaxKind } from './semantic.js';
import { type Element, element, xmlOf } from './xml.js';

const SPECIFICATION = 'urn:cen.eu:en16931:2017';
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
const UNIT = 'C62';

const basic = (
  name: string,
  text: string | null,
  attributes: Readonly<Record<string, string>> = {},
) => element(`cbc:${name}`, text, attributes);
const group = (name: string, ...content: readonly (Element | null)[]) =>
  element(`cac:${name}`, content);

export function ublOf(invoice: EInvoice): string {
  const { type, currency, precedingInvoice } = invoice;
  const root = type === 'invoice' ? 'Invoice' : 'CreditNote';
  const money = (name: string, amount: string) => basic(name, amount, { currencyID: currency });
  const content = [
    basic('CustomizationID', SPECIFICATION),
    basic('ID', invoice.number),
    basic('IssueDate', invoice.date),
    type === 'invoice' ? basic('DueDate', invoice.dueDate) : null,
    basic(`${root}TypeCode`, type === 'invoice' ? '380' : '381'),
    basic('Note', invoice.note && noteOf(invoice.note)),
    basic('DocumentCurrencyCode', currency),
    basic('BuyerReference', invoice.buyerReference),
    group('OrderReference', basic('ID', invoice.orderReference)),
    precedingInvoice &&
      group(
        'BillingReference',
        group(
          'InvoiceDocumentReference',
          basic('ID', precedingInvoice.number),
          basic('IssueDate', precedingInvoice.date),
        ),
      ),
    group('AccountingSupplierParty', partyOf(invoice.seller)),
    group('AccountingCustomerParty', partyOf(invoice.buyer)),
    deliveryOf(invoice),
    paymentOf(invoice),
    group('PaymentTerms', basic('Note', invoice.terms)),
    ...invoice.allowances.map(({ amount, reason, ...category }) =>
      group(
        'AllowanceCharge',
        basic('ChargeIndicator', 'false'),
        basic('AllowanceChargeReasonCode', reason === null ? '95' : null),
        basic('AllowanceChargeReason', reason),
        money('Amount', amount),
        categoryOf('TaxCategory', category),
      ),
    ),
    group('TaxTotal', money('TaxAmount', invoice.taxTotal), ...invoice.taxes.map(subtotalOf)),
    totalsOf(invoice, money),
    ...invoice.lines.map(line => lineOf(line, root, invoice)),
  ];

  function subtotalOf({ base, tax, reason, reasonCode, ...category }: TaxBreakdown) {
    return group(
      'TaxSubtotal',
      money('TaxableAmount', base),
      money('TaxAmount', tax),
      categoryOf('TaxCategory', category, [
        basic('TaxExemptionReasonCode', reasonCode),
        basic('TaxExemptionReason', reason),
      ]),
    );
  }

  return xmlOf(
    element(root, content, {
      xmlns: `${UBL}${root}-2`,
      'xmlns:cac': `${UBL}CommonAggregateComponents-2`,
      'xmlns:cbc': `${UBL}CommonBasicComponents-2`,
    }),
  );
}

/**
 * UBL has the subject of a note between # at its start (BT-21), and any three characters between #
 * are taken for its code. A note that has such characters of its own is given the subject "general
 * information".
 */
function noteOf(note: string): string {
  return /^[^#]*#[^#]{3}#/u.test(note) ? `#AAI#${note}` : note;
}

function partyOf(party: EParty): Element | null {
  const { electronicAddress, registration, contact } = party;
  return group(
    'Party',
    electronicAddress &&
      basic('EndpointID', electronicAddress.id, { schemeID: electronicAddress.scheme }),
    group('PartyIdentification', basic('ID', party.identifier)),
    group('PartyName', basic('Name', party.tradingName)),
    party.address && group('PostalAddress', ...addressOf(party.address)),
    party.vatId === null ? null : taxSchemeOf(party.vatId, 'VAT'),
    party.taxNumber === null ? null : taxSchemeOf(party.taxNumber, 'FC'),
    group(
      'PartyLegalEntity',
      basic('RegistrationName', party.name),
      registration &&
        basic(
          'CompanyID',
          registration.id,
          registration.scheme === null ? {} : { schemeID: registration.scheme },
        ),
    ),
    contact &&
      group(
        'Contact',
        basic('Name', contact.name),
        basic('Telephone', contact.phone),
        basic('ElectronicMail', contact.email),
      ),
  );
}

function addressOf(address: Address): (Element | null)[] {
  return [
    basic('StreetName', address.line1),
    basic('AdditionalStreetName', address.line2),
    basic('CityName', address.city),
    basic('PostalZone', address.postalCode),
    basic('CountrySubentity', address.region),
    group('AddressLine', basic('Line', address.line3)),
    group('Country', basic('IdentificationCode', address.country)),
  ];
}

function taxSchemeOf(id: string, scheme: string): Element | null {
  return group('PartyTaxScheme', basic('CompanyID', id), group('TaxScheme', basic('ID', scheme)));
}

function deliveryOf({ deliveryDate, deliveryAddress }: EInvoice): Element | null {
  return group(
    'Delivery',
    basic('ActualDeliveryDate', deliveryDate),
    deliveryAddress && group('DeliveryLocation', group('Address', ...addressOf(deliveryAddress))),
  );
}

function paymentOf({ payment }: EInvoice): Element | null {
  if (!payment) return null;
  return group(
    'PaymentMeans',
    basic('PaymentMeansCode', payment.means),
    basic('PaymentID', payment.reference),
    group(
      'PayeeFinancialAccount',
      basic('ID', payment.iban),
      basic('Name', payment.accountName),
      group('FinancialInstitutionBranch', basic('ID', payment.bic)),
    ),
  );
}

function categoryOf(
  name: string,
  { category, rate }: TaxKind,
  reasons: readonly (Element | null)[] = [],
): Element | null {
  return group(
    name,
    basic('ID', category),
    basic('Percent', rate),
    ...reasons,
    group('TaxScheme', basic('ID', 'VAT')),
  );
}

type Money = (name: string, amount: string) => Element | null;

function totalsOf(invoice: EInvoice, money: Money): Element | null {
  const hasAllowances = invoice.allowances.length > 0;
  return group(
    'LegalMonetaryTotal',
    money('LineExtensionAmount', invoice.lineTotal),
    money('TaxExclusiveAmount', invoice.taxBasis),
    money('TaxInclusiveAmount', invoice.total),
    hasAllowances ? money('AllowanceTotalAmount', invoice.allowanceTotal) : null,
    money('PayableAmount', invoice.total),
  );
}

function lineOf(line: ELine, root: string, { currency }: EInvoice): Element | null {
  const money: Money = (name, amount) => basic(name, amount, { currencyID: currency });
  const unit = { unitCode: UNIT };
  return group(
    `${root}Line`,
    basic('ID', line.id),
    basic(root === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity', line.qty, unit),
    money('LineExtensionAmount', line.amount),
    line.discount === null
      ? null
      : group(
          'AllowanceCharge',
          basic('ChargeIndicator', 'false'),
          basic('AllowanceChargeReasonCode', '95'),
          money('Amount', line.discount),
        ),
    group(
      'Item',
      basic('Name', line.name),
      group('SellersItemIdentification', basic('ID', line.sku)),
      categoryOf('ClassifiedTaxCategory', line),
    ),
    group('Price', money('PriceAmount', line.price), basic('BaseQuantity', line.priceQty, unit)),
  );
}
