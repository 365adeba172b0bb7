// The guide's program for orders from a shop, run as printed on a connection that loses answers.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { freshKey } from '../support/customers.js';
import { makeCompany, receive } from '../support/factories.js';
import { temporaryDirectory } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { guideBlocks } from './guide-blocks.js';

const run = promisify(execFile);

describeMode('postgres', 'the guide to orders from a shop', stack => {
  it('has a program that books an order once, however many answers are lost', async () => {
    const company = await makeCompany(stack());
    const { key } = await freshKey(stack(), company);
    await receive(company, { name: 'Pump', sku: 'HS-006', delta: 10 });
    const [program = ''] = await guideBlocks(stack(), 'shop-orders');
    const folder = await temporaryDirectory();
    const proxy = await losesFirstAnswers(stack().baseUrl);
    const book = async (text: string) => {
      const file = join(folder.path, 'shop-order.mjs');
      await writeFile(file, text);
      const { port } = proxy.address() as AddressInfo;
      const env = { TRADEPOST_URL: `http://127.0.0.1:${port}`, TRADEPOST_KEY: key };
      return (await run(process.execPath, [file], { env: { ...process.env, ...env } })).stdout;
    };
    const list = async (path: string): Promise<Json[]> => (await company.get(path, { key })).body;
    try {
      expect(await book(program)).to.equal('INV-000001 169 0\n');
      expect(await book(program), 'again').to.equal('INV-000001 169 0\n');
      expect((await list('/customers')).map(({ externalId }) => externalId)).to.deep.equal([
        'shop-771',
      ]);
      expect((await list('/invoices')).map(({ status }) => status)).to.deep.equal(['paid']);
      expect((await list('/payments')).map(({ externalId }) => externalId)).to.deep.equal([
        'ch_3QK2eZ',
      ]);
      expect((await list('/inventory')).map(({ onHand }) => onHand)).to.deep.equal([8]);

      const namesake = program
        .replaceAll('SO-5012', 'SO-5013')
        .replaceAll('shop-771', 'shop-772')
        .replaceAll('ch_3QK2eZ', 'ch_3QK9aA');
      expect(await book(namesake)).to.equal('INV-000002 169 0\n');
      expect((await list('/customers')).map(({ name }) => name)).to.deep.equal([
        'Bright & Sons',
        'Bright & Sons (shop-772)',
      ]);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
      await folder.remove();
    }
  });
});

/** Passes requests on. Of equal ones, the first answer is lost, and the second one is a 503. */
async function losesFirstAnswers(target: string): Promise<Server> {
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const name = `${request.method} ${request.url} ${request.headers['idempotency-key']}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count === 2) {
      response.writeHead(503, { 'retry-after': '0', 'content-type': 'application/problem+json' });
      response.end('{"code":"service_unavailable"}');
      return;
    }
    const { 'x-api-key': key = '', 'idempotency-key': once } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        'x-api-key': String(key),
        ...(once === undefined ? {} : { 'idempotency-key': String(once) }),
        ...(body.length > 0 ? { 'content-type': 'application/json' } : {}),
      },
      ...(body.length > 0 ? { body } : {}),
    });
    const text = await answer.text();
    if (count === 1) {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}
