// The log line of a request: its level says who needs to read it.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { pino } from 'pino';
import { createAssets } from '../../../src/platform/http/assets.js';
import { problems } from '../../../src/platform/http/errors.js';
import { requestLog } from '../../../src/platform/http/request-log.js';
import { createRouter } from '../../../src/platform/http/router.js';
import { until } from '../../support/processes.js';

describe('the log of requests', () => {
  it('has pages and missing assets at info, and other assets at debug', async () => {
    const lines: { level: number; route: string; status: number }[] = [];
    const log = pino({ level: 'debug' }, { write: line => lines.push(JSON.parse(line)) });
    const assets = createAssets('/assets', () => new Map([['page.css', Buffer.from('a{}')]]));
    const router = createRouter();
    router.get('/page', ctx => {
      ctx.body = 'page';
    });
    assets.addTo(router);
    const app = new Koa()
      .use(requestLog(log))
      .use(problems(log))
      .use(router.routes() as never);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      for (const path of ['/page', assets.path('page.css'), '/assets/0/none.css'])
        await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
      await until('all are logged', async () => lines.length === 3);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(lines.map(({ level, route, status }) => [level, route, status])).to.deep.equal([
      [pino.levels.values.info, '/page', 200],
      [pino.levels.values.debug, '/assets/*path', 200],
      [pino.levels.values.info, '/assets/*path', 404],
    ]);
  });
});
