// The small story that the examples of the OpenAPI document tell: a trader receives stock, invoices
// it, is paid, and corrects mistakes. Each step is a real request.
import pg from 'pg';
import type { Json } from '../support/client.js';
import { changeCompany, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import type { Stack } from '../support/suite.js';
import { Recorder } from './recorder.js';
import { tellWebhooks } from './webhook-story.js';

const CUSTOMER = 'Bright & Sons';

const deliveryLine = { name: 'Delivery', qty: 1, price: 18.5 };
const valves = (qty: number) => ({ name: 'Ball valve 1/2"', sku: 'BV-12', qty, price: 7.35 });
const service = {
  customerName: CUSTOMER,
  date: '2026-11-20',
  items: [{ name: 'Consulting', qty: 1.5, price: 95 }],
};
const stock = {
  customerName: CUSTOMER,
  date: '2026-11-20',
  reference: 'SO-5012',
  items: [valves(2), deliveryLine],
};
const taxed = {
  customerName: CUSTOMER,
  date: '2026-11-20',
  reference: 'SO-5012',
  dueDate: '2026-12-20',
  orderReference: 'PO-4711',
  deliveryDate: '2026-11-24',
  note: 'Thank you for your order.',
  discount: { amount: 10, reason: 'Returning customer' },
  items: [
    { ...valves(40), discount: { percent: 5 }, taxRate: 19 },
    { name: 'Handbook', qty: 1, price: 18.5, taxRate: 7 },
  ],
};

const trader = {
  name: CUSTOMER,
  legalName: 'Bright & Sons Limited',
  email: 'accounts@bright.example',
  address: { line1: '12 Mill Lane', city: 'Leeds', postalCode: 'LS1 4AB', country: 'GB' },
  termsDays: 30,
  creditLimit: 5000,
};

/** Customers have a company of their own, so that the other examples have no record. */
async function tellCustomers(recorder: Recorder, stack: Stack): Promise<void> {
  const company = await makeCompany(stack);
  const send = (operation: string, call?: Parameters<Recorder['send']>[2]): Promise<Json> =>
    recorder.send(company, operation, call);
  recorder.startDay('2026-11-24');
  const { id } = await send('createCustomer', {
    body: trader,
    request: ['trader', 'A customer with an address, terms and a credit limit'],
    answer: ['customer', 'The record'],
  });
  await send('createCustomer', {
    body: { name: 'Bright' },
    request: ['name', 'With only the required field'],
  });
  const { results } = await send('createCustomers', {
    body: {
      customers: [
        { name: CUSTOMER, phone: '+44 113 496 0000' },
        { name: 'Stone Ltd', externalId: 'crm-88' },
      ],
      onExisting: 'update',
    },
    request: ['update', 'One that exists, and a new one'],
    answer: ['results', 'One updated, one created'],
  });
  await send('updateCustomer', {
    id: results[1].customer.id,
    body: { hold: true, note: 'Waits for a credit check.' },
    request: ['hold', 'Refuse new invoices'],
    answer: ['customer', 'The changed record'],
  });
  const [duplicate] = (await company.get('/customers?number=C-00002')).body;
  await send('mergeCustomers', {
    id,
    body: { customerId: duplicate.id },
    request: ['duplicate', 'A record of the same customer'],
    answer: ['customer', 'The record that remains'],
  });
  await send('getCustomer', { id, answer: ['customer', 'A customer'] });
  await send('listCustomers', { query: '?limit=2', answer: ['page', 'A page'] });
  await send('deleteCustomer', { id: results[1].customer.id });
}

/** Runs the story and returns the recorded files of examples, by operation. */
export async function tellStory(stack: Stack): Promise<Map<string, string>> {
  const recorder = new Recorder(stack.baseUrl);
  const company = await makeCompany(stack);
  await changeCompany(stack, company, { nextInvoiceNumber: 42, nextCreditNoteNumber: 3 });
  const story = new Story(recorder, company);
  const valve = await story.receivesStock();
  const invoice = await story.issuesInvoices(valve);
  await story.issuesManyInvoices();
  await story.adjustsStock(valve);
  await story.isPaid(invoice);
  await story.givesMoneyBack(invoice);
  await story.sellsBySku();
  await story.readsJobs(stack);
  await tellCustomers(recorder, stack);
  await tellSummary(recorder, stack);
  await tellAccounts(recorder, stack);
  await tellDocuments(recorder, stack);
  await tellEvents(recorder, stack);
  await tellWebhooks(recorder, stack);
  return recorder.files();
}

async function tellEvents(recorder: Recorder, stack: Stack): Promise<void> {
  const company = await makeCompany(stack);
  recorder.startDay('2026-11-26');
  await recorder.send(company, 'recordPayment', {
    body: { amount: 100, date: '2026-11-26', customerName: CUSTOMER },
  });
  await recorder.send(company, 'createCustomer', { body: { name: CUSTOMER } });
  await recorder.send(company, 'listEvents', {
    query: '?after=0&limit=1',
    answer: ['page', 'A page of one event'],
  });
  await recorder.send(company, 'getEvent', { id: '2', answer: ['event', 'An event'] });
}

class Story {
  readonly #recorder: Recorder;
  readonly #company: TestCompany;

  constructor(recorder: Recorder, company: TestCompany) {
    this.#recorder = recorder;
    this.#company = company;
  }

  #send(operationId: string, call?: Parameters<Recorder['send']>[2]): Promise<Json> {
    return this.#recorder.send(this.#company, operationId, call);
  }

  /** Resolves to the id of the valve. */
  async receivesStock(): Promise<string> {
    this.#recorder.startDay('2026-11-20');
    const details = { unit: 'pc', reorderPoint: 60, unitCost: 4.9, unitPrice: 7.35 };
    const opening = { name: 'Ball valve 1/2"', sku: 'BV-12', count: 9.5, ...details };
    await this.#send('adjustInventory', { body: { reason: 'count', items: [opening] } });
    const pipe = {
      name: 'Copper pipe 15 mm',
      sku: 'CP-15',
      delta: 120,
      unit: 'm',
      unitPrice: 5.44,
    };
    const { movements } = await this.#send('adjustInventory', {
      body: {
        reason: 'received',
        reference: 'DN-2288',
        items: [
          { name: 'Ball valve 1/2"', sku: 'BV-12', delta: 40 },
          { ...pipe, unitCost: 3.4, reorderPoint: 50 },
        ],
      },
      request: ['received', 'A delivery that adds to items and creates new ones'],
      answer: ['adjustment', 'A delivery'],
    });
    const id = movements[0].itemId;
    await this.#send('listInventory', { answer: ['page', 'A page'] });
    await this.#send('getItem', { id, answer: ['item', 'An item'] });
    return id;
  }

  async issuesInvoices(valve: string): Promise<Json> {
    const invoice = await this.#send('createInvoice', {
      body: stock,
      request: ['stock', 'A stock item by SKU, and a service'],
      answer: ['invoice', 'An invoice'],
    });
    await this.#send('listItemMovements', {
      id: valve,
      query: '?limit=2',
      answer: ['page', 'A sale after a delivery'],
    });
    const { id } = await this.#send('createInvoice', {
      body: taxed,
      request: ['taxed', 'Tax, discounts and a due date'],
      answer: ['taxed', 'With tax, discounts and a due date'],
    });
    await this.#send('getInvoice', { id: invoice.id, answer: ['invoice', 'An invoice'] });
    await this.#send('getInvoice', { id, answer: ['taxed', 'With tax, discounts and a due date'] });
    await this.#send('listInvoices', { answer: ['page', 'A page'] });
    await this.#send('createInvoice', {
      body: service,
      request: ['service', 'A service, with only the required fields'],
    });
    return invoice;
  }

  async issuesManyInvoices(): Promise<void> {
    await this.#send('createInvoices', {
      body: { invoices: [service, stock] },
      request: ['two', 'Two invoices'],
    });
    const tooMany = { customerName: CUSTOMER, date: '2026-11-20', items: [valves(60)] };
    await this.#send('createInvoices', {
      body: { invoices: [service, tooMany] },
      answer: ['mixed', 'One created, one refused'],
    });
  }

  async adjustsStock(valve: string): Promise<void> {
    await this.#send('adjustInventory', {
      body: { reason: 'count', note: 'Aisle 4', items: [{ sku: 'BV-12', count: 47 }] },
      request: ['count', 'A stock-take'],
    });
    const correction = { itemId: valve, delta: -2, expectedOnHand: 47 };
    await this.#send('adjustInventory', {
      body: { reason: 'correction', items: [correction] },
      request: ['correction', 'A correction that is refused if the stock has changed meanwhile'],
    });
    await this.#send('updateItem', {
      id: valve,
      body: { name: 'Ball valve DN 15', unitPrice: 7.9, sku: null },
      request: ['rename', 'Another name and price, and no SKU'],
      answer: ['item', 'The item with its new name and price'],
    });
    const unused = { reason: 'count', items: [{ name: 'Handbook', count: 0 }] };
    const { movements } = await this.#send('adjustInventory', { body: unused });
    await this.#send('updateItem', {
      id: movements[0].itemId,
      body: { archived: true },
      request: ['archive', 'Take an item without stock out of use'],
    });
  }

  async isPaid(invoice: Json): Promise<void> {
    this.#recorder.startDay('2026-11-24');
    const { id } = await this.#send('recordPayment', {
      body: {
        amount: 400,
        date: '2026-11-24',
        invoices: [{ number: 'INV-000042' }, { number: 'INV-000043' }],
        method: 'bank_transfer',
        externalId: 'BANK-20261124-0017',
      },
      request: ['invoices', 'A bank transfer for two invoices: each gets what is due'],
      answer: ['payment', 'A payment with unallocated money'],
    });
    await this.#send('getPayment', { id, answer: ['payment', 'A payment with unallocated money'] });
    await this.#send('listPayments', { answer: ['page', 'A page'] });
    await this.#creditsReturn(invoice);
    await this.#send('allocate', {
      body: { paymentId: id, invoices: [{ number: 'INV-000044' }] },
      request: ['invoice', 'The unallocated money of a payment to another invoice'],
      answer: ['payment', 'The payment, with all of its money allocated'],
    });
    await this.#send('allocate', {
      body: {
        paymentId: id,
        invoices: [
          { invoiceId: invoice.id, amount: -10 },
          { number: 'INV-000044', amount: 10 },
        ],
      },
      request: ['move', 'Money from one invoice to another'],
    });
  }

  async #creditsReturn(invoice: Json): Promise<void> {
    this.#recorder.startDay('2026-11-26');
    const { id } = await this.#send('createCreditNote', {
      body: {
        invoiceId: invoice.id,
        date: '2026-11-26',
        reason: 'return',
        items: [{ line: 1, qty: 1, restock: true }],
      },
      request: ['returned', 'Goods that go back on the shelf'],
      answer: ['creditNote', 'A return after payment'],
    });
    await this.#send('getCreditNote', { id, answer: ['creditNote', 'A return after payment'] });
    await this.#send('listCreditNotes', { answer: ['page', 'A page'] });
    await this.#send('listInvoiceEntries', {
      id: invoice.id,
      answer: ['entries', 'A payment, and a credit note that is unallocated'],
    });
  }

  async givesMoneyBack(invoice: Json): Promise<void> {
    this.#recorder.startDay('2026-11-28');
    const { id: advanceId } = await this.#send('recordPayment', {
      body: { amount: 200, date: '2026-11-18', customerName: CUSTOMER },
      request: ['advance', 'Money before the invoice'],
    });
    const { id } = await this.#send('recordRefund', {
      body: { paymentId: advanceId, amount: 50, date: '2026-11-25', method: 'bank_transfer' },
      request: ['part', 'Part of an advance goes back'],
      answer: ['refund', 'A refund'],
    });
    await this.#send('getRefund', { id, answer: ['refund', 'A refund'] });
    await this.#send('listRefunds', { answer: ['page', 'A page'] });
    const debit = { amount: 142.5, date: '2026-11-25', method: 'direct_debit' };
    const { id: bouncedId } = await this.#send('recordPayment', {
      body: { ...debit, invoices: [{ number: 'INV-000045' }] },
    });
    await this.#send('reversePayment', {
      id: bouncedId,
      body: { date: '2026-11-28', reason: 'Bounced' },
      request: ['bounced', 'A direct debit bounced'],
      answer: ['reversed', 'A direct debit that bounced'],
    });
    const credit = { invoiceId: invoice.id, date: '2026-11-26' };
    await this.#send('createCreditNote', {
      body: { ...credit, reason: 'price', items: [{ line: 2, amount: 3.5 }] },
      request: ['price', 'A lower price afterwards'],
    });
    await this.#send('createCreditNote', {
      body: { ...credit, reason: 'cancelled', restock: true },
      request: ['everything', 'All that is left'],
    });
    const wrong = await this.#send('createInvoice', { body: service });
    await this.#send('voidInvoice', {
      id: wrong.id,
      body: { date: '2026-11-26', reason: 'Wrong customer' },
      request: ['mistake', 'An invoice by mistake'],
      answer: ['void', 'For the whole invoice'],
    });
  }

  async sellsBySku(): Promise<void> {
    const items = [{ sku: 'CP-15', qty: 12 }];
    await this.#send('createInvoice', {
      body: { customerName: CUSTOMER, date: '2026-11-28', items },
      request: ['sku', 'A stock item by SKU alone, with its own name and price'],
    });
  }

  /** Jobs that have succeeded, and the answers of writes whose company is locked meanwhile. */
  async readsJobs(stack: Stack): Promise<void> {
    this.#recorder.startDay('2026-11-29');
    const created = await this.#send('createInvoice', { body: service });
    const adjusted = await this.#send('adjustInventory', {
      body: { reason: 'received', items: [{ sku: 'CP-15', delta: 20 }] },
    });
    await this.#acceptsWrites(stack, created.id);
    const succeeded = async (resultId: string, name: string, summary: string) => {
      const [job] = await stack.sql<{ id: string }>(
        'SELECT id FROM jobs WHERE company_id = $1 AND result_id = $2',
        [this.#company.companyId, resultId],
      );
      await this.#send('getJob', { id: job?.id ?? '', answer: [name, summary] });
    };
    await succeeded(created.id, 'succeeded', 'Succeeded');
    await succeeded(adjusted.id, 'adjusted', 'Stock adjusted');
  }

  async #acceptsWrites(stack: Stack, invoiceId: string): Promise<void> {
    const { body: payments } = await this.#company.get('/payments?unallocated=1');
    const paymentId = payments[0].id;
    const date = '2026-11-27';
    const writes: [operationId: string, body: Json, id?: string][] = [
      ['createInvoice', service],
      ['adjustInventory', { reason: 'received', items: [{ sku: 'CP-15', delta: 20 }] }],
      ['recordPayment', { amount: 200, date, customerName: CUSTOMER }],
      ['reversePayment', { date }, paymentId],
      ['allocate', { paymentId, invoices: [{ invoiceId }] }],
      ['recordRefund', { paymentId, amount: 1, date }],
      ['createCreditNote', { invoiceId, date, reason: 'duplicate' }],
      ['voidInvoice', { date }, invoiceId],
    ];
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE', [
      this.#company.companyId,
    ]);
    try {
      const prefer = 'respond-async';
      for (const [operationId, body, id = ''] of writes) {
        const answer = ['job', 'The job to poll'] as const;
        const job = await this.#send(operationId, { id, body, prefer, answer });
        if (operationId === 'createInvoice')
          await this.#send('getJob', { id: job.id, answer: ['queued', 'Still queued'] });
      }
      await this.#send('createInvoices', {
        body: { invoices: [service] },
        prefer,
        answer: ['unfinished', 'One not finished yet'],
      });
    } finally {
      await client.end();
    }
  }
}

