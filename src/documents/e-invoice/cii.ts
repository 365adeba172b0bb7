// An electronic invoice as UN/CEFACT Cross Industry Invoice D22B, in the order of its schema
// (EN 16931-3-3). Factur-X and ZUGFeRD embed this file.
import type { Address } from '../../companies/parties/party.js';
import type { Allowance, EInvoice, ELine, EParty, TaxBreakdown, TaxKind } from './semantic.js';
import { type Element, element, xmlOf } from './xml.js';

const SPECIFICATION = 'urn:cen.eu:en16931:2017';
const NAMESPACES = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
};
const UNIT = { unitCode: 'C62' };

const text = (
  name: string,
  value: string | null,
  attributes: Readonly<Record<string, string>> = {},
) => element(`ram:${name}`, value, attributes);
const group = (name: string, ...content: readonly (Element | null)[]) =>
  element(`ram:${name}`, content);
const dateText = (name: string, date: string) =>
  element(name, date.replaceAll('-', ''), { format: '102' });
const day = (name: string, date: string | null) =>
  date === null ? null : group(name, dateText('udt:DateTimeString', date));
const no = () => group('ChargeIndicator', element('udt:Indicator', 'false'));

export function ciiOf(invoice: EInvoice): string {
  const { type, note } = invoice;
  const content = [
    element('rsm:ExchangedDocumentContext', [
      group('GuidelineSpecifiedDocumentContextParameter', text('ID', SPECIFICATION)),
    ]),
    element('rsm:ExchangedDocument', [
      text('ID', invoice.number),
      text('TypeCode', type === 'invoice' ? '380' : '381'),
      day('IssueDateTime', invoice.date),
      group('IncludedNote', text('Content', note)),
    ]),
    element('rsm:SupplyChainTradeTransaction', [
      ...invoice.lines.map(lineOf),
      agreementOf(invoice),
      // Required by the schema, even without content.
      deliveryOf(invoice) ?? element('ram:ApplicableHeaderTradeDelivery', ''),
      settlementOf(invoice),
    ]),
  ];
  return xmlOf(element('rsm:CrossIndustryInvoice', content, NAMESPACES));
}

function lineOf(line: ELine): Element | null {
  return group(
    'IncludedSupplyChainTradeLineItem',
    group('AssociatedDocumentLineDocument', text('LineID', line.id)),
    group('SpecifiedTradeProduct', text('SellerAssignedID', line.sku), text('Name', line.name)),
    group(
      'SpecifiedLineTradeAgreement',
      group(
        'NetPriceProductTradePrice',
        text('ChargeAmount', line.price),
        text('BasisQuantity', line.priceQty, UNIT),
      ),
    ),
    group('SpecifiedLineTradeDelivery', text('BilledQuantity', line.qty, UNIT)),
    group(
      'SpecifiedLineTradeSettlement',
      group('ApplicableTradeTax', ...categoryOf(line)),
      line.discount === null
        ? null
        : group(
            'SpecifiedTradeAllowanceCharge',
            no(),
            text('ActualAmount', line.discount),
            text('ReasonCode', '95'),
          ),
      group('SpecifiedTradeSettlementLineMonetarySummation', text('LineTotalAmount', line.amount)),
    ),
  );
}

function categoryOf({ category, rate }: TaxKind): (Element | null)[] {
  return [
    text('TypeCode', 'VAT'),
    text('CategoryCode', category),
    text('RateApplicablePercent', rate),
  ];
}

function agreementOf(invoice: EInvoice): Element | null {
  return group(
    'ApplicableHeaderTradeAgreement',
    text('BuyerReference', invoice.buyerReference),
    group('SellerTradeParty', ...partyOf(invoice.seller)),
    group('BuyerTradeParty', ...partyOf(invoice.buyer)),
    group('BuyerOrderReferencedDocument', text('IssuerAssignedID', invoice.orderReference)),
  );
}

