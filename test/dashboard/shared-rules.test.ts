// Rules that several pages, files and commands state: each page is compared with the others.
import { expect } from 'chai';
import { runAdmin } from '../support/commands.js';
import { formErrors, signedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { created, issue } from '../support/ledger.js';
import { addInvoices } from '../support/many-rows.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'rules that hold everywhere', stack => {
  it('accepts payment terms of 0 to 365 whole days, of companies and customers', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const settings = fieldsOf(await browser.get('/settings')) as Record<string, string>;
    const accepts = {
      settings: async (termsDays: string) => {
        const answer = await browser.send('/settings', { ...settings, termsDays });
        return answer.status === 303 || (formErrors(answer).termsDays ?? answer.status);
      },
      'customer form': async (termsDays: string) => {
        const fields = { name: `Form ${termsDays}`, termsDays };
        const answer = await browser.post('/customers/new', '/customers/new', fields);
        return answer.status === 303 || (formErrors(answer).termsDays ?? answer.status);
      },
      API: async (termsDays: string) => {
        const body = { name: `API ${termsDays}`, termsDays: Number(termsDays) };
        const answer = await company.post('/customers', body);
        return answer.status === 201 || answer.body.errors[0].detail;
      },
      command: (termsDays: string) =>
        runAdmin(
          stack(),
          ...['company', 'update', '--company', company.companyId, '--terms-days', termsDays],
        ).then(
          () => true,
          () => false,
        ),
    };
    for (const [place, accept] of Object.entries(accepts)) {
      for (const days of ['0', '365']) expect(await accept(days), place).to.equal(true);
      for (const days of ['366', '1.5'])
        expect(await accept(days), `${place} ${days}`).to.not.equal(true);
    }
    const reasons = [accepts.settings, accepts['customer form'], accepts.API].map(accept =>
      accept('1.5'),
    );
    expect(new Set(await Promise.all(reasons))).to.deep.equal(new Set(['Must be a whole number.']));
  });

  it('names a tax category alike in forms, histories, the report and its file', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const tax = { rate: 19, category: 'S' };
    const { id } = created(await company.post('/customers', { name: 'Quay', tax }));
    await company.patch(`/customers/${id}`, { tax: { rate: 0, category: 'Z' } });
    const items = [{ name: 'Work', qty: 1, price: 100, taxRate: 19 }];
    const { date } = await issue(company, { items });
    const month = date.slice(0, 7);
    const report = `?from=${month}&to=${month}`;
    const name = 'Standard rate';
    expect((await browser.get('/customers/new')).text).to.contain(`<option value="S">${name}<`);
    expect((await browser.get('/invoices/new')).text).to.contain(`>${name}</option>`);
    expect(textOf(await browser.get(`/customers/${id}/history`))).to.contain(name);
    await until('the report has the invoice', async () =>
      (await browser.get(`/tax-report${report}`)).text.includes(`${name} 19%`),
    );
    expect((await browser.get(`/tax-report/export.csv${report}`)).text).to.contain(`${name} 19%`);
  });

  it('separates the thousands of every count', async () => {
    const company = await makeCompany(stack());
    await addInvoices(stack(), company, 1_200, '', 1);
    const { browser } = await signedIn(stack(), company.companyId);
    expect(textOf(await browser.get('/payments/new'))).to.contain('1,200 open invoices');
    await until('the overview has all invoices', async () =>
      textOf(await browser.get('/')).includes('$22,200.00 1,200 invoices'),
    );
  });
});
