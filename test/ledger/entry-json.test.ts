// The JSON texts that the ledger stores and answers, byte by byte: verify compares them with what
// it renders itself, so a release must not change them.
import { expect } from 'chai';
import { CREDIT_NOTE, PAYMENT, REFUND, reversed, withUsage } from '../../src/ledger/entry-json.js';

const INVOICE = { invoiceId: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e44', invoiceNumber: 'INV-000007' };
const INVOICE_TEXT = `"invoiceId":"${INVOICE.invoiceId}","invoiceNumber":"INV-000007"`;
const USED = {
  allocations: [
    { ...INVOICE, amount: '80.5' },
    { ...INVOICE, amount: '-3' },
  ],
  refunded: '1.25',
  unallocated: '0',
};
const USED_TEXT =
  `"allocations":[{${INVOICE_TEXT},"amount":80.5},{${INVOICE_TEXT},"amount":-3}],` +
  '"refunded":1.25,"unallocated":0';
const UNUSED = { allocations: [], refunded: '0', unallocated: '12.34' };
const UNUSED_TEXT = '"allocations":[],"refunded":0,"unallocated":12.34';

const payment = {
  id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e45',
  amount: '99999999999.99',
  date: '2026-02-28',
  currency: 'EUR',
  customerName: 'Käthe "K" \\ Söhne\u2028',
  method: 'bank_transfer',
  reference: 'line\nfeed',
  externalId: null,
  note: null,
  status: 'recorded',
  ...USED,
  createdAt: '2026-02-28T09:01:02.003Z',
} as const;

const item = {
  line: '3',
  name: 'Pipe 2"',
  sku: null,
  qty: null,
  amount: '7.1',
  itemId: null,
  restocked: false,
};

const note = {
  id: payment.id,
  number: 'CN-000001',
  ...INVOICE,
  customerName: 'Hall',
  date: '2026-03-01',
  currency: 'EUR',
  reason: 'return',
  items: [item, { ...item, sku: 'P-2', qty: '0.5', itemId: INVOICE.invoiceId, restocked: true }],
  subtotal: '7.1',
  taxTotal: '1.35',
  taxes: [
    { category: 'S', rate: '19', base: '7.1', amount: '1.35', reason: null },
    { category: 'E', rate: '0', base: '0', amount: '0', reason: 'Art. 132 "E"' },
  ],
  total: '8.45',
  ...UNUSED,
  reference: null,
  note: 'Two\nlines',
  createdAt: payment.createdAt,
} as const;

const ID_TEXT = `{"id":"${payment.id}"`;
const CREATED_TEXT = `"createdAt":"${payment.createdAt}"}`;
const MONEY_TEXT =
  '"amount":99999999999.99,"date":"2026-02-28","currency":"EUR",' +
  '"customerName":"Käthe \\"K\\" \\\\ Söhne\u2028","method":"bank_transfer",' +
  '"reference":"line\\nfeed","externalId":null,"note":null';

describe('The JSON text of', () => {
  const recorded = PAYMENT.json(payment);

  it('a payment has its amounts digit by digit', () => {
    expect(recorded).to.equal(
      `${ID_TEXT},${MONEY_TEXT},"status":"recorded",${USED_TEXT},${CREATED_TEXT}`,
    );
  });

  it('a payment changes with its use', () => {
    expect(withUsage(recorded, UNUSED)).to.equal(recorded.replace(USED_TEXT, UNUSED_TEXT));
    expect(withUsage(withUsage(recorded, UNUSED), USED)).to.equal(recorded);
  });

  it('a reversed payment has no money left', () => {
    expect(reversed(recorded)).to.equal(
      `${ID_TEXT},${MONEY_TEXT},"status":"reversed","allocations":[],"refunded":0,` +
        `"unallocated":0,${CREATED_TEXT}`,
    );
  });

  it('a refund names its payment or credit note', () => {
    expect(REFUND.json({ ...payment, paymentId: payment.id, creditNoteId: null })).to.equal(
      `${ID_TEXT},"paymentId":"${payment.id}","creditNoteId":null,${MONEY_TEXT},${CREATED_TEXT}`,
    );
  });

  it('a credit note has its lines and taxes', () => {
    const head =
      `${ID_TEXT},"number":"CN-000001",${INVOICE_TEXT},"customerName":"Hall",` +
      '"date":"2026-03-01","currency":"EUR","reason":"return"';
    const end = `"reference":null,"note":"Two\\nlines",${CREATED_TEXT}`;
    const line = '{"line":3,"name":"Pipe 2\\""';
    const goods = `"itemId":"${INVOICE.invoiceId}","restocked":true}`;
    expect(CREDIT_NOTE.json(note)).to.equal(
      `${head},"items":[${line},"sku":null,"qty":null,"amount":7.1,"itemId":null,` +
        `"restocked":false},${line},"sku":"P-2","qty":0.5,"amount":7.1,${goods}],` +
        '"subtotal":7.1,"taxTotal":1.35,"taxes":[' +
        '{"category":"S","rate":19,"base":7.1,"amount":1.35,"reason":null},' +
        '{"category":"E","rate":0,"base":0,"amount":0,"reason":"Art. 132 \\"E\\""}],' +
        `"total":8.45,${UNUSED_TEXT},${end}`,
    );
    expect(CREDIT_NOTE.json({ ...note, items: [], taxes: [], ...USED })).to.equal(
      `${head},"items":[],"subtotal":7.1,"taxTotal":1.35,"taxes":[],"total":8.45,` +
        `${USED_TEXT},${end}`,
    );
  });
});