function partyOf(party: EParty): (Element | null)[] {
  const { registration, contact, electronicAddress } = party;
  const scheme = registration?.scheme ?? null;
  return [
    text('ID', party.identifier),
    text('Name', party.name),
    group(
      'SpecifiedLegalOrganization',
      text('ID', registration?.id ?? null, scheme === null ? {} : { schemeID: scheme }),
      text('TradingBusinessName', party.tradingName),
    ),
    contact &&
      group(
        'DefinedTradeContact',
        text('PersonName', contact.name),
        group('TelephoneUniversalCommunication', text('CompleteNumber', contact.phone)),
        group('EmailURIUniversalCommunication', text('URIID', contact.email)),
      ),
    party.address && addressOf(party.address),
    electronicAddress &&
      group(
        'URIUniversalCommunication',
        text('URIID', electronicAddress.id, { schemeID: electronicAddress.scheme }),
      ),
    group('SpecifiedTaxRegistration', text('ID', party.vatId, { schemeID: 'VA' })),
    group('SpecifiedTaxRegistration', text('ID', party.taxNumber, { schemeID: 'FC' })),
  ];
}

function addressOf(address: Address): Element | null {
  return group(
    'PostalTradeAddress',
    text('PostcodeCode', address.postalCode),
    text('LineOne', address.line1),
    text('LineTwo', address.line2),
    text('LineThree', address.line3),
    text('CityName', address.city),
    text('CountryID', address.country),
    text('CountrySubDivisionName', address.region),
  );
}

function deliveryOf({ deliveryDate, deliveryAddress }: EInvoice): Element | null {
  return group(
    'ApplicableHeaderTradeDelivery',
    deliveryAddress && group('ShipToTradeParty', addressOf(deliveryAddress)),
    group('ActualDeliverySupplyChainEvent', day('OccurrenceDateTime', deliveryDate)),
  );
}

function settlementOf(invoice: EInvoice): Element | null {
  const { payment, currency, precedingInvoice } = invoice;
  return group(
    'ApplicableHeaderTradeSettlement',
    text('PaymentReference', payment?.reference ?? null),
    text('InvoiceCurrencyCode', currency),
    payment &&
      group(
        'SpecifiedTradeSettlementPaymentMeans',
        text('TypeCode', payment.means),
        group(
          'PayeePartyCreditorFinancialAccount',
          text('IBANID', payment.iban),
          text('AccountName', payment.accountName),
        ),
        group('PayeeSpecifiedCreditorFinancialInstitution', text('BICID', payment.bic)),
      ),
    ...invoice.taxes.map(taxOf),
    ...invoice.allowances.map(allowanceOf),
    group(
      'SpecifiedTradePaymentTerms',
      text('Description', invoice.terms),
      day('DueDateDateTime', invoice.dueDate),
    ),
    totalsOf(invoice),
    precedingInvoice &&
      group(
        'InvoiceReferencedDocument',
        text('IssuerAssignedID', precedingInvoice.number),
        group('FormattedIssueDateTime', dateText('qdt:DateTimeString', precedingInvoice.date)),
      ),
  );
}

function taxOf({ base, tax, reason, reasonCode, category, rate }: TaxBreakdown): Element | null {
  return group(
    'ApplicableTradeTax',
    text('CalculatedAmount', tax),
    text('TypeCode', 'VAT'),
    text('ExemptionReason', reason),
    text('BasisAmount', base),
    text('CategoryCode', category),
    text('ExemptionReasonCode', reasonCode),
    text('RateApplicablePercent', rate),
  );
}

function allowanceOf({ amount, reason, ...category }: Allowance): Element | null {
  return group(
    'SpecifiedTradeAllowanceCharge',
    no(),
    text('ActualAmount', amount),
    text('ReasonCode', reason === null ? '95' : null),
    text('Reason', reason),
    group('CategoryTradeTax', ...categoryOf(category)),
  );
}

function totalsOf(invoice: EInvoice): Element | null {
  const hasAllowances = invoice.allowances.length > 0;
  return group(
    'SpecifiedTradeSettlementHeaderMonetarySummation',
    text('LineTotalAmount', invoice.lineTotal),
    hasAllowances ? text('AllowanceTotalAmount', invoice.allowanceTotal) : null,
    text('TaxBasisTotalAmount', invoice.taxBasis),
    text('TaxTotalAmount', invoice.taxTotal, { currencyID: invoice.currency }),
    text('GrandTotalAmount', invoice.total),
    text('DuePayableAmount', invoice.total),
  );
}