/** Reads the summary of the current month. Its dates are replaced by those of the story. */
async function tellSummary(recorder: Recorder, stack: Stack): Promise<void> {
  const company = await makeCompany(stack, { currency: 'EUR', timeZone: 'Europe/Berlin' });
  await receive(company, { name: 'Ball valve 1/2"', delta: 50, unitCost: 4.9, reorderPoint: 60 });
  const { body: empty } = await company.get('/summary');
  const { from } = empty.period;
  const before = `${empty.previous.month}-01`;
  const issue = (customerName: string, date: string, qty: number, more = {}) => {
    const items = [{ ...valves(qty), sku: null, taxRate: 19 }];
    return recorder.send(company, 'createInvoice', {
      body: { customerName, date, items, ...more },
    });
  };
  recorder.startDay('2026-11-30');
  await issue(CUSTOMER, before, 8, { dueDate: before });
  await issue('Harbour Hotel', from, 4);
  const { id: invoiceId } = await issue(CUSTOMER, from, 6);
  await recorder.send(company, 'createCreditNote', {
    body: { invoiceId, date: from, reason: 'price', items: [{ line: 1, amount: 5 }] },
  });
  const paid = { amount: 100, date: from, invoices: [{ invoiceId }] };
  const { id: paymentId } = await recorder.send(company, 'recordPayment', { body: paid });
  await recorder.send(company, 'recordRefund', { body: { paymentId, amount: 20, date: from } });
  await until(
    'the summary has the refund',
    async () => (await company.get('/summary')).body.refunded.count === 1,
  );
  const summary = await recorder.send(company, 'getSummary', {
    answer: ['month', 'A month so far'],
  });
  recorder.keepAnswer('getSummary', '200', ['month', 'A month so far'], {
    ...summary,
    period: { ...summary.period, month: '2026-11', from: '2026-11-01', to: '2026-11-30' },
    previous: { ...summary.previous, month: '2026-10' },
    // The age of what is due since the start of the previous month depends on today.
    receivables: {
      ...summary.receivables,
      days1To30: 0,
      days31To60: summary.overdue.total,
      days61To90: 0,
    },
    computedAt: new Date().toISOString(),
  });
}

