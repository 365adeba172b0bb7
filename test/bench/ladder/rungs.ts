// The rungs of the ladder, from the floors up to the whole product. Each one does what those before
// it do, and one step more.

export interface Rung {
  readonly name: string;
  readonly title: string;
  /** The worker replies at once, or plans and renders first. Absent: the rung needs no worker. */
  readonly worker?: 'reply' | 'plan';
}

export const RUNGS: readonly Rung[] = [
  { name: 'node', title: 'floor: node:http, JSON.parse' },
  { name: 'koa', title: 'floor: Koa, @koa/router, koa-bodyparser' },
  { name: 'log', title: 'Koa and the request log' },
  { name: 'headers', title: '+ security headers' },
  { name: 'representation', title: '+ ETag, compression' },
  { name: 'errors', title: '+ errors, methods' },
  { name: 'authenticate', title: '+ API key' },
  { name: 'limit', title: '+ rate limit' },
  { name: 'body', title: '+ router, body' },
  { name: 'checks', title: '+ checks of the invoice' },
  { name: 'submit', title: '+ submission, without a queue' },
  { name: 'queue', title: '+ queue, a worker that replies at once', worker: 'reply' },
  { name: 'plan', title: '+ plan and JSON in the worker, without Postgres', worker: 'plan' },
];
/** The last rung: the processes of the product. */
export const WHOLE: Rung = { name: 'whole', title: 'the whole product' };
