// Payments and allocations of customers with a record, and the lists of everything that is theirs.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { changeCustomer, freshKey, makeCustomer } from '../support/customers.js';
import { fieldErrors, makeCompany, type TestCompany } from '../support/factories.js';
import { created, credit, issue, pay, payment, refused } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'a payment', stack => {
  it('with a customerId gets the name of the record', async () => {
    const company = await makeCompany(stack());
    const acme = await makeCustomer(company, { name: 'Acme', aliases: ['ACME Ltd'] });
    const body = payment(50, [], { customerId: acme.id });
    const paid = created(await company.post('/payments', body));
    expect(paid).to.include({ customerName: 'Acme', unallocated: 50 });
    expect(paid).not.to.have.property('customerId');
    const invoice = await issue(company, { customerName: 'acme LTD' });
    const { customerName } = created(
      await company.post('/payments', payment(1, [invoice], { customerId: acme.id })),
    );
    expect(customerName).to.equal('Acme');
  });

  it('keeps the name that was sent, and has that of its first invoice without one', async () => {
    const company = await makeCompany(stack());
    await makeCustomer(company, { name: 'Acme', aliases: ['ACME Ltd'], number: 'K-7' });
    const invoices = [
      await issue(company, { customerName: 'acme ltd' }),
      await issue(company, { customerName: 'ACME' }),
    ];
    for (const [more, name] of [
      [{ customerName: 'Acme LTD' }, 'Acme LTD'],
      [{ customerNumber: 'k-7' }, 'Acme'],
      [{}, 'acme ltd'],
    ] as const) {
      const paid = created(await company.post('/payments', payment(2, invoices, more)));
      expect(paid.customerName).to.equal(name);
      expect(paid).not.to.have.any.keys('customerId', 'customerNumber');
    }
  });

  it('is refused for the number of a record as a name, or for two ways to name it', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'Acme', number: 'K-7' });
    const { key } = await freshKey(stack(), company);
    for (const [more, errors] of [
      [{ customerName: 'k-7' }, ['/customerName invalid_value']],
      [{ customerNumber: 'K-8' }, ['/customerNumber unknown_customer']],
      [{ customerNumber: 'K-7', customerId: id }, ['/customerNumber invalid_value']],
      [{ customerNumber: 'K-7', customerName: 'Acme' }, ['/customerName invalid_value']],
      [{ customerNumber: null }, ['/customerName required']],
    ] as const) {
      const answer = await company.post('/payments', payment(5, [], more), { key });
      expect(fieldErrors(answer)).to.deep.equal(errors);
      if ('customerName' in more && more.customerName === 'k-7')
        expect([answer.body.existingId, answer.body.errors[0].existingId]).to.deep.equal([id, id]);
    }
  });

  it('is refused for another customer than that of its invoices, or for none', async () => {
    const company = await makeCompany(stack());
    const acme = await makeCustomer(company, { name: 'Acme' });
    const archived = await makeCustomer(company, { name: 'Archived' });
    await changeCustomer(company, archived, { archived: true });
    const invoice = await issue(company, { customerName: 'Other' });
    for (const [invoices, more, error] of [
      [[invoice], { customerId: acme.id }, '/customerId mixed_customers'],
      [[invoice], { customerNumber: acme.number }, '/customerNumber mixed_customers'],
      [[invoice], { customerName: 'Acme' }, '/customerName mixed_customers'],
      [[invoice], { customerId: archived.id }, '/customerId unknown_customer'],
      [[], { customerId: uuidv7() }, '/customerId unknown_customer'],
      [[], { customerId: 'x' }, '/customerId invalid_value'],
      [[], { customerId: acme.id, customerName: 'Acme' }, '/customerName invalid_value'],
      [[], { customerId: null }, '/customerName required'],
    ] as [Json[], object, string][]) {
      const body = await refused(stack(), company, 422, 'validation_failed', () =>
        company.post('/payments', payment(5, invoices, { ...more })),
      );
      expect(body.errors.map((each: Json) => `${each.pointer} ${each.code}`)).to.deep.equal([
        error,
      ]);
    }
  });

  it('pays invoices with different names of one record, and no others', async () => {
    const company = await makeCompany(stack());
    const names = ['Acme', 'ACME Ltd', 'Other'];
    const [a, b, other] = await Promise.all(
      names.map(customerName => issue(company, { customerName })),
    );
    const both = () => company.post('/payments', payment(200, [a, b]));
    expect(fieldErrors(await both())).to.deep.equal(['/invoices/1 mixed_customers']);
    const acme = await makeCustomer(company, { name: 'Acme', aliases: ['acme ltd'] });
    for (const [invoices, more] of [
      [[a, other], {}],
      [[a], { customerName: 'Other' }],
    ] as const)
      await refused(stack(), company, 422, 'validation_failed', () =>
        company.post('/payments', payment(5, invoices, more)),
      );
    await makeCustomer(company, { name: 'Other' });
    expect(fieldErrors(await company.post('/payments', payment(5, [a, other])))).to.deep.equal([
      '/invoices/1 mixed_customers',
    ]);
    const paid = created(
      await company.post('/payments', payment(150, [a, b], { customerName: 'ACME' })),
    );
    expect(paid.allocations.map(({ amount }: Json) => amount)).to.deep.equal([100, 50]);
    await company.delete(`/customers/${acme.id}`);
  });

  it('and a credit note are allocated to invoices with another name of the record', async () => {
    const company = await makeCompany(stack());
    const [a, b] = await Promise.all(
      ['Acme', 'ACME Ltd'].map(customerName => issue(company, { customerName })),
    );
    const spare = await pay(company, 30, [], { customerName: 'Acme' });
    await pay(company, 100, [a]);
    const note = await credit(company, a, { items: [{ line: 1, amount: 20 }] });
    const toB = (source: object) =>
      company.post('/allocations', { ...source, invoices: [{ invoiceId: b.id }] });
    expect(fieldErrors(await toB({ paymentId: spare.id }))).to.deep.equal([
      '/invoices/0 mixed_customers',
    ]);
    const [one, other] = [
      await makeCustomer(company, { name: 'Acme' }),
      await makeCustomer(company, { name: 'Acme Ltd' }),
    ];
    expect(fieldErrors(await toB({ paymentId: spare.id }))).to.deep.equal([
      '/invoices/0 mixed_customers',
    ]);
    await company.post(`/customers/${one.id}/merge`, { customerId: other.id });
    created(await toB({ paymentId: spare.id }));
    created(await toB({ creditNoteId: note.id }));
    expect((await company.get(`/invoices/${b.id}`)).body.amountDue).to.equal(50);
  });
});

