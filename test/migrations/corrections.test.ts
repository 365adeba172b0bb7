// The corrections that an issued invoice accepts: its row and its stored JSON change together.
import { expect } from 'chai';
import { invoiceRequest, makeCompany } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', "an issued invoice's JSON", stack => {
  it('shows a corrected customer name and reference, and is otherwise unchanged', async () => {
    const company = await makeCompany(stack());
    const { body: invoice } = await company.post('/invoices', invoiceRequest());
    const before = (await company.get(`/invoices/${invoice.id}`)).text;
    const correct = (customerName: string, reference: string | null) =>
      stack().sql('UPDATE invoices SET customer_name = $2, reference = $3 WHERE id = $1', [
        ...[invoice.id, customerName, reference],
      ]);
    await correct('Zoë "Ä" \\ Sons', 'PO-1');
    const after = (await company.get(`/invoices/${invoice.id}`)).text;
    expect(JSON.parse(after)).to.deep.equal({
      ...invoice,
      customerName: 'Zoë "Ä" \\ Sons',
      reference: 'PO-1',
    });
    await correct(invoice.customerName, null);
    expect((await company.get(`/invoices/${invoice.id}`)).text).to.equal(before);
  });
});
