// The endpoints of documents: what they refuse and why, their headers, and what they show.
import { expect } from 'chai';
import fc from 'fast-check';
import { changeProfile } from '../../src/companies/profile/service.js';
import { updateSettings } from '../../src/customer-records/settings.js';
import { prepareDocument } from '../../src/documents/service.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import type { Json } from '../support/client.js';
import { changeCustomer, makeCustomer } from '../support/customers.js';
import { addKey, makeCompany, type TestCompany } from '../support/factories.js';
import { credit, issue, pay } from '../support/ledger.js';
import { describeMode, openForTests } from '../support/suite.js';

const ADDRESS = { line1: '1 Quay', city: 'Bremen', postalCode: '28195', country: 'DE' };
const PROFILE = { address: ADDRESS, taxId: 'DE123456789', iban: 'DE89370400440532013000' };
const TAXED = { items: [{ name: 'Pump', qty: 2, price: 50, taxRate: 19 }] };
const CUSTOMER = 'Castle';

describeMode('postgres', 'the documents of the API', stack => {
  before(() => {
    openForTests(stack().databaseUrl, 4);
  });
  after(closeDatabase);

  const company = async (profile: object = PROFILE, currency = 'EUR'): Promise<TestCompany> => {
    const made = await makeCompany(stack(), { currency });
    await changeProfile(made.companyId, profile, null);
    return made;
  };
  const complete = async (): Promise<{ owner: TestCompany; customer: Json }> => {
    const owner = await company();
    const customer = await makeCustomer(owner, { name: CUSTOMER, address: ADDRESS });
    return { owner, customer };
  };
  const sold = (owner: TestCompany, more: object = {}) =>
    issue(owner, { customerName: CUSTOMER, ...TAXED, ...more });
  const rules = ({ body }: Json) =>
    (body.errors ?? []).map((error: Json) => `${error.rule} ${error.pointer}`);

  it('needs the address of the seller, and names it', async () => {
    const owner = await makeCompany(stack());
    const { id } = await sold(owner);
    for (const form of ['pdf', 'ubl', 'cii', 'delivery-note']) {
      const response = await owner.get(`/invoices/${id}/${form}`);
      expect(response.status, form).to.equal(409);
      expect(response.body.code).to.equal('document_incomplete');
      expect(rules(response)).to.deep.equal(['BR-08 /company/address']);
    }
  });

  it('is a plain PDF without data of the buyer, and names what an e-invoice needs', async () => {
    const owner = await company({ address: ADDRESS });
    const { id } = await sold(owner);
    const pdf = await owner.get(`/invoices/${id}/pdf`);
    expect(pdf.status, pdf.text.slice(0, 300)).to.equal(200);
    expect(pdf.headers['document-profile']).to.equal('plain');
    const ofSeller = ['BR-CO-26 /company/taxId', 'BR-S-02 /company/taxId'];
    const missing = [...ofSeller, 'BR-10 /customer/address'];
    for (const path of ['pdf?profile=en16931', 'ubl', 'cii']) {
      const refused = await owner.get(`/invoices/${id}/${path}`);
      expect(refused.status).to.equal(409);
      expect(rules(refused), path).to.deep.equal(missing);
      expect(refused.headers['content-type']).to.match(/^application\/problem\+json/u);
    }
  });

  it('is an e-invoice once the data that were missing are entered', async () => {
    const owner = await company({ address: ADDRESS });
    const { id } = await sold(owner);
    await changeProfile(owner.companyId, { taxId: 'DE123456789' }, null);
    await makeCustomer(owner, { name: CUSTOMER, address: ADDRESS });
    const pdf = await owner.get(`/invoices/${id}/pdf?profile=en16931`);
    expect(pdf.headers['document-profile']).to.equal('en16931');
    const ubl = await owner.get(`/invoices/${id}/ubl`);
    expect(ubl.text).to.match(/<cbc:PayableAmount currencyID="EUR">119.00</u);
  });

  it('has the headers of the contract', async () => {
    const { owner } = await complete();
    const { id } = await sold(owner);
    const forms = {
      pdf: ['application/pdf', 'INV-000001.pdf', 'en16931'],
      ubl: ['application/xml', 'INV-000001.ubl.xml', 'en16931'],
      cii: ['application/xml', 'INV-000001.cii.xml', 'en16931'],
      'delivery-note': ['application/pdf', 'INV-000001-delivery-note.pdf', undefined],
    };
    for (const [form, [type, name, profile]] of Object.entries(forms)) {
      const { status, headers } = await owner.get(`/invoices/${id}/${form}`);
      expect(status).to.equal(200);
      expect(headers['content-type']?.split(';')[0]).to.equal(type);
      expect(headers['content-disposition']).to.equal(`inline; filename="${name}"`);
      expect(headers['document-profile']).to.equal(profile);
      expect(headers['cache-control']).to.equal('private, no-cache');
      expect(headers['content-security-policy']).to.equal('sandbox');
      expect(headers['x-content-type-options']).to.equal('nosniff');
    }
  });

  it('has a tag of its data, per content coding, and renders nothing for it', async () => {
    const { owner, customer } = await complete();
    const { id } = await sold(owner);
    for (const form of ['pdf', 'ubl', 'delivery-note']) {
      const path = `/invoices/${id}/${form}`;
      const first = await owner.get(path);
      const tag = String(first.headers.etag);
      const head = await owner.request('HEAD', path);
      expect(head.status).to.equal(200);
      expect(head.headers.etag).to.equal(tag);
      expect(head.headers['content-length']).to.equal(undefined);
      const same = await owner.get(path, { headers: { 'if-none-match': tag } });
      expect(same.status).to.equal(304);
      const packed = { headers: { 'accept-encoding': 'gzip' } };
      const coded = (await owner.get(path, packed)).headers;
      expect(coded.etag === tag, form).to.equal(form !== 'ubl');
      expect(coded['content-encoding']).to.equal(form === 'ubl' ? 'gzip' : undefined);
    }
    const before = (await owner.get(`/invoices/${id}/pdf`)).headers.etag;
    const french = await owner.get(`/invoices/${id}/pdf?language=fr&paper=letter`);
    expect(french.headers.etag).not.to.equal(before);
    await changeCustomer(owner, customer, { address: { line1: '9 New Street' } });
    expect((await owner.get(`/invoices/${id}/pdf`)).headers.etag).to.equal(before);
    await changeCustomer(owner, customer, { taxId: 'DE987654321' });
    expect((await owner.get(`/invoices/${id}/pdf`)).headers.etag).not.to.equal(before);
  });

  it('refuses wrong parameters, and formats that the client does not accept', async () => {
    const { owner } = await complete();
    const { id } = await sold(owner);
    const codeOf = async (path: string, headers: Record<string, string> = {}) => {
      const { status, body } = await owner.get(`/invoices/${id}/${path}`, { headers });
      return `${status} ${body?.code}`;
    };
    expect(await codeOf('pdf?language=pl')).to.equal('400 invalid_parameter');
    expect(await codeOf('pdf?paper=A4')).to.equal('400 invalid_parameter');
    expect(await codeOf('pdf?profile=xrechnung')).to.equal('400 invalid_parameter');
    expect(await codeOf('delivery-note?profile=en16931')).to.equal('400 unknown_parameter');
    expect(await codeOf('ubl?language=de')).to.equal('400 unknown_parameter');
    const json = { accept: 'application/json' };
    expect(await codeOf('pdf', json)).to.equal('406 not_acceptable');
    expect(await codeOf('cii', json)).to.equal('406 not_acceptable');
    expect(await codeOf('pdf', { accept: 'application/*' })).to.equal('200 undefined');
  });

  it('needs the scope invoices:read, and shows a company its own documents only', async () => {
    const { owner } = await complete();
    const invoice = await sold(owner);
    const note = await credit(owner, invoice);
    const other = await makeCompany(stack());
    for (const path of [`/invoices/${invoice.id}`, `/credit-notes/${note.id}`]) {
      expect((await owner.get(`${path}/pdf`)).status).to.equal(200);
      expect((await owner.get(`${path}/ubl`)).status).to.equal(200);
      expect((await other.get(`${path}/pdf`)).status).to.equal(404);
    }
    const { key } = await addKey(stack(), owner.companyId, ['payments:read', 'customers:read']);
    const refused = await owner.get(`/invoices/${invoice.id}/pdf`, { key });
    expect(refused.status).to.equal(403);
    expect(refused.body.requiredScope).to.equal('invoices:read');
  });

  it('refuses names that it cannot show, and names other characters', async () => {
    const owner = await company({ ...PROFILE, footer: 'Happy birthday \u{1f382}' });
    const { id } = await sold(owner, { customerName: 'Castle \u{1f3f0}' });
    const refused = await owner.get(`/invoices/${id}/pdf`);
    expect(refused.body.code).to.equal('document_unavailable');
    expect(refused.body.errors[0]).to.include({
      pointer: '/customer/name',
      code: 'unsupported_character',
    });
    const other = await sold(owner, { note: '日' });
    const { headers } = await owner.get(`/invoices/${other.id}/pdf`);
    expect(headers['document-warnings']).to.equal('U+65E5, U+1F382');
    const delivery = await owner.get(`/invoices/${other.id}/delivery-note`);
    expect(delivery.headers['document-warnings']).to.equal(undefined);
  });

  it('names the characters that are drawn as another one, and no others', async () => {
    const drawn = { email: 'ann@\u4f8b.example', paymentTerms: '\u65e5' };
    const owner = await company({ ...PROFILE, ...drawn, iban: null, bankName: '\u6f22' });
    const invoice = await sold(owner);
    const note = await credit(owner, invoice);
    const warningsOf = async (path: string) => (await owner.get(path)).headers['document-warnings'];
    expect(await warningsOf(`/invoices/${invoice.id}/pdf`)).to.equal('U+4F8B, U+65E5');
    expect(await warningsOf(`/invoices/${invoice.id}/delivery-note`)).to.equal('U+4F8B');
    expect(await warningsOf(`/credit-notes/${note.id}/pdf`)).to.equal('U+4F8B');
  });

  it('does not show what happens after the issue', async () => {
    const { owner } = await complete();
    const [paid, empty] = [await sold(owner), await sold(owner)];
    const before = await Promise.all(
      [paid, empty].map(({ id }) => owner.get(`/invoices/${id}/pdf`)),
    );
    await pay(owner, 50, [paid]);
    await credit(owner, paid, { items: [{ line: 1, amount: 10 }] });
    expect((await owner.post(`/invoices/${empty.id}/void`, {})).status).to.equal(201);
    for (const [index, { id }] of [paid, empty].entries())
      expect((await owner.get(`/invoices/${id}/pdf`)).headers.etag).to.equal(
        before[index]?.headers.etag,
      );
  });

  it('is the same, byte by byte, from every process', async () => {
    const { owner } = await complete();
    const { id } = await sold(owner);
    const ref = { companyId: owner.companyId, type: 'invoice', id } as const;
    for (const form of ['pdf', 'ubl', 'cii', 'delivery-note'] as const) {
      const own = await (await prepareDocument(ref, form))?.render();
      const { bytes } = await owner.get(`/invoices/${id}/${form}`);
      expect(own?.equals(bytes), form).to.equal(true);
    }
  });

  it('never changes, whatever becomes of profile and record', async function () {
    this.timeout(120_000);
    const steps: readonly ((owner: TestCompany, customer: Json) => Promise<unknown>)[] = [
      owner => changeProfile(owner.companyId, { address: { line1: '2 Quay' } }, null),
      owner => changeProfile(owner.companyId, { taxId: null, footer: 'New' }, null),
      owner => updateSettings(owner.companyId, { name: 'Renamed' }),
      (owner, { id }) => owner.patch(`/customers/${id}`, { name: 'Tower' }),
      (owner, { id }) => owner.patch(`/customers/${id}`, { address: null, language: 'nl' }),
      (owner, { id }) => owner.patch(`/customers/${id}`, { address: { city: 'Kiel' } }),
      async (owner, { id }) => {
        const other = await owner.post('/customers', { name: `Moat ${Math.random()}` });
        await owner.post(`/customers/${other.body.id}/merge`, { customerId: id });
      },
    ];
    // Other work may hold the company's lock for longer than this process waits.
    const take = async (step: number, owner: TestCompany, customer: Json) => {
      const run = () => steps[step]?.(owner, customer);
      await Promise.resolve(run()).catch(() => run());
    };
    const anyStep = fc.nat(steps.length - 1);
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 3 }),
        fc.array(anyStep, { minLength: 1, maxLength: 4 }),
        async (earlier, later) => {
          const { owner, customer } = await complete();
          for (const step of earlier) await take(step, owner, customer);
          const invoice = await sold(owner);
          const note = await credit(owner, invoice);
          const paths = [`/invoices/${invoice.id}`, `/credit-notes/${note.id}`].flatMap(path =>
            ['pdf', 'cii'].map(form => `${path}/${form}`),
          );
          const read = () => Promise.all(paths.map(path => owner.get(path)));
          const before = await read();
          for (const step of later) await take(step, owner, customer);
          for (const [index, after] of (await read()).entries()) {
            // Data that were missing may have been added, which refused an e-invoice before.
            const [old] = [before[index]];
            if (old?.status !== 200 || old.headers['document-profile'] === 'plain') continue;
            expect(after.bytes.equals(old.bytes), paths[index]).to.equal(true);
          }
        },
      ),
      { numRuns: 5 },
    );
  });

  it('answers 503 to a company that asks for too many at once, and others in turn', async () => {
    const [{ owner: busy }, { owner: other }] = [await complete(), await complete()];
    const invoices = [];
    for (let index = 0; index < 12; index += 1) invoices.push(await sold(busy));
    const { id } = await sold(other);
    const asked = invoices.map(invoice => busy.get(`/invoices/${invoice.id}/pdf`));
    const fair = await other.get(`/invoices/${id}/pdf`);
    expect(fair.status).to.equal(200);
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 200).length).to.be.greaterThan(3);
    expect(refused.length).to.be.greaterThan(0);
    for (const { headers, body } of refused) {
      expect(headers['retry-after']).to.equal('1');
      expect(body.code).to.equal('service_unavailable');
    }
  });
});
