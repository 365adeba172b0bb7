// Integrations → Events.
import { expect } from 'chai';
import { makeCustomer } from '../support/customers.js';
import { signedIn } from '../support/dashboard.js';
import { makeCompany, receive } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { issue } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const PAGE = '/integrations/events';

describeMode('postgres', 'the page of events', stack => {
  it('says that there are none', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    expect(textOf(await browser.get(PAGE))).to.contain('No events yet');
  });

  it('lists the newest first, with links to their records', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const [item = ''] = await receive(company, { name: 'Pump', delta: 1 });
    const invoice = await issue(company);
    const { text } = await browser.get(PAGE);
    const positions = ['invoice.created', 'stock.changed', 'item.created'].map(type =>
      text.indexOf(`<code class="wraps">${type}`),
    );
    expect(positions).to.deep.equal(positions.toSorted((one, other) => one - other));
    expect(text).to.contain(`href="/invoices/${invoice.id}"`);
    expect(text).to.contain(`href="/inventory/${item}"`);
  });

  it('goes back page by page to the oldest', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    for (let count = 1; count <= 60; count += 1)
      await makeCustomer(company, { name: `Customer <${count}>` });
    const newest = await browser.get(PAGE);
    expect(newest.text).to.contain('Customer &lt;60>').and.not.contain('Customer &lt;10>');
    const [, older = ''] = /href="([^"]*before=11)"/u.exec(newest.text) ?? [];
    const oldest = await browser.get(older);
    expect(oldest.text).to.contain('Customer &lt;10>').and.contain('Customer &lt;1>');
    expect(oldest.text).not.to.contain('before=');
    expect((await browser.get(`${PAGE}?before=x`)).status).to.equal(200);
  });

  it('is for owners', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    expect((await browser.get(PAGE)).status).to.equal(403);
  });
});