describeMode('postgres', 'the filter customerId', stack => {
  const LISTS = ['/invoices', '/payments', '/refunds', '/credit-notes'];
  /** A payment, a refund, a paid invoice and a credit note of a customer. */
  const trade = async (company: TestCompany, customerName: string) => {
    const invoice = await issue(company, { customerName });
    const paid = await pay(company, 110, [invoice]);
    created(await company.post('/refunds', { paymentId: paid.id, amount: 4, date: '2026-11-26' }));
    await credit(company, invoice, { items: [{ line: 1, amount: 10 }] });
  };
  const names = async (company: TestCompany, list: string, query: string) => {
    const { status, body, text } = await company.get(`${list}?${query}`);
    expect(status, text).to.equal(200);
    return body.map(({ customerName }: Json) => customerName);
  };

  it('lists what has any name of the record, and what was merged', async () => {
    const company = await makeCompany(stack());
    for (const name of ['Acme', 'ACME Ltd', 'Merged', 'Plain']) await trade(company, name);
    const acme = await makeCustomer(company, { name: 'Acme', aliases: ['Acme Ltd', 'Unused'] });
    const merged = await makeCustomer(company, { name: 'Merged' });
    const unused = await makeCustomer(company, { name: 'Nothing' });
    const foreign = await makeCustomer(await makeCompany(stack()), { name: 'Acme' });
    for (const list of LISTS) {
      expect(await names(company, list, `customerId=${acme.id}`), list).to.deep.equal([
        ...['ACME Ltd', 'Acme'],
      ]);
      expect(await names(company, list, `customerId=${merged.id}`)).to.deep.equal(['Merged']);
      for (const id of [unused.id, foreign.id, uuidv7()])
        expect(await names(company, list, `customerId=${id}`)).to.deep.equal([]);
      const named = `customerId=${acme.id.toUpperCase()}&customerName=`;
      expect(await names(company, list, `${named}acme`)).to.deep.equal(['Acme']);
      expect(await names(company, list, `${named}Plain`)).to.deep.equal([]);
      const wrong = await company.get(`${list}?customerId=acme`);
      expect([wrong.status, wrong.body.code, wrong.body.parameter]).to.deep.equal([
        ...[400, 'invalid_parameter', 'customerId'],
      ]);
    }
    await company.post(`/customers/${acme.id}/merge`, { customerId: merged.id });
    for (const list of LISTS)
      for (const { id } of [acme, merged])
        expect(await names(company, list, `customerId=${id}`), list).to.deep.equal([
          ...['Merged', 'ACME Ltd', 'Acme'],
        ]);
  });

  it('lists pages in the order of the list, with the other filters', async () => {
    const company = await makeCompany(stack());
    const dates = ['2026-11-03', '2026-11-01', '2026-11-02', '2026-11-02', '2026-11-04'];
    for (const [index, date] of dates.entries())
      await issue(company, { customerName: `Name ${index % 3}`, date, reference: `R${index}` });
    const aliases = ['Name 1', 'Name 2'];
    const { id } = await makeCustomer(company, { name: 'Name 0', aliases });
    const all = (await company.get('/invoices')).body;
    const found: Json[] = [];
    let path: string | undefined = `/invoices?customerId=${id}&limit=2`;
    while (path) {
      const { body, headers } = await company.get(path);
      found.push(...body);
      path = /external([^>]*)>/u.exec(String(headers.link ?? ''))?.[1];
    }
    expect(found).to.deep.equal(all);
    const references = async (query: string) =>
      (await company.get(`/invoices?customerId=${id}&${query}`)).body.map(
        ({ reference }: Json) => reference,
      );
    expect(await references('reference=R3')).to.deep.equal(['R3']);
    expect(await references('from=2026-11-02&to=2026-11-02')).to.deep.equal(['R3', 'R2']);
    expect(await references('status=paid')).to.deep.equal([]);
    expect(await references('number=INV-000001')).to.deep.equal(['R0']);
    expect(await references('customerName=name 1')).to.deep.equal(['R4', 'R1']);
  });

  it('lists money that no invoice has, of credit notes too', async () => {
    const company = await makeCompany(stack());
    for (const name of ['Acme', 'ACME Ltd']) await trade(company, name);
    const { id } = await makeCustomer(company, { name: 'Acme', aliases: ['Acme Ltd'] });
    const open = await issue(company, { customerName: 'Acme' });
    const { body: notes } = await company.get('/credit-notes?customerName=Acme');
    const invoices = [{ invoiceId: open.id }];
    created(await company.post('/allocations', { creditNoteId: notes[0].id, invoices }));
    for (const query of ['', `&customerId=${id}`])
      expect(await names(company, '/credit-notes', `unallocated=1${query}`)).to.deep.equal([
        ...['ACME Ltd'],
      ]);
    expect(await names(company, '/payments', `unallocated=1&customerId=${id}`)).to.have.length(2);
    expect(await names(company, '/credit-notes', 'unallocated=0')).to.have.length(2);
    const { status } = await company.get('/credit-notes?unallocated=yes');
    expect(status).to.equal(400);
  });
});