/** Reads the account of a customer in a company without other documents. */
async function tellAccounts(recorder: Recorder, stack: Stack): Promise<void> {
  recorder.startDay('2026-11-30');
  const company = await makeCompany(stack, { currency: 'EUR' });
  const record = { name: CUSTOMER, number: 'K-1042', termsDays: 14, creditLimit: 500 };
  const { body: customer } = await company.post('/customers', record);
  const work = (date: string, qty: number, more = {}) => ({
    customerName: CUSTOMER,
    date,
    items: [{ name: 'Consulting', qty, price: 95 }],
    ...more,
  });
  const first = work('2026-10-12', 4, { dueDate: '2026-10-26', reference: 'SO-4980' });
  for (const invoice of [first, work('2026-11-09', 2, { dueDate: '2026-11-23' })])
    await company.post('/invoices', invoice);
  await company.post('/invoices', work('2026-11-24', 1, { customerName: 'Castle' }));
  const payment = { amount: 400, date: '2026-11-12', invoices: [{ number: 'INV-000001' }] };
  await company.post('/payments', { ...payment, reference: 'Transfer 88' });
  const id = `?customerId=${customer.id}`;
  await recorder.send(company, 'getStatement', {
    query: `${id}&from=2026-11-01&to=2026-11-30`,
    answer: ['activity', 'The lines of a month'],
  });
  await recorder.send(company, 'getStatement', {
    query: `${id}&type=open&to=2026-11-30`,
    answer: ['open', 'The open items at its end'],
  });
  await recorder.send(company, 'getReceivables', {
    query: '?asOf=2026-11-30',
    answer: ['page', 'At the end of a month'],
  });
}

