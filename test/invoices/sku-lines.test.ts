// Lines that name an item by its SKU and leave their name or price to it.
import { expect } from 'chai';
import { fieldErrors, invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { inBothModes } from '../support/suite.js';

const request = (...items: object[]) => invoiceRequest({ items });

inBothModes('a line with a SKU alone', stack => {
  const arrange = async () => {
    const company = await makeCompany(stack());
    const [pipe = '', hose = ''] = await receive(
      company,
      { name: 'Copper Pipe', sku: 'CP-1', delta: 10, unitPrice: 2.5 },
      { name: 'Hose', sku: 'H-1', delta: 10 },
    );
    return { company, pipe, hose };
  };

  it('has the name and the price of the item, unless it has its own', async () => {
    const { company, pipe, hose } = await arrange();
    const { status, body } = await company.post(
      '/invoices',
      request(
        { sku: 'cp-1', qty: 2 },
        { sku: 'CP-1', qty: 1, name: 'Pipe, cut', price: null },
        { sku: 'h-1', qty: 1, name: null, price: 4 },
      ),
    );
    expect(status, JSON.stringify(body)).to.equal(201);
    const lines = body.items.map(
      ({ name, sku, price, amount, itemId }: Record<string, unknown>) => {
        return [name, sku, price, amount, itemId];
      },
    );
    expect(lines).to.deep.equal([
      ['Copper Pipe', 'CP-1', 2.5, 5, pipe],
      ['Pipe, cut', 'CP-1', 2.5, 2.5, pipe],
      ['Hose', 'H-1', 4, 4, hose],
    ]);
    expect(body.total).to.equal(11.5);
  });

  it('needs an item that exists, and a price if the item has none', async () => {
    const { company } = await arrange();
    const refused = await company.post(
      '/invoices',
      request({ sku: 'H-1', qty: 1 }, { sku: 'none', qty: 1 }, { qty: 1 }, { sku: 'CP-1', qty: 0 }),
    );
    expect(fieldErrors(refused).sort()).to.deep.equal([
      '/items/0/price required',
      '/items/1/sku unknown_item',
      '/items/2/name required',
      '/items/2/price required',
      '/items/3/qty too_small',
    ]);
  });

  it('is filled in each invoice of a batch', async () => {
    const { company, pipe } = await arrange();
    const { status, body } = await company.post('/invoices/batch', {
      invoices: [request({ sku: 'cp-1', qty: 1 }), request({ sku: 'none', qty: 1 }), null],
    });
    expect(status).to.equal(200);
    const [first, second, third] = body.results;
    expect([first.status, first.invoice.items[0].itemId]).to.deep.equal([201, pipe]);
    expect([second.status, second.problem.errors[0].code]).to.deep.equal([422, 'unknown_item']);
    expect(third.status).to.equal(422);
  });

  it('is replayed with its first name and price, whatever became of the item', async () => {
    const { company, pipe, hose } = await arrange();
    const [body, other] = [request({ sku: 'CP-1', qty: 10 }), request({ sku: 'h-1', qty: 1 })];
    const send = (sent: object, key: string) =>
      company.post('/invoices', sent, { headers: { 'idempotency-key': key } });
    const first = await send(body, 'a');
    expect(first.status).to.equal(201);
    expect((await company.patch(`/inventory/${pipe}`, { unitPrice: 9 })).status).to.equal(200);
    const replays = [await send(body, 'a')];
    expect((await company.patch(`/inventory/${pipe}`, { archived: true })).status).to.equal(200);
    replays.push(await send(body, 'a'));
    for (const { status, body: replayed, headers } of replays) {
      expect([status, headers['idempotency-replayed']]).to.deep.equal([201, 'true']);
      expect(replayed).to.deep.equal(first.body);
    }
    const batch = await company.post(
      '/invoices/batch',
      { invoices: [body] },
      { headers: { 'idempotency-key': 'batch' } },
    );
    expect(batch.body.results[0].status).to.equal(422);
    // A refusal by the web process is not stored: the key can be used once the item has a price.
    expect((await send(other, 'b')).status).to.equal(422);
    expect((await company.patch(`/inventory/${hose}`, { unitPrice: 3 })).status).to.equal(200);
    expect((await send(other, 'b')).body.total).to.equal(3);
  });
});
