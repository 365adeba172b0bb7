// The refusals of the ledger that belong to no single kind of write: the limits of every field, and
// writes that come after a reversal or a void. Nothing is written.
import { expect } from 'chai';
import { addDays, today } from '../../src/platform/values/days.js';
import type { Json } from '../support/client.js';
import { fieldErrors, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { created, creditNote, issue, pay, payment, refused } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const long = (length: number) => 'x'.repeat(length);
const many = (count: number, make: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Changes of a valid body, and the errors that they get. */
type Refusal = readonly [changes: Json, ...errors: string[]];

const MONEY: readonly Refusal[] = [
  [{ amount: -1 }, '/amount too_small'],
  [{ amount: '1' }, '/amount wrong_type'],
  [{ amount: 100_000_000_000 }, '/amount too_large'],
  [{ amount: undefined }, '/amount required'],
  [{ date: undefined }, '/date required'],
  [{ date: '2026-02-29' }, '/date invalid_date'],
  [{ date: '1899-12-31' }, '/date invalid_date'],
  [{ method: 'cheques' }, '/method invalid_value'],
  [{ reference: long(101) }, '/reference too_long'],
  [{ reference: ' ' }, '/reference empty'],
  [{ reference: 'a\nb' }, '/reference invalid_value'],
  [{ externalId: '' }, '/externalId empty'],
  [{ externalId: long(101) }, '/externalId too_long'],
  [{ note: long(1_001) }, '/note too_long'],
  [{ note: 'a\u0000b' }, '/note invalid_value'],
  [{ status: 'reversed' }, '/status unknown_field'],
];

describeMode('postgres', 'a field of the ledger', stack => {
  let company: TestCompany;
  let invoice: Json;
  let transfer: Json;
  before(async () => {
    company = await makeCompany(stack());
    invoice = await issue(company);
    transfer = await pay(company, 30, [], { customerName: invoice.customerName });
  });

  async function expectRefusals(path: string, body: Json, refusals: readonly Refusal[]) {
    for (const [changes, ...expected] of refusals) {
      const { errors } = await refused(stack(), company, 422, 'validation_failed', () =>
        company.post(path, { ...body, ...changes }),
      );
      const found = errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);
      expect(found, JSON.stringify(changes).slice(0, 200)).to.have.members(expected);
    }
  }

  it('of a payment has its limits', () =>
    expectRefusals('/payments', payment(10, [invoice]), [
      ...MONEY,
      [{ customerName: long(256) }, '/customerName too_long'],
      [{ customerName: ' ', invoices: [] }, '/customerName empty'],
      [{ invoices: {} }, '/invoices wrong_type', '/customerName required'],
      [{ invoices: [null] }, '/invoices/0 wrong_type'],
      [{ invoices: [{ invoiceId: invoice.id, qty: 1 }] }, '/invoices/0/qty unknown_field'],
      [{ invoices: [{ invoiceId: invoice.id, amount: 0 }] }, '/invoices/0/amount too_small'],
      [{ invoices: [{ number: long(41) }] }, '/invoices/0/number too_long'],
      [{ invoices: null }, '/customerName required'],
    ]));

  it('has no date of more than 366 days ahead, in the time zone of the company', async () => {
    const ahead = (days: number) => addDays(today({ timeZone: 'UTC' }), days);
    const own = await makeCompany(stack());
    const invoice = await issue(own);
    const spare = await pay(own, 5, [], { customerName: invoice.customerName });
    const invoices = [{ invoiceId: invoice.id, amount: 1 }];
    for (const [path, body] of [
      ['/payments', payment(1, [invoice])],
      ['/allocations', { paymentId: spare.id, invoices }],
      [`/payments/${spare.id}/reversal`, {}],
      ['/refunds', { paymentId: spare.id, amount: 1 }],
      ['/credit-notes', creditNote(invoice, { items: [{ line: 1, amount: 1 }] })],
      [`/invoices/${invoice.id}/void`, {}],
    ] as const) {
      for (const date of ['2062-11-26', ahead(368)])
        expect(fieldErrors(await own.post(path, { ...body, date })), path).to.deep.equal([
          '/date invalid_date',
        ]);
      const almost = await own.post(path, { ...body, date: ahead(365) });
      expect(almost.status, path).to.be.oneOf([201, 409]);
    }
  });

  it('of a reversal has its limits', () =>
    expectRefusals(`/payments/${transfer.id}/reversal`, { date: '2026-11-26' }, [
      [{ date: '26.11.2026' }, '/date invalid_date'],
      [{ date: 20_261_126 }, '/date wrong_type'],
      [{ reason: long(256) }, '/reason too_long'],
      [{ reason: '' }, '/reason empty'],
      [{ amount: 1 }, '/amount unknown_field'],
    ]));

  it('of an allocation has its limits', () => {
    const invoices = [{ invoiceId: invoice.id, amount: 1 }];
    return expectRefusals('/allocations', { paymentId: transfer.id, invoices }, [
      [{ paymentId: 'x' }, '/paymentId invalid_value'],
      [{ date: '2026-11-31' }, '/date invalid_date'],
      [{ invoices: undefined }, '/invoices required'],
      [{ invoices: many(251, index => ({ number: `I-${index}` })) }, '/invoices too_many_items'],
      [
        { invoices: [{ invoiceId: invoice.id, amount: 0.001 }] },
        '/invoices/0/amount too_many_decimals',
      ],
      [{ invoices: [{ amount: 1 }] }, '/invoices/0 required'],
      [{ invoices: [...invoices, { number: invoice.number }] }, '/invoices/1 invalid_value'],
      [{ reference: 'A' }, '/reference unknown_field'],
    ]);
  });

  it('of a refund has its limits', () =>
    expectRefusals('/refunds', { paymentId: transfer.id, amount: 1, date: '2026-11-28' }, [
      ...MONEY,
      [{ creditNoteId: transfer.id }, ' invalid_value'],
    ]));

  it('of a credit note has its limits', () =>
    expectRefusals('/credit-notes', creditNote(invoice, { items: [{ line: 1, qty: 1 }] }), [
      [{ invoiceId: 'x' }, '/invoiceId invalid_value'],
      [{ invoiceId: undefined }, '/invoiceId required'],
      [{ date: '2101-01-01' }, '/date invalid_date'],
      [{ reason: 'Return' }, '/reason invalid_value'],
      [{ reference: long(101) }, '/reference too_long'],
      [{ note: long(1_001) }, '/note too_long'],
      [{ restock: 1 }, '/restock wrong_type'],
      [{ number: 'CN-000001' }, '/number unknown_field'],
      [{ items: many(251, () => ({ line: 1, qty: 0.01 })) }, '/items too_many_items'],
      [{ items: [{ line: 1, qty: 0.00001 }] }, '/items/0/qty too_many_decimals'],
      [{ items: [{ line: 1, qty: 1_000_001 }] }, '/items/0/qty too_large'],
      [{ items: [{ line: 1, amount: -1 }] }, '/items/0/amount too_small'],
      [{ items: [{ line: -1, amount: 1 }] }, '/items/0/line invalid_value'],
      [{ items: [{ qty: 1 }] }, '/items/0/line required'],
      [{ items: [{ line: 1, qty: 1, price: 2 }] }, '/items/0/price unknown_field'],
    ]));

  it('of a void has its limits', () =>
    expectRefusals(`/invoices/${invoice.id}/void`, {}, [
      [{ date: '2026-11-19' }, '/date invalid_date'],
      [{ date: 'today' }, '/date invalid_date'],
      [{ restock: 'no' }, '/restock wrong_type'],
      [{ reason: long(256) }, '/reason too_long'],
      [{ note: long(1_001) }, '/note too_long'],
      [{ items: [] }, '/items unknown_field'],
    ]));
});

describeMode('postgres', 'a refused body of the ledger', stack => {
  const errorsOf = async (company: TestCompany, path: string, body: Json) =>
    fieldErrors(await company.post(path, body));
  const UNKNOWN = '019a0000-0000-7000-8000-000000000000';

  it('also gets the errors that its worker would find', async () => {
    const company = await makeCompany(stack());
    const line = { name: 'Pump', qty: 2, price: 10 };
    await receive(company, { name: 'Pump', delta: 5 });
    const invoice = await issue(company, { date: '2026-11-10', items: [line] });
    const foreign = await issue(await makeCompany(stack()));
    const named = [
      ...[{ invoiceId: invoice.id }, { number: 'nope' }, { number: invoice.number.toLowerCase() }],
      ...[{ invoiceId: foreign.id }, { number: long(41) }, { invoiceId: UNKNOWN, number: 'x' }],
    ];
    expect(await errorsOf(company, '/payments', { amount: 1, invoices: named })).to.have.members([
      ...['/date required', '/invoices/4/number too_long', '/invoices/5 invalid_value'],
      ...['/invoices/1/number unknown_invoice', '/invoices/3/invoiceId unknown_invoice'],
    ]);
    const { id } = await pay(company, 1, [], { customerName: 'A' });
    const unknown = [{ number: 'INV-9' }];
    for (const [path, body, ...expected] of [
      [
        '/allocations',
        { creditNoteId: id, date: 'today', invoices: unknown },
        ...['/date invalid_date', '/creditNoteId invalid_value'],
        '/invoices/0/number unknown_invoice',
      ],
      [
        '/refunds',
        { paymentId: UNKNOWN, amount: 0, date: '2026-11-20' },
        ...['/amount too_small', '/paymentId invalid_value'],
      ],
      [
        '/credit-notes',
        { invoiceId: foreign.id, date: '2026-11-20', reason: 'x' },
        ...['/reason invalid_value', '/invoiceId unknown_invoice'],
      ],
    ] as const)
      expect(await errorsOf(company, path, body), path).to.have.members(expected);
  });

  it('gets the transfer that is recorded, and the date before its invoice', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { date: '2026-11-10' });
    const { id } = await pay(company, 5, [], { customerName: 'A', externalId: 'T' });
    const body = { date: '2026-11-20', externalId: ' T', amount: 0 };
    const again = await company.post('/payments', { ...body, customerName: 'B' });
    expect(fieldErrors(again)).to.have.members([
      ...['/amount too_small', '/externalId already_exists'],
    ]);
    expect(again.body.existingId).to.equal(id);
    const refund = { ...body, paymentId: id, amount: 1 };
    created(await company.post('/refunds', refund));
    expect(await errorsOf(company, '/refunds', { ...refund, method: 'x' })).to.have.members([
      ...['/method invalid_value', '/externalId already_exists'],
    ]);
    const early = { date: '2026-11-09', restock: 'no' };
    expect(await errorsOf(company, `/invoices/${invoice.id}/void`, early)).to.have.members([
      ...['/date invalid_date', '/restock wrong_type'],
    ]);
  });

  it('gets the invoices of other customers, by their records', async () => {
    const company = await makeCompany(stack());
    const record = created(await company.post('/customers', { name: 'Quay', aliases: ['Pier'] }));
    const of = (customerName: string) => issue(company, { customerName });
    const [quay, pier, other] = [await of('Quay'), await of('Pier'), await of('Other')];
    const invoices = (...named: Json[]) => named.map(({ id }) => ({ invoiceId: id }));
    const paid = { amount: 1, date: 'today', invoices: invoices(quay, pier) };
    const mixed = { ...paid, invoices: invoices(quay, pier, other) };
    const { id } = await pay(company, 1, [], { customerName: 'Pier' });
    for (const [path, body, ...expected] of [
      ['/payments', paid],
      ['/payments', { ...paid, customerName: 'pier' }],
      ['/payments', { ...paid, customerName: 'Other' }, '/customerName mixed_customers'],
      [
        '/payments',
        { ...paid, invoices: invoices(other), customerId: record.id },
        '/customerId mixed_customers',
      ],
      ['/payments', mixed, '/invoices/2 mixed_customers'],
      [
        '/allocations',
        { paymentId: id, date: 'today', invoices: mixed.invoices },
        '/invoices/2 mixed_customers',
      ],
    ] as const) {
      const all = ['/date invalid_date', ...expected];
      expect(await errorsOf(company, path, body), JSON.stringify(body)).to.have.members(all);
    }
  });

  it('gets what it asks of its invoice in vain, with the places of its items', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pump', delta: 5 });
    const items = [{ name: 'Pump', qty: 2, price: 10 }];
    const invoice = await issue(company, { date: '2026-11-10', items });
    const body = { invoiceId: invoice.id, date: '2026-11-09', reason: 'x' };
    const credits = [
      { line: 1, qty: -1 },
      { line: 9, amount: 1 },
      { line: 1, qty: 3 },
    ];
    expect(await errorsOf(company, '/credit-notes', { ...body, items: credits })).to.have.members([
      ...['/reason invalid_value', '/date invalid_date', '/items/0/qty too_small'],
      ...['/items/1/line invalid_value', '/items/2/restock required'],
      '/items/2/qty credit_exceeds_invoice',
    ]);
    expect(await errorsOf(company, '/credit-notes', body)).to.have.members([
      ...['/reason invalid_value', '/date invalid_date', '/restock required'],
    ]);
  });
});

