// The typed client that users generate from the document compiles and works against the service.
import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import createClient from 'openapi-fetch';
import type { paths } from '../../src/api-docs/client/tradepost.js';
import { send } from '../support/client.js';
import { invoiceRequest, makeCompany } from '../support/factories.js';
import { ROOT, temporaryDirectory } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { clientTypes, TYPES_FILE } from './client-types.js';
import { guideBlocks } from './guide-blocks.js';

const run = promisify(execFile);

describe('the types of the client', () => {
  it('are those of the document: if not, run `npm run client`', async () => {
    expect(await clientTypes()).to.equal(await readFile(TYPES_FILE, 'utf8'));
  });
});

describeMode('postgres', 'the guide to the typed client', stack => {
  it('has a program that compiles with the download, and lists invoices', async () => {
    const company = await makeCompany(stack());
    await company.post('/invoices', invoiceRequest({ customerName: 'Bright & Sons' }));
    const download = await send(stack().baseUrl, 'GET', '/docs/client/tradepost.d.ts');
    expect(download.headers).to.include({
      'content-disposition': 'attachment; filename="tradepost.d.ts"',
      'content-type': 'text/plain; charset=utf-8',
    });
    expect(download.text).to.equal(await clientTypes());
    const [install = '', program = ''] = await guideBlocks(stack(), 'client');
    expect(install).to.contain('/docs/client/tradepost.d.ts');
    const folder = await temporaryDirectory();
    try {
      await Promise.all([
        writeFile(join(folder.path, 'tradepost.d.ts'), download.text),
        writeFile(join(folder.path, 'program.mts'), program),
        symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules')),
      ]);
      const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
      const compiler = join(ROOT, 'node_modules/.bin/tsc');
      await run(compiler, [...options, 'program.mts'], { cwd: folder.path });
      const env = { ...process.env, TRADEPOST_URL: stack().baseUrl, TRADEPOST_KEY: company.key };
      const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder.path, env });
      expect(stdout).to.match(/^INV-000001 Bright & Sons [\d.]+\n$/u);
    } finally {
      await folder.remove();
    }
  });
});

describeMode('postgres', 'a client generated from the document', stack => {
  const clientOf = (key: string) =>
    createClient<paths>({
      baseUrl: `${stack().baseUrl}/api/external`,
      headers: { 'x-api-key': key },
    });

  it('receives stock, invoices it, lists it and reads the summary', async () => {
    const client = clientOf((await makeCompany(stack())).key);
    const adjusted = await client.POST('/inventory/adjustments', {
      body: { reason: 'received', items: [{ name: 'Pump', sku: 'P-1', delta: 5 }] },
    });
    expect(adjusted.response.status).to.equal(201);

    const created = await client.POST('/invoices', {
      params: { header: { 'Idempotency-Key': 'order-1' } },
      body: {
        customerName: 'Bright & Sons',
        date: '2026-11-20',
        items: [{ name: 'Pump', qty: 2, price: 84.5 }],
      },
    });
    // 201 and 202 have different bodies; an invoice has a total.
    if (!created.data || !('total' in created.data)) throw new Error('the invoice was not created');
    expect(created.data.total).to.equal(169);

    const { data: invoice } = await client.GET('/invoices/{id}', {
      params: { path: { id: created.data.id } },
    });
    expect(invoice?.number).to.equal('INV-000001');
    const { data: page } = await client.GET('/invoices', {
      params: { query: { limit: 10, customerName: 'bright & sons' } },
    });
    expect(page?.map(({ id }) => id)).to.deep.equal([created.data.id]);
    const { data: low } = await client.GET('/inventory', { params: { query: { low: '1' } } });
    expect(low).to.deep.equal([]);
    const { data: summary } = await client.GET('/summary');
    expect(summary?.inventory.items).to.equal(1);
  });

  it('invoices with tax, takes a payment, credits a return and refunds the rest', async () => {
    const company = await makeCompany(stack());
    const client = clientOf(company.key);
    await company.post('/inventory/adjustments', {
      reason: 'received',
      items: [{ name: 'Pump', delta: 5 }],
    });
    const { data: batch } = await client.POST('/invoices/batch', {
      body: {
        invoices: [
          {
            customerName: 'Bright & Sons',
            date: '2026-11-20',
            dueDate: '2026-12-20',
            items: [{ name: 'Pump', qty: 2, price: 84.5, taxRate: 19 }],
          },
        ],
      },
    });
    const [result] = batch?.results ?? [];
    if (!result || !('invoice' in result)) throw new Error('the invoice was not created');
    const { id, total, taxes } = result.invoice;
    expect(total).to.equal(201.11);
    expect(taxes).to.deep.equal([
      { category: 'S', rate: 19, base: 169, amount: 32.11, reason: null },
    ]);

    const paid = await client.POST('/payments', {
      body: { amount: 201.11, date: '2026-11-24', invoices: [{ invoiceId: id }], method: 'card' },
    });
    if (!paid.data || !('allocations' in paid.data)) throw new Error('nothing was paid');
    expect(paid.data.unallocated).to.equal(0);
    const credited = await client.POST('/credit-notes', {
      body: {
        invoiceId: id,
        date: '2026-11-26',
        reason: 'return',
        items: [{ line: 1, qty: 1, restock: true }],
      },
    });
    if (!credited.data || !('taxes' in credited.data)) throw new Error('nothing was credited');
    const refunded = await client.POST('/refunds', {
      body: {
        creditNoteId: credited.data.id,
        amount: credited.data.unallocated,
        date: '2026-11-27',
      },
    });
    expect(refunded.response.status).to.equal(201);

    const { data: entries } = await client.GET('/invoices/{id}/entries', {
      params: { path: { id } },
    });
    expect(entries?.map(({ type, amount }) => `${type} ${amount}`)).to.deep.equal([
      'payment -201.11',
      // Everything was paid, so the whole credit note is unallocated.
      'creditNote 0',
    ]);
    const again = await client.POST('/payments', {
      body: { amount: 1, date: '2026-11-24', invoices: [{ invoiceId: id, amount: 1 }] },
    });
    expect(again.error?.code).to.equal('amount_exceeds_due');
    expect(again.error?.errors?.map(({ available }) => available)).to.deep.equal([0]);
  });

  it('returns the typed problem of a refused request', async () => {
    const client = clientOf((await makeCompany(stack())).key);
    const { data, error } = await client.POST('/invoices', {
      body: { customerName: '', date: '2026-02-30', items: [] },
    });
    expect(data).to.equal(undefined);
    expect(error?.code).to.equal('validation_failed');
    expect(error?.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).to.deep.equal([
      '/customerName empty',
      '/date invalid_date',
      '/items empty',
    ]);
  });

  it('reads the job of a respond-async request', async () => {
    const client = clientOf((await makeCompany(stack())).key);
    const { data, response } = await client.POST('/invoices', {
      params: { header: { Prefer: 'respond-async' } },
      body: {
        customerName: 'Bright & Sons',
        date: '2026-11-20',
        items: [{ name: 'Delivery', qty: 1, price: 18.5 }],
      },
    });
    expect(response.status).to.equal(202);
    const { data: job } = await client.GET('/jobs/{id}', {
      params: { path: { id: data?.id ?? '' } },
    });
    expect(job?.type).to.equal('invoice.create');
  });
});
