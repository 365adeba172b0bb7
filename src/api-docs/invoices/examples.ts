// Examples of invoices, as requested and as answered.

export const INVOICE_ID = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e42';
export const SERVICE_ID = '01932d6f-7a10-7c3e-8b52-1d9f4e6a0c83';
export const TAXED_ID = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e43';
export const VALVE_ID = '01932d5c-1f4e-7cc3-9d0a-3b6a1d2f7e10';
export const REQUEST_ID = 'order-4711';

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export const invoice = {
  id: INVOICE_ID,
  number: 'INV-000042',
  status: 'open',
  customerName: 'Bright & Sons',
  date: '2026-11-20',
  currency: 'USD',
  items: [
    { name: 'Ball valve 1/2"', sku: 'BV-12', qty: 2, price: 7.35, amount: 14.7, itemId: VALVE_ID },
    { name: 'Delivery', sku: null, qty: 1, price: 18.5, amount: 18.5, itemId: null },
  ],
  total: 33.2,
  reference: 'PO-4711',
  createdAt: '2026-11-20T09:14:07.113Z',
  dueDate: null,
  orderReference: null,
  deliveryDate: null,
  note: null,
  discount: null,
  subtotal: 33.2,
  taxTotal: 0,
  taxes: [],
  amountPaid: 0,
  amountCredited: 0,
  amountDue: 33.2,
  settledOn: null,
};

export const serviceInvoice = {
  ...invoice,
  id: SERVICE_ID,
  number: 'INV-000045',
  items: [{ name: 'Consulting', sku: null, qty: 1.5, price: 95, amount: 142.5, itemId: null }],
  total: 142.5,
  reference: null,
  subtotal: 142.5,
  amountDue: 142.5,
};

/** 40 × 7.35 less 5 %, 18.5, and 10 off the whole: 9.38 off the first group, 0.62 off the other. */
export const taxedInvoice = {
  ...invoice,
  id: TAXED_ID,
  number: 'INV-000043',
  items: [
    {
      name: 'Ball valve 1/2"',
      sku: 'BV-12',
      qty: 40,
      price: 7.35,
      amount: 279.3,
      itemId: VALVE_ID,
      discount: { percent: 5, amount: 14.7 },
      taxRate: 19,
      taxCategory: 'S',
    },
    {
      name: 'Handbook',
      sku: null,
      qty: 1,
      price: 18.5,
      amount: 18.5,
      itemId: null,
      taxRate: 7,
      taxCategory: 'S',
    },
  ],
  total: 340.33,
  dueDate: '2026-12-20',
  orderReference: '4500017',
  deliveryDate: '2026-11-24',
  note: 'Thank you for your order.',
  discount: { percent: null, amount: 10, reason: 'Returning customer' },
  subtotal: 287.8,
  taxTotal: 52.53,
  taxes: [
    { category: 'S', rate: 19, base: 269.92, amount: 51.28, reason: null },
    { category: 'S', rate: 7, base: 17.88, amount: 1.25, reason: null },
  ],
  amountDue: 340.33,
};

export const outOfStock = {
  type: '/docs/errors#insufficient_stock',
  title: 'Insufficient stock',
  status: 409,
  code: 'insufficient_stock',
  detail: 'Not enough stock.',
  instance: '/api/external/invoices',
  requestId: REQUEST_ID,
  errors: [
    {
      pointer: '/items/0/qty',
      code: 'insufficient_stock',
      detail: 'Not enough stock.',
      itemId: VALVE_ID,
      requested: 60,
      available: 47.5,
    },
  ],
};

export const invoiceRequests: Readonly<Record<string, Example>> = {
  service: {
    summary: 'A service, with only the required fields',
    value: {
      customerName: 'Bright & Sons',
      date: '2026-11-20',
      items: [{ name: 'Consulting', qty: 1.5, price: 95 }],
    },
  },
  stock: {
    summary: 'A stock item by SKU, and a service',
    value: {
      customerName: 'Bright & Sons',
      date: '2026-11-20',
      reference: 'PO-4711',
      items: [
        { name: 'Ball valve 1/2"', sku: 'BV-12', qty: 2, price: 7.35 },
        { name: 'Delivery', qty: 1, price: 18.5 },
      ],
    },
  },
  taxed: {
    summary: 'Tax, discounts and a due date',
    value: {
      customerName: 'Bright & Sons',
      date: '2026-11-20',
      reference: 'PO-4711',
      dueDate: '2026-12-20',
      orderReference: '4500017',
      deliveryDate: '2026-11-24',
      note: 'Thank you for your order.',
      discount: { amount: 10, reason: 'Returning customer' },
      items: [
        {
          name: 'Ball valve 1/2"',
          sku: 'BV-12',
          qty: 40,
          price: 7.35,
          discount: { percent: 5 },
          taxRate: 19,
        },
        { name: 'Handbook', qty: 1, price: 18.5, taxRate: 7 },
      ],
    },
  },
};

const [service, stock] = [invoiceRequests.service?.value, invoiceRequests.stock?.value];
export const invoiceBatches: Readonly<Record<string, Example>> = {
  two: { summary: 'Two invoices', value: { invoices: [service, stock] } },
};