/** Documents of an invoice and its credit note, in a company with a profile. */
async function tellDocuments(recorder: Recorder, stack: Stack): Promise<void> {
  recorder.startDay('2026-11-30');
  const company = await makeCompany(stack, { currency: 'EUR' });
  const profile = {
    ...{ name: 'Harbour Supply', legalName: 'Harbour Supply GmbH', taxId: 'DE123456789' },
    address: {
      ...{ line1: 'Hafenstr. 1', line2: null, line3: null, city: 'Bremen' },
      ...{ postalCode: '28195', region: null, country: 'DE' },
    },
    ...{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
  };
  await stack.sql(
    `INSERT INTO company_profile_versions (company_id, version, valid_from, body)
     VALUES ($1, 1, date_trunc('milliseconds', now()), $2)`,
    [company.companyId, JSON.stringify(profile)],
  );
  await company.post('/customers', trader);
  const valve = { name: 'Ball valve 1/2"', qty: 40, price: 7.35, discount: { percent: 5 } };
  const items = [
    { ...valve, taxRate: 19 },
    { name: 'Handbook', qty: 1, price: 18.5, taxRate: 7 },
  ];
  const { body: invoice } = await company.post('/invoices', { ...taxed, items });
  const credit = { invoiceId: invoice.id, date: '2026-11-28', reason: 'damaged' };
  const credited = { ...credit, items: [{ line: 2, qty: 1 }] };
  const { body: note } = await company.post('/credit-notes', credited);
  const answer = ['xml', 'The electronic invoice'] as const;
  for (const form of ['Pdf', 'DeliveryNote'])
    await recorder.send(company, `getInvoice${form}`, { id: invoice.id });
  await recorder.send(company, 'getInvoiceUbl', { id: invoice.id, answer });
  await recorder.send(company, 'getInvoiceCii', { id: invoice.id, answer });
  await recorder.send(company, 'getCreditNotePdf', { id: note.id });
  await recorder.send(company, 'getCreditNoteUbl', { id: note.id, answer });
  await recorder.send(company, 'getCreditNoteCii', { id: note.id, answer });
  await tellEmails(recorder, company, invoice.id);
}

/** Sends an invoice, and reads what became of the e-mail. */
async function tellEmails(
  recorder: Recorder,
  company: TestCompany,
  invoiceId: string,
): Promise<void> {
  const { id } = await recorder.send(company, 'createEmail', {
    body: { invoiceId },
    request: ['invoice', "An invoice to the addresses of the customer's record"],
    answer: ['queued', 'The e-mail waits to be sent'],
  });
  await until('the e-mail is sent', async () => {
    const { body } = await company.get(`/emails/${id}`);
    return body.status === 'sent';
  });
  await recorder.send(company, 'getEmail', { id, answer: ['sent', 'The e-mail was accepted'] });
  await recorder.send(company, 'listEmails', { answer: ['page', 'A page'] });
  const own = { to: ['ann@bright.example'], subject: 'Your invoice', message: 'Hello Ann,' };
  await recorder.send(company, 'createEmail', {
    body: { invoiceId, ...own, attach: ['pdf', 'ubl'] },
    request: ['own', 'To another address, with a text of your own and an electronic invoice'],
  });
}
