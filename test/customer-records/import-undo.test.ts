// Undoing an import of customers within a day: what it restores, and what keeps it from that.
import { expect } from 'chai';
import { makeCustomer } from '../support/customers.js';
import { type Browser, makeSignedIn } from '../support/dashboard.js';
import type { TestCompany } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { CUSTOMERS, importFile, startUndo, undoImport, untilImported } from '../support/imports.js';
import { issue } from '../support/ledger.js';
import { runScript } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'undoing an import of customers', stack => {
  const arrange = () => makeSignedIn(stack());
  const imported = async (browser: Browser, content: string) => {
    const { headers } = await importFile(browser, { ...CUSTOMERS, content });
    const path = String(headers.location);
    await untilImported(browser, path);
    return path;
  };
  const records = async (company: TestCompany) =>
    (await company.get('/customers')).body.map(
      ({ updatedAt: _at, ...record }: Record<string, unknown>) => record,
    );

  it('restores what rows changed and deletes what they added, once for two clicks', async () => {
    const { company, browser } = await arrange();
    await makeCustomer(company, { name: 'A', number: 'N-1', externalId: 'x-1', phone: '1' });
    await makeCustomer(company, { name: 'B', number: 'N-2', aliases: ['Bee'] });
    const before = await records(company);
    const path = await imported(
      browser,
      // N-1 moves to a new customer, whose deletion makes it free again.
      'external id,number,name,phone\nx-1,N-9,A2,2\n,N-1,New,3\n,,Bee,4\n,,A2,5\n,,B,4',
    );
    expect(await records(company)).to.have.length(3);
    const clicks = await Promise.all([1, 2].map(() => startUndo(browser, path)));
    expect(clicks.map(({ status }) => status)).to.deep.equal([303, 303]);
    await untilImported(browser, path);
    expect(textOf(await browser.get(path))).to.contain('This import was undone.');
    expect(await records(company)).to.deep.equal(before);
    const { stdout } = runScript('src/commands/verify.js', [], stack().env);
    expect(stdout).to.contain('"checked"').and.not.contain(company.companyId);
  });

  it('is refused as a whole if a customer has changed since, or is used', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, { name: 'A', phone: '1' });
    await makeCustomer(company, { name: 'Same', phone: '1' });
    const path = await imported(browser, 'name,phone\nA,2\nSame,2\nNew,2');
    await issue(company, { customerName: 'New' });
    await company.patch(`/customers/${id}`, { phone: '3' });
    const changed = await records(company);
    const page = textOf(await undoImport(browser, path));
    expect(page.replaceAll(' :', ':'))
      .to.contain('Nothing was undone: 2 customers')
      .and.contain('New: Invoices or payments have its name.')
      .and.contain('A: Edited, merged or deleted');
    expect(await records(company)).to.deep.equal(changed);
  });

  it('is not possible for rows that an earlier release applied, or for a stranger', async () => {
    const { company, browser } = await arrange();
    const { browser: stranger } = await arrange();
    const path = await imported(browser, 'name\nA');
    expect((await stranger.post(path, `${path}/undo`, {})).status).to.equal(404);
    await stack().sql('UPDATE customer_imports SET rows_recorded = 0 WHERE company_id = $1', [
      company.companyId,
    ]);
    expect(textOf(await browser.get(path))).to.not.contain('Undo import');
    await startUndo(browser, path);
    expect(await records(company)).to.have.length(1);
  });
});