describeMode('postgres', 'a write of the ledger that comes too late', stack => {
  const conflict = (company: TestCompany, code: string, path: string, body: object) =>
    refused(stack(), company, 409, code, () => company.post(path, body));

  it('finds nothing left of a payment that is reversed', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const { id } = await pay(company, 30, [invoice]);
    created(await company.post(`/payments/${id}/reversal`, { date: '2026-11-26' }));
    const [give, take] = [1, -1].map(amount => ({
      paymentId: id,
      invoices: [{ invoiceId: invoice.id, amount }],
    }));
    const rest = await conflict(company, 'amount_exceeds_unallocated', '/allocations', give ?? {});
    expect(rest).to.deep.include({ requested: 1, available: 0 });
    await conflict(company, 'amount_exceeds_due', '/allocations', take ?? {});
    const refund = { paymentId: id, amount: 1, date: '2026-11-27' };
    const none = await conflict(company, 'amount_exceeds_unallocated', '/refunds', refund);
    expect(none).to.deep.include({ requested: 1, available: 0 });
  });

  it('finds nothing due on an invoice that is void, and names each invoice', async () => {
    const company = await makeCompany(stack());
    const [invoice, other] = [await issue(company), await issue(company)];
    const { id } = await pay(company, 30, [], { customerName: invoice.customerName });
    created(await company.post(`/invoices/${invoice.id}/void`, {}));
    const invoices = [
      { invoiceId: invoice.id, amount: 1 },
      { invoiceId: other.id, amount: 101 },
    ];
    const expected = [
      ['/invoices/0/amount', invoice.id, 1, 0],
      ['/invoices/1/amount', other.id, 101, 100],
    ];
    const sent: [string, object][] = [
      ['/payments', { amount: 200, date: '2026-11-24', invoices }],
      ['/allocations', { paymentId: id, invoices }],
    ];
    for (const [path, body] of sent) {
      const { errors } = await conflict(company, 'amount_exceeds_due', path, body);
      const found = errors.map(({ pointer, invoiceId, requested, available }: Json) => [
        ...[pointer, invoiceId, requested, available],
      ]);
      expect(found, path).to.deep.equal(expected);
    }
  });

  it('cannot put the goods of a void invoice onto an archived item, or too many', async () => {
    const company = await makeCompany(stack());
    const [pump = ''] = await receive(company, { name: 'Pump', delta: 4 });
    const invoice = await issue(company, { items: [{ name: 'Pump', qty: 4, price: 10 }] });
    await company.patch(`/inventory/${pump}`, { archived: true });
    await conflict(company, 'invalid_state', `/invoices/${invoice.id}/void`, {});
    await company.patch(`/inventory/${pump}`, { archived: false });
    await stack().sql('UPDATE items SET on_hand = 99999999999 WHERE id = $1', [pump]);
    const { errors } = await refused(stack(), company, 422, 'validation_failed', () =>
      company.post('/credit-notes', creditNote(invoice, { restock: true })),
    );
    expect(errors[0]).to.deep.include({ code: 'too_large' });
    const restock = { restock: false };
    created(await company.post(`/invoices/${invoice.id}/void`, restock));
  });

  it('names the transfer of a payment that is recorded, to a job as well', async () => {
    const company = await makeCompany(stack());
    const first = await pay(company, 5, [await issue(company)], { externalId: 'T' });
    const body = { amount: 1, date: '2026-11-24', customerName: 'Other', externalId: 'T' };
    const again = await conflict(company, 'already_exists', '/payments', body);
    expect(again.existingId).to.equal(first.id);
    expect(again.errors[0].pointer).to.equal('/externalId');
  });
});

