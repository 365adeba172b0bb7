// A field takes its limits from the request schema that its form names.
import { expect } from 'chai';
import { signedIn } from '../support/dashboard.js';
import { makeCompany, receive } from '../support/factories.js';
import { readSources } from '../support/sources.js';
import { describeMode } from '../support/suite.js';

const tagOf = (html: string, name: string) =>
  new RegExp(`<(?:input|textarea)[^>]* name="${name}"[^>]*>`, 'u').exec(html)?.[0] ?? '';

describeMode('postgres', 'the limits of fields', stack => {
  it('tell a page the longest note before anybody types it', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const [itemId] = await receive(company, { name: 'Pump', delta: 1 });
    const longest = [
      ['/invoices/new', 1_000],
      ['/customers/new', 2_000],
      [`/inventory/${itemId}`, 1_000],
    ] as const;
    for (const [path, limit] of longest) {
      const note = tagOf((await browser.get(path)).text, 'note');
      expect(note, path).to.contain(`maxlength="${limit}"`);
      expect(note, path).not.to.contain('required');
    }
  });

  it('tell a number from a text, and a required field from an optional one', async () => {
    const { companyId } = await makeCompany(stack());
    const { browser } = await signedIn(stack(), companyId);
    const { text: page } = await browser.get('/invoices/new');
    expect(tagOf(page, 'items.0.qty')).to.contain('inputmode="decimal"').and.contain('required');
    expect(tagOf(page, 'items.new.sku')).to.contain('maxlength="64"').and.not.contain('required');
    expect(tagOf(page, 'customerName')).to.contain('maxlength="255"').and.contain('required');
  });

  it('are kept by a form that was refused', async () => {
    const { companyId } = await makeCompany(stack());
    const { browser } = await signedIn(stack(), companyId);
    const { text: page } = await browser.post('/invoices/new', '/invoices/new', { note: 'A' });
    expect(tagOf(page, 'note')).to.contain('maxlength="1000"');
  });

  it('are stated in no page', () => {
    const isPage = (path: string) => /^src\/dashboard\/(?!kit\/|browser\/).*\.tsx$/u.test(path);
    const stated = readSources().filter(
      ({ path, text }) => isPage(path) && /maxLength=/u.test(text),
    );
    expect(stated.map(({ path }) => path)).to.deep.equal([]);
  });
});
