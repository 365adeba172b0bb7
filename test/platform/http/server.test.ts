// Below the application: bytes that are not HTTP, slow clients, and how connections end.
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { HttpServer, SERVER_LIMITS } from '../../../src/platform/http/server.js';
import { send } from '../../support/client.js';
import { invoiceRequest, makeCompany } from '../../support/factories.js';
import { until } from '../../support/processes.js';
import { exchange, openRaw, statusOf } from '../../support/raw.js';
import { describeMode } from '../../support/suite.js';

describeMode('postgres', 'a connection', stack => {
  const host = 'Host: localhost\r\n';
  /** The head of a POST /invoices with these headers. */
  const postHead = (key: string, ...headers: string[]) =>
    [
      'POST /api/external/invoices HTTP/1.1',
      'Host: localhost',
      `x-api-key: ${key}`,
      ...headers,
      '\r\n',
    ].join('\r\n');
  const JSON_TYPE = 'Content-Type: application/json';
  /** A request with both lengths, which smugglers use. */
  const twoLengths =
    `POST /healthz HTTP/1.1\r\n${host}Content-Length: 4\r\n` +
    'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  const notHttp: Record<string, [bytes: string | Buffer, status: number]> = {
    'bytes of another protocol': [
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc]),
      400,
    ],
    'an HTTP/2 preface': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    'an unknown method': [`BREW /healthz HTTP/1.1\r\n${host}\r\n`, 400],
    'no Host': ['GET /healthz HTTP/1.1\r\n\r\n', 400],
    'two Hosts': [`GET /healthz HTTP/1.1\r\n${host}${host}\r\n`, 400],
    'a NUL in a header': [`GET /healthz HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`, 400],
    'a space in a header name': [`GET /healthz HTTP/1.1\r\n${host}X A: b\r\n\r\n`, 400],
    'a raw NUL in the path': [`GET /a\0b HTTP/1.1\r\n${host}\r\n`, 400],
    'a fragment in the target': [`GET //x@[#a HTTP/1.1\r\n${host}\r\n`, 400],
    'a target that is not a URL': [`GET http://[ HTTP/1.1\r\n${host}\r\n`, 400],
    'a CONNECT': [`CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, 400],
    'headers over 16 KB': [
      `GET /healthz HTTP/1.1\r\n${host}X-A: ${'a'.repeat(17_000)}\r\n\r\n`,
      431,
    ],
    'a target over 16 KB': [`GET /${'a'.repeat(17_000)} HTTP/1.1\r\n${host}\r\n`, 431],
    'a flood of small headers': [
      `GET /healthz HTTP/1.1\r\n${host}${'a:b\r\n'.repeat(2_500)}\r\n`,
      431,
    ],
    'both Content-Length and Transfer-Encoding': [twoLengths, 400],
    'two Content-Lengths': [
      `POST /healthz HTTP/1.1\r\n${host}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`,
      400,
    ],
    'an unknown Transfer-Encoding': [
      `POST /healthz HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    'a negative Content-Length': [
      `POST /healthz HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
      400,
    ],
    'a folded header': [`GET /healthz HTTP/1.1\r\n${host}X-A: b\r\n c\r\n\r\n`, 400],
    'a bare line feed': [`GET /healthz HTTP/1.1\n${host}\n\n`, 400],
  };
  for (const [title, [bytes, status]] of Object.entries(notHttp)) {
    it(`gets a bare ${status} and is closed after ${title}`, async () => {
      const text = await exchange(stack().web.port, bytes);
      expect(statusOf(text), text).to.equal(status);
      expect(text).to.match(/\r\nConnection: close\r\n/iu);
      expect(text.slice(text.indexOf('\r\n\r\n') + 4)).to.equal('');
    });
  }

  it('gets no second answer from bytes smuggled behind a refused request', async () => {
    const smuggled = `GET /healthz HTTP/1.1\r\n${host}\r\n`;
    const text = await exchange(stack().web.port, twoLengths + smuggled);
    expect(text.match(/HTTP\/1\.1/gu)).to.have.length(1);
  });

  it('gets the answers to pipelined requests in order', async () => {
    const { baseUrl: _baseUrl, web } = stack();
    const text = await exchange(
      web.port,
      `GET /healthz HTTP/1.1\r\n${host}\r\n` +
        `GET /nothing HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    );
    expect([...text.matchAll(/HTTP\/1\.1 (\d{3})/gu)].map(match => match[1])).to.deep.equal([
      '200',
      '404',
    ]);
  });

  it('may use the absolute form of a target', async () => {
    const text = await exchange(
      stack().web.port,
      `GET http://localhost/api/external/invoices HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    );
    expect(statusOf(text)).to.equal(401);
  });

  it('gets a problem and is closed if the answer comes before the end of the body', async () => {
    const company = await makeCompany(stack());
    const post = (key: string) =>
      `${postHead(key, 'Content-Type: text/plain', 'Content-Length: 100')}half`;
    const [unsupported, unauthorised] = await Promise.all([
      exchange(stack().web.port, post(company.key)),
      exchange(stack().web.port, post('tpk_wrong')),
    ]);
    expect([statusOf(unsupported), statusOf(unauthorised)]).to.deep.equal([415, 401]);
    for (const text of [unsupported, unauthorised]) {
      expect(text).to.match(/\r\nConnection: close\r\n/iu);
      expect(text).to.contain('application/problem+json');
    }
  });

  it('gets the 413 to a large body even if the client reads only after sending', async () => {
    const company = await makeCompany(stack());
    const bytes = 4 * 1024 * 1024;
    const connection = openRaw(stack().web.port);
    connection.socket.pause();
    connection.socket.write(postHead(company.key, JSON_TYPE, `Content-Length: ${bytes}`));
    await new Promise(resolve => connection.socket.write(Buffer.alloc(bytes, 0x20), resolve));
    connection.socket.resume();
    await connection.closed;
    expect(statusOf(connection.text())).to.equal(413);
    expect(connection.text())
      .to.contain('payload_too_large')
      .and.to.match(/\r\nConnection: close\r\n/iu);
  });

  it('is asked for its body (100) only if the request is not refused first', async () => {
    const company = await makeCompany(stack());
    const body = JSON.stringify(invoiceRequest());
    const head = (type: string, length: number) =>
      postHead(
        company.key,
        `Content-Type: ${type}`,
        `Content-Length: ${length}`,
        'Expect: 100-continue',
        'Connection: close',
      );
    const refused = await exchange(stack().web.port, head('text/plain', 10), 900);
    expect(statusOf(refused), 'at once: the body is not sent').to.equal(415);
    expect(statusOf(await exchange(stack().web.port, head('application/json', 600_000)))).to.equal(
      413,
    );
    const connection = openRaw(stack().web.port);
    connection.socket.write(head('application/json', body.length));
    await until('asked to go on', async () => connection.text().includes('100 Continue'));
    connection.socket.write(body);
    await connection.closed;
    expect(connection.text()).to.contain('HTTP/1.1 201 ');
  });

  it('that ends in the middle of a body writes nothing', async () => {
    const company = await makeCompany(stack());
    const body = JSON.stringify(invoiceRequest());
    const connection = openRaw(stack().web.port);
    connection.socket.end(
      postHead(company.key, JSON_TYPE, `Content-Length: ${body.length + 1}`) + body,
    );
    await connection.closed;
    expect((await company.get('/invoices')).body).to.deep.equal([]);
  });

  it('that ends before its body is read is not logged as an error', async () => {
    const company = await makeCompany(stack());
    const head = postHead(company.key, JSON_TYPE, 'Content-Length: 1000');
    const { length: before } = stack().web.output();
    const output = () => stack().web.output().slice(before);
    const seen = () =>
      output()
        .split('\n')
        .filter(line => line.includes(company.companyId)).length;
    // With growing pauses, until some connections end after the headers were read.
    for (let round = 0; round < 100 && (round < 20 || seen() < 2); round += 1) {
      const connection = openRaw(stack().web.port);
      await new Promise(resolve => connection.socket.write(head, resolve));
      await pause(round % 20);
      connection.socket.resetAndDestroy();
      await connection.closed;
    }
    expect((await company.get('/summary')).status).to.equal(200);
    await until('some headers were read', async () => seen() > 1);
    expect(output()).not.to.include('unexpected error');
  });

  it('that is slow does not slow down others', async () => {
    const company = await makeCompany(stack());
    const slow = Array.from({ length: 200 }, (_, at) => {
      const connection = openRaw(stack().web.port);
      connection.socket.write(
        at % 2
          ? `GET /api/external/invoices HTTP/1.1\r\n${host}x-api`
          : `${postHead(company.key, JSON_TYPE, 'Content-Length: 500')}{"customerName":`,
      );
      return connection;
    });
    const started = performance.now();
    for (let at = 0; at < 10; at += 1)
      expect((await company.get('/invoices')).status).to.equal(200);
    expect(performance.now() - started).to.be.below(2_000);
    for (const { socket } of slow) socket.destroy();
  });

  it('stays open for the next request', async () => {
    const connection = openRaw(stack().web.port);
    const get = `GET /healthz HTTP/1.1\r\n${host}\r\n`;
    connection.socket.write(get);
    await until('first answer', async () => connection.text().endsWith('}'));
    connection.socket.write(get);
    await until('second answer', async () => connection.text().split('HTTP/1.1 200').length === 3);
    expect(connection.text()).to.match(/Connection: keep-alive/iu);
    connection.socket.destroy();
  });

  it('with an invalid escape or %00 in its path gets 404', async () => {
    const company = await makeCompany(stack());
    for (const path of [
      '/%zz',
      '/invoices/%00',
      '/invoices/%ff',
      '/invoices/..%2f',
      '//invoices',
      '/invoices/',
      '/INVOICES',
    ]) {
      const { status, body, headers } = await company.get(path);
      expect([status, body.code], path).to.deep.equal([404, 'not_found']);
      expect(headers['content-type']).to.equal('application/problem+json');
    }
    for (const path of ['/%zz', '/API/external/invoices', '/%00', '/api/externalx']) {
      const { status, body } = await send(stack().baseUrl, 'GET', path);
      expect([status, body.code], path).to.deep.equal([404, 'not_found']);
    }
  });

  it('with a slash at the end of its path learns the path without it', async () => {
    const company = await makeCompany(stack());
    const detailOf = async (method: string, path: string) => {
      const url = `/api/external${path}`;
      const { status, body } = await send(stack().baseUrl, method, url, { key: company.key });
      return [status, body.detail];
    };
    const nothing = 'There is nothing at this path.';
    for (const [method, path, meant] of [
      ['GET', '/invoices/', '/invoices'],
      ['POST', '/invoices/', '/invoices'],
      ['GET', '/jobs/x/', '/jobs/x'],
    ] as const) {
      const sentence = `${nothing} Did you mean /api/external${meant}?`;
      expect(await detailOf(method, path), path).to.deep.equal([404, sentence]);
    }
    for (const path of ['/nothing/', '/', '/invoices//', '/nothing'])
      expect(await detailOf('GET', path), path).to.deep.equal([404, nothing]);
  });

  it('with an invalid escape or %00 in its query gets 400', async () => {
    const company = await makeCompany(stack());
    for (const query of [
      'limit=%zz',
      'customerName=%00',
      'customerName=%ff',
      'reference=a%',
      '%zz=1',
      'cursor=%00',
    ]) {
      const { status, body } = await company.get(`/invoices?${query}`);
      expect([status, body.code], query).to.deep.equal([400, 'invalid_parameter']);
    }
  });
});

describe('the HTTP server', () => {
  const servers: HttpServer[] = [];
  const start = async (handler: RequestListener) => {
    const server = new HttpServer(handler, {
      ...SERVER_LIMITS,
      headersTimeoutMs: 300,
      requestTimeoutMs: 600,
      exchangeTimeoutMs: 900,
      maxConnections: 50,
      announceMinMs: 50,
      announceMs: 200,
      finishMs: 700,
    });
    servers.push(server);
    return { server, port: await server.listen(0, '127.0.0.1') };
  };
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(server => server.close()));
  });

  it('gives clients 10 s for headers of up to 16 KB, and 30 s for the whole request', () => {
    const { headersTimeoutMs, requestTimeoutMs, maxHeaderBytes } = SERVER_LIMITS;
    expect([headersTimeoutMs, requestTimeoutMs, maxHeaderBytes]).to.deep.equal([
      10_000, 30_000, 16_384,
    ]);
  });

  it('gives clients 2 minutes to read the answer, and serves 10,000 connections', () => {
    const { exchangeTimeoutMs, maxConnections } = SERVER_LIMITS;
    expect([exchangeTimeoutMs, maxConnections]).to.deep.equal([120_000, 10_000]);
  });

  it('closes a connection without a request', async () => {
    const { port } = await start((_request, response) => response.end('ok'));
    expect(statusOf(await exchange(port, ''))).to.equal(408);
  });

  it('cuts off a client that drips bytes or does not read its answer, and frees both', async () => {
    let closed = 0;
    const { port } = await start((request, response) => {
      response.once('close', () => (closed += 1));
      request.resume().on('end', () => response.end(Buffer.alloc(20 * 1024 * 1024)));
    });
    const drip = openRaw(port);
    drip.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n');
    const timer = setInterval(() => drip.socket.write('x'), 50);
    const deaf = openRaw(port);
    deaf.socket.pause();
    deaf.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await drip.closed;
    clearInterval(timer);
    await until('both are closed', async () => closed === 2);
    deaf.socket.destroy();
  });

  it('closes connections above its limit at once, and serves the others', async () => {
    const { port } = await start((_request, response) => response.end('ok'));
    const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    const first = openRaw(port);
    first.socket.write(get);
    await until('the first answer', async () => first.text().endsWith('ok'));
    const more = Array.from({ length: 60 }, () => openRaw(port));
    let gone = 0;
    for (const { closed } of more) void closed.then(() => (gone += 1));
    await until('those above the limit are closed', async () => gone === 11);
    first.socket.write(get);
    await until('the first one still works', async () => first.text().split('ok').length === 3);
    for (const { socket } of [first, ...more]) socket.destroy();
  });

  it('answers headers and bodies that take too long with a bare 408 and closes', async () => {
    const { port } = await start((request, response) => {
      request.resume().on('end', () => response.end('ok'));
    });
    const texts = await Promise.all([
      exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n'),
      exchange(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf'),
    ]);
    for (const text of texts) {
      expect(statusOf(text), text).to.equal(408);
      expect(text).to.match(/\r\nConnection: close\r\n/iu);
    }
  });

  it('finishes requests when it stops, closes idle connections and cuts slow ones', async () => {
    const { server, port } = await start((request, response) => {
      if (request.url === '/never') return;
      setTimeout(() => response.end('done'), request.url === '/slow' ? 400 : 0);
    });
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const [idle, slow, never, silent] = [
      openRaw(port),
      openRaw(port),
      openRaw(port),
      openRaw(port),
    ];
    idle.socket.write(get('/'));
    slow.socket.write(get('/slow'));
    never.socket.write(get('/never'));
    await until('first answer', async () => idle.text().endsWith('done'));
    const stopped = server.close();
    const late = openRaw(port);
    late.socket.write(get('/'));
    await Promise.all([
      stopped,
      idle.closed,
      slow.closed,
      never.closed,
      silent.closed,
      late.closed,
    ]);
    expect(slow.text()).to.match(/connection: close[\s\S]*done$/iu);
    expect(late.text(), 'a connection right after the stop is still served').to.match(
      /connection: close[\s\S]*done$/iu,
    );
    expect(never.text()).to.equal('');
    const free = createServer();
    await new Promise<void>(resolve => free.listen(port, '127.0.0.1', resolve));
    await new Promise(resolve => free.close(resolve));
  });
});
