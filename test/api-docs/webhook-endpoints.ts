// Calls of the endpoints of webhooks, so that each of their statuses occurs.
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import type { TestCompany } from '../support/factories.js';
import { issue } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { answerWith, startReceiver } from '../support/receiver.js';
import type { Stack } from '../support/suite.js';
import { makeEndpoint } from '../support/webhooks.js';
import type { Call, Endpoint } from './statuses.test.js';

const COLLECTION = '/webhook-endpoints';

export async function callWebhooks(
  { sql }: Pick<Stack, 'sql'>,
  company: TestCompany,
  call: Call,
  callAsUsual: (endpoint: Endpoint) => Promise<void>,
): Promise<void> {
  const receiver = await startReceiver(answerWith(500));
  const first = await makeEndpoint(company, `${receiver.url}/1`);
  await issue(company, { customerName: 'Castle' });
  await issue(company, { customerName: 'Castle' });
  const pending = async (): Promise<Json[]> =>
    (await company.get(`${first.path}/deliveries?status=pending`)).body;
  await until('two deliveries', async () => (await pending()).length >= 2);
  const [{ sequence }] = (await pending()) as [Json];
  const at = (method: Endpoint['method'], more = '', body: Json = undefined): Endpoint => ({
    method,
    template: `${COLLECTION}/{id}${more}`,
    path: `${first.path}${more.replace('{sequence}', String(sequence))}`,
    body,
  });
  const reads = [
    { method: 'GET', template: COLLECTION, path: COLLECTION } as const,
    ...['', '/deliveries', '/deliveries/{sequence}'].map(more => at('GET', more)),
  ];
  const create = {
    ...({ method: 'POST', template: COLLECTION, path: COLLECTION } as const),
    body: { url: `${receiver.url}/2`, types: ['*'] },
  };
  const update = at('PATCH', '', { description: 'x' });
  const posts = [
    create,
    at('POST', '/rotate-secret', { overlapHours: 24 }),
    at('POST', '/test', {}),
    at('POST', '/redeliver', { sequences: [sequence] }),
    at('POST', '/deliveries/{sequence}/redeliver', {}),
    at('POST', '/deliveries/{sequence}/skip', {}),
  ];
  const remove = at('DELETE');
  for (const endpoint of [...reads, ...posts, update]) await callAsUsual(endpoint);
  // The second time, each is in another state: the URL exists, and the delivery is skipped.
  for (const endpoint of posts) await call(endpoint, { mayTell: true });
  for (const endpoint of [...posts, update]) {
    await call(endpoint, { raw: '{' });
    await call(endpoint, { raw: Buffer.alloc(513 * 1024, ' ') });
    await call(endpoint, { raw: 'a=1', headers: { 'content-type': 'text/plain' } });
    await call({ ...endpoint, body: { colour: 'red' } });
  }
  await call({ ...update, body: { url: create.body.url } });
  for (const endpoint of [create, update])
    await call({ ...endpoint, body: { ...create.body, url: `${receiver.url}/3`, after: 0 } });
  for (let count = 0; count < 4; count += 1) await call(posts[1] as Endpoint, { mayTell: true });
  await company.patch(first.path, { status: 'paused' });
  for (const endpoint of posts) await call(endpoint);
  await company.request('POST', `${first.path}/rotate-secret`, {
    json: { overlapHours: 0 },
    mayTell: true,
  });
  await sql('UPDATE webhook_secrets SET encrypted = $2 WHERE endpoint_id = $1', [
    ...[first.id, Buffer.alloc(60)],
  ]);
  await call(at('POST', '/test', {}));
  for (const endpoint of [...reads, ...posts, update, remove])
    if (endpoint.template.includes('{id}'))
      await call({ ...endpoint, path: endpoint.path.replace(first.id, uuidv7()) });
  await callAsUsual(remove);
}
