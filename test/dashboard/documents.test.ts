// Settings → Documents, and the documents of invoices and credit notes.
import { expect } from 'chai';
import { type Browser, PASSWORD, signedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { credit, issue } from '../support/ledger.js';
import { pngOf } from '../support/pictures.js';
import { describeMode } from '../support/suite.js';

const DOCUMENTS = '/settings/documents';
const ADDRESS = { 'address.line1': '1 Quay', 'address.city': 'Bremen', 'address.country': 'DE' };
const IBAN = 'DE89 3704 0044 0532 0130 00';

describeMode('postgres', 'the pages of documents', stack => {
  const save = async (browser: Browser, changes: Record<string, string>) => {
    const fields = fieldsOf(await browser.get(DOCUMENTS)) as Record<string, string>;
    return browser.post(DOCUMENTS, DOCUMENTS, { ...fields, ...changes });
  };

  it('let an owner fill in the profile, and show it to a reader without buttons', async () => {
    const { companyId } = await makeCompany(stack());
    const { browser } = await signedIn(stack(), companyId);
    expect((await save(browser, { ...ADDRESS, email: 'billing@example.org' })).status).to.equal(
      303,
    );
    const fields = fieldsOf(await browser.get(DOCUMENTS));
    expect(fields).to.include({ ...ADDRESS, email: 'billing@example.org', language: 'en' });
    const { browser: reader } = await signedIn(stack(), companyId, { role: 'readonly' });
    const page = await reader.get(DOCUMENTS);
    expect(page.status).to.equal(200);
    expect(page.text).not.to.match(/>Save<|>Upload</u);
    const { browser: member } = await signedIn(stack(), companyId, { role: 'member' });
    expect((await member.get(DOCUMENTS)).status).to.equal(403);
  });

  it('need the password for a new IBAN, and for nothing else', async () => {
    const { companyId } = await makeCompany(stack());
    const { browser } = await signedIn(stack(), companyId);
    const refused = await save(browser, { iban: IBAN });
    expect(refused.status).to.equal(422);
    expect(refused.text).to.contain('A new IBAN needs your password.');
    const wrong = await save(browser, { iban: IBAN, currentPassword: 'not my password' });
    expect(wrong.text).to.contain('This is not your current password.');
    const right = await save(browser, { iban: IBAN, currentPassword: PASSWORD });
    expect(right.status, textOf(right)).to.equal(303);
    expect((await save(browser, { bankName: 'Sparkasse' })).status).to.equal(303);
    expect(fieldsOf(await browser.get(DOCUMENTS))).to.include({ iban: 'DE89370400440532013000' });
  });

  it('take a logo, and show a sample', async () => {
    const { companyId } = await makeCompany(stack());
    const { browser } = await signedIn(stack(), companyId);
    await save(browser, ADDRESS);
    const content = await pngOf(20, 10, [9, 90, 160]);
    const sent = await browser.upload(
      DOCUMENTS,
      `${DOCUMENTS}/logo`,
      {},
      { name: 'l.png', content },
    );
    expect(sent.status, textOf(sent)).to.equal(303);
    expect((await browser.get(DOCUMENTS)).text).to.contain('data:image/png;base64,');
    const sample = await browser.get(`${DOCUMENTS}/sample`);
    expect(sample.headers['content-type']).to.equal('application/pdf');
    expect(sample.bytes.includes('/Subtype /Image')).to.equal(true);
    const removed = await browser.post(DOCUMENTS, `${DOCUMENTS}/logo/remove`, {});
    expect(removed.status).to.equal(303);
    expect((await browser.get(DOCUMENTS)).text).not.to.contain('data:image');
  });

  it('preview the form of an invoice as a PDF that is marked, and create nothing', async () => {
    const owner = await makeCompany(stack());
    const { browser } = await signedIn(stack(), owner.companyId);
    const path = '/invoices/new';
    const preview = async (changes: Record<string, string>) => {
      const fields = fieldsOf(await browser.get(path)) as Record<string, string>;
      const line = { 'items.0.name': 'Pump', 'items.0.qty': '2', 'items.0.price': '50' };
      const filled = { ...fields, customerName: 'Castle', ...line, ...changes };
      return browser.post(path, path, { ...filled, do: 'preview' });
    };
    expect((await preview({})).status, 'without an address').to.equal(409);
    await save(browser, ADDRESS);
    const wrong = await preview({ 'items.0.qty': '-1' });
    expect(wrong.status).to.equal(422);
    const pdf = await preview({});
    expect(pdf.status, textOf(pdf).slice(0, 500)).to.equal(200);
    expect(pdf.headers['content-disposition']).to.equal('inline; filename="draft.pdf"');
    expect(pdf.bytes.includes('factur-x.xml')).to.equal(false);
    expect((await owner.get('/invoices')).body).to.deep.equal([]);
  });

  it('open documents, or say what is missing and where to enter it', async () => {
    const owner = await makeCompany(stack());
    const { browser } = await signedIn(stack(), owner.companyId);
    const invoice = await issue(owner);
    const note = await credit(owner, invoice);
    const missing = await browser.get(`/invoices/${invoice.id}/pdf`);
    expect(missing.status).to.equal(409);
    expect(missing.text).to.contain(`href="${DOCUMENTS}"`);
    await save(browser, ADDRESS);
    for (const path of [
      `/invoices/${invoice.id}/pdf`,
      `/invoices/${invoice.id}/delivery-note`,
      `/credit-notes/${note.id}/pdf`,
    ]) {
      const { status, headers } = await browser.get(path);
      expect(status).to.equal(200);
      expect(headers['content-disposition']).to.match(/^inline; filename="(INV|CN)-000001/u);
    }
    const ubl = await browser.get(`/invoices/${invoice.id}/ubl`);
    expect(textOf(ubl)).to.contain('Enter the customer’s address'.replace('’', "'"));
    expect(ubl.text).to.contain('/customers/name?name=');
    const { browser: warehouse } = await signedIn(stack(), owner.companyId, { role: 'warehouse' });
    expect((await warehouse.get(`/invoices/${invoice.id}/pdf`)).status).to.equal(403);
  });
});
