// The part of the story that is about webhooks: an online shop gets the events of invoices.
import type { Json } from '../support/client.js';
import { makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { answerWith, startReceiver } from '../support/receiver.js';
import type { Stack } from '../support/suite.js';
import type { Recorder } from './recorder.js';

const invoice = {
  customerName: 'Bright & Sons',
  date: '2026-11-20',
  items: [{ name: 'Consulting', qty: 1.5, price: 95 }],
};

export async function tellWebhooks(recorder: Recorder, stack: Stack): Promise<void> {
  const company = await makeCompany(stack);
  const receiver = await startReceiver(answerWith(200, {}, 'ok'));
  receiver.server.on('request', (_request, response) => {
    response.sendDate = false;
  });
  recorder.startDay('2026-12-01');
  const send = (operation: string, call: Parameters<Recorder['send']>[2]): Promise<Json> =>
    recorder.send(company, operation, call);
  const url = `${receiver.url}/webhooks`;
  const { id } = await send('createWebhookEndpoint', {
    body: { url, types: ['invoice.*', 'stock.low'], description: 'Online shop' },
    mayTell: true,
    request: ['endpoint', 'An endpoint for the events of invoices, and low stock'],
    answer: ['endpoint', 'The endpoint with its secret, which is shown only now'],
  });
  const delivery = async (sequence: number): Promise<Json> => {
    await until(`delivery ${sequence}`, async () => {
      const { status } = await company.get(`/webhook-endpoints/${id}/deliveries/${sequence}`);
      return status === 200;
    });
  };
  await send('testWebhookEndpoint', {
    id,
    body: {},
    request: ['test', 'A test'],
    answer: ['attempt', 'The receiver has answered'],
  });
  await recorder.send(company, 'createInvoice', { body: invoice });
  await delivery(1);
  await send('listWebhookDeliveries', { id, answer: ['page', 'A page'] });
  const one = { id, sequence: 1 };
  await send('getWebhookDelivery', { ...one, answer: ['delivered', 'A delivery at first try'] });
  await send('redeliverWebhook', {
    ...one,
    body: {},
    request: ['again', 'The same bytes once more'],
    answer: ['accepted', 'It is sent again'],
  });
  await until('the redelivery', async () => receiver.received.length === 3);
  receiver.answer = answerWith(500);
  await recorder.send(company, 'createInvoice', { body: invoice });
  await delivery(2);
  await send('skipWebhookDelivery', {
    ...{ id, sequence: 2, body: {} },
    request: ['skip', 'A delivery that is pending'],
    answer: ['skipped', 'It is not tried again'],
  });
  await send('redeliverWebhooks', {
    id,
    body: { from: '2026-11-01T00:00:00.000Z', only: 'failed' },
    request: ['failed', 'The failed deliveries since a time'],
    answer: ['accepted', 'None has failed'],
  });
  const paused = await send('updateWebhookEndpoint', {
    id,
    body: { status: 'paused' },
    request: ['pause', 'Nothing is sent for a while'],
    answer: ['paused', 'The endpoint'],
  });
  await send('rotateWebhookSecret', {
    id,
    body: { overlapHours: 24 },
    mayTell: true,
    request: ['overlap', 'The former secret signs for another day'],
    answer: ['rotated', 'The endpoint with its new secret'],
  });
  await send('getWebhookEndpoint', { id, answer: [paused.status, 'A paused endpoint'] });
  await send('listWebhookEndpoints', { answer: ['all', 'All endpoints'] });
  await send('deleteWebhookEndpoint', { id });
}