describeMode('postgres', 'a number in place of an id', stack => {
  let company: TestCompany;
  before(async () => {
    company = await makeCompany(stack());
  });

  for (const [path, list] of [
    ['/payments/TX-1', 'payments?externalId'],
    ['/credit-notes/CN-000001', 'credit-notes?number'],
    ['/credit-notes/CN-000001/pdf', 'credit-notes?number'],
    ['/credit-notes/CN-000001/ubl', 'credit-notes?number'],
  ] as const)
    it(`in ${path} is not found, and the answer names the list that finds it`, async () => {
      const { status, body } = await company.get(path);
      expect(status).to.equal(404);
      const number = path.split('/')[2];
      expect(body.detail).to.contain(`search with GET /api/external/${list}=${number}.`);
    });

  it('in the path of a reversal is not found, and the answer names the list', async () => {
    const { body } = await company.post('/payments/TX-1/reversal', { date: '2026-11-29' });
    expect(body.detail).to.contain('GET /api/external/payments?externalId=TX-1.');
  });

  it('of a document to send, or of the list of e-mails, gets the list that finds it', async () => {
    for (const [member, list] of [
      ['invoiceId', 'invoices'],
      ['creditNoteId', 'credit-notes'],
    ] as const) {
      const { body } = await company.post('/emails', { [member]: 'X-1' });
      expect(body.errors[0].detail).to.equal(
        `Must be a UUID. GET /api/external/${list}?number= finds it.`,
      );
    }
    const { body } = await company.get('/emails?documentId=INV-000001');
    expect(body.detail).to.equal(
      '"documentId" must be a UUID. GET /api/external/invoices?number= or ' +
        'GET /api/external/credit-notes?number= finds it.',
    );
  });
});
