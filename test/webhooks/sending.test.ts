// Attempts over real connections: receivers that answer, hang, lie and vanish.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { expect } from 'chai';
import type { AttemptOutcome } from '../../src/webhooks/sending/outcome.js';
import { isSuccess } from '../../src/webhooks/sending/outcome.js';
import { Sender } from '../../src/webhooks/sending/sender.js';
import { AddressRanges } from '../../src/webhooks/target/addresses.js';
import { type NameServer, startNameServer } from '../support/name-server.js';
import { temporaryDirectory } from '../support/processes.js';
import { requireProgram } from '../support/programs.js';
import { answerWith, startReceiver, startTcpReceiver } from '../support/receiver.js';
import { atEnd } from '../support/suite.js';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const GIGABYTE = 1_000_000_000;

describe('an attempt', () => {
  let names: NameServer;
  before(async () => {
    names = await startNameServer(() => ['127.0.0.1']);
  });

  const send = async (
    url: string,
    { ranges = LOOPBACK, body = '{"a":1}', signal = undefined as AbortSignal | undefined } = {},
  ): Promise<AttemptOutcome> => {
    const sender = new Sender({ ranges: new AddressRanges(ranges), nameServers: [names.address] });
    try {
      return await sender.send({ url, headers: { 'webhook-id': 'e1' }, body }, signal);
    } finally {
      sender.close();
    }
  };
  const rawAnswer = async (text: string, end = true) => {
    const receiver = await startTcpReceiver(socket =>
      socket.once('data', () => (end ? socket.end(text) : socket.write(text))),
    );
    return send(receiver.url);
  };

  it('sends the headers and the bytes, and reports what was answered', async () => {
    const receiver = await startReceiver(answerWith(202, { 'X-Trace': 'abc' }, 'thanks'));
    const body = JSON.stringify({ name: 'Bücher', text: 'x'.repeat(20_000) });
    const outcome = await send(`${receiver.url}/hooks?x=1`, { body });
    expect(outcome).to.deep.include({ status: 202, error: null, retryAfterMs: null });
    expect(outcome.response?.body).to.equal('thanks');
    expect(outcome.response?.headers).to.include({ 'x-trace': 'abc' });
    expect(isSuccess(outcome)).to.equal(true);
    const [webhook] = receiver.received;
    expect(webhook).to.include({ path: '/hooks?x=1', body });
    expect(webhook?.headers).to.include({
      'webhook-id': 'e1',
      'content-length': String(Buffer.byteLength(body)),
      host: `127.0.0.1:${receiver.port}`,
    });
  });

  it('succeeds with a status from 200 to 299 alone', async () => {
    const receiver = await startReceiver();
    for (const status of [200, 204, 299]) {
      receiver.answer = answerWith(status);
      expect(isSuccess(await send(receiver.url)), String(status)).to.equal(true);
    }
    for (const status of [400, 404, 410, 500, 599]) {
      receiver.answer = answerWith(status);
      const outcome = await send(receiver.url);
      expect(outcome, String(status)).to.include({ status, error: null });
      expect(isSuccess(outcome)).to.equal(false);
    }
  });

  it('follows no redirect', async () => {
    const other = await startReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await startReceiver(answerWith(status, { Location: other.url }));
      expect(await send(receiver.url)).to.include({ status, error: 'redirected' });
    }
    expect(other.received).to.deep.equal([]);
  });

  it('reads Retry-After of 429 and 503, up to a day', async () => {
    const receiver = await startReceiver();
    const pauseOf = async (status: number, value: string) => {
      receiver.answer = answerWith(status, { 'Retry-After': value });
      return (await send(receiver.url)).retryAfterMs;
    };
    expect(await pauseOf(429, '120')).to.equal(120_000);
    expect(await pauseOf(503, '99999999999')).to.equal(86_400_000);
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    expect(await pauseOf(503, inAnHour)).to.be.within(3_500_000, 3_600_000);
    for (const value of ['-1', 'soon', '0', new Date(0).toUTCString()])
      expect(await pauseOf(503, value), value).to.equal(null);
    expect(await pauseOf(500, '120')).to.equal(null);
  });

  it('stores the beginning of a long answer, and decides by its status line', async () => {
    const receiver = await startReceiver((_webhook, response) => {
      response.writeHead(200, { 'X-Long': 'x'.repeat(3_000), 'Content-Length': GIGABYTE });
      const chunk = Buffer.alloc(65_536, 'a');
      const pour = () => {
        while (response.write(chunk)) if (response.destroyed) return;
        response.once('drain', pour);
      };
      pour();
    });
    const outcome = await send(receiver.url);
    expect(isSuccess(outcome)).to.equal(true);
    expect(outcome.response?.body).to.equal('a'.repeat(1_024));
    // A long header hides no other one.
    expect(outcome.response?.headers).to.have.property('content-length');
    expect(JSON.stringify(outcome.response?.headers).length).to.be.at.most(2_300);
    expect(outcome.durationMs).to.be.below(5_000);
  });

  it('stores text of an answer that is none', async () => {
    const receiver = await startReceiver((_webhook, response) =>
      response.writeHead(500).end(Buffer.from([0x61, 0x00, 0xff, 0xc3, 0xa4, 0xe2, 0x82])),
    );
    const { response } = await send(receiver.url);
    expect(response?.body).to.equal('a\ufffd\ufffdä');
  });

  it('fails if the answer is not HTTP, is cut off before its headers, or never comes', async () => {
    const invalid = { status: null, error: 'invalid_response', response: null };
    expect(await rawAnswer('220 mail.example ESMTP\r\n')).to.include(invalid);
    expect(await rawAnswer('HTTP/1.1 200 OK\r\nX-Half: ')).to.include(invalid);
    expect(await rawAnswer('')).to.include(invalid);
    expect(await rawAnswer(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).to.include(
      invalid,
    );
    expect(
      await rawAnswer('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ).to.include(invalid);
    const vanished = await startTcpReceiver(socket => socket.destroy());
    expect((await send(vanished.url)).error).to.equal('invalid_response');
  });

  it('succeeds although the body after a 2xx is cut off', async () => {
    const cut = await rawAnswer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    expect(cut).to.include({ status: 200, error: null });
    expect(cut.response?.body).to.equal('half');
  });

  it('fails to connect where nothing listens, and where no name is found', async () => {
    const closed = await startTcpReceiver(() => undefined);
    expect((await send('http://127.0.0.1:1/')).error).to.equal('connect_failed');
    expect(closed.connections()).to.equal(0);
    names.find = () => [];
    expect((await send('https://missing.example/')).error).to.equal('dns_failed');
    names.find = () => ['127.0.0.1'];
  });

  it('sends no packet to a refused address', async () => {
    const receiver = await startTcpReceiver(() => undefined);
    const { port } = receiver;
    const refused = [
      `https://inside.example:${port}/`,
      `https://localhost:${port}/`,
      `http://127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://inside.example:${port}/`,
    ];
    for (const url of refused)
      expect((await send(url, { ranges: [] })).error, url).to.equal('address_refused');
    names.find = () => ['93.184.215.14', '127.0.0.1'];
    expect((await send(`https://mixed.example:${port}/`, { ranges: [] })).error).to.equal(
      'address_refused',
    );
    names.find = () => ['127.0.0.1'];
    expect(receiver.connections()).to.equal(0);
  });

  it('judges the addresses of each connection, and uses those that it judged', async () => {
    const receiver = await startReceiver();
    const url = `http://rebound.example:${receiver.port}/`;
    expect(isSuccess(await send(url))).to.equal(true);
    // Between the look-up of the checks and a second one, the name would lead elsewhere.
    names.questions.splice(0);
    expect(isSuccess(await send(url))).to.equal(true);
    expect(names.questions).to.have.lengthOf(2);
    names.find = () => ['10.0.0.1'];
    expect((await send(url)).error).to.equal('address_refused');
    names.find = () => ['127.0.0.1'];
    expect(receiver.received).to.have.lengthOf(2);
  });

  it('uses a connection again, and another one if the receiver has closed it', async () => {
    let connections = 0;
    const receiver = await startReceiver();
    receiver.server.on('connection', () => {
      connections += 1;
    });
    const rules = { ranges: new AddressRanges(LOOPBACK), nameServers: undefined };
    const sender = new Sender(rules);
    const attempt = () => sender.send({ url: receiver.url, headers: {}, body: '{}' });
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    // Node warns of the eleventh listener that a connection has for an event.
    for (let count = 0; count < 15; count += 1) expect(isSuccess(await attempt())).to.equal(true);
    process.off('warning', note);
    expect(warnings).to.deep.equal([]);
    expect(connections).to.equal(1);
    receiver.server.closeAllConnections();
    expect(isSuccess(await attempt())).to.equal(true);
    expect(connections).to.equal(2);
    sender.close();
  });

  it('ends in time, whatever hangs', async function () {
    this.timeout(40_000);
    const silent = await startTcpReceiver(() => undefined);
    const dripping = (first: string, drip: string) =>
      startTcpReceiver(socket => {
        socket.write(first);
        const timer = setInterval(() => socket.write(drip), 1_000);
        socket.once('close', () => clearInterval(timer));
      });
    const headers = await dripping('HTTP/1.1 200 OK\r\nX: ', 'x');
    const body = await dripping('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', 'x');
    const full = await startFullServer();
    const outcomes = await Promise.all([
      send(silent.url),
      send(silent.url.replace('http', 'https')),
      send(headers.url),
      send(body.url),
      send(`http://127.0.0.1:${full}/`),
      send(silent.url, { signal: AbortSignal.timeout(500) }),
    ]);
    expect(outcomes.map(({ status, error }) => [status, error])).to.deep.equal([
      [null, 'timeout'],
      [null, 'timeout'],
      [null, 'timeout'],
      [200, null],
      [null, 'connect_failed'],
      [null, 'timeout'],
    ]);
    for (const { durationMs } of outcomes.slice(0, 4))
      expect(durationMs).to.be.within(14_900, 18_000);
    expect(outcomes[4]?.durationMs).to.be.within(4_900, 8_000);
    expect(outcomes[5]?.durationMs).to.be.within(400, 4_000);
    names.find = () => null;
    const unnamed = await send('https://silent.example/');
    names.find = () => ['127.0.0.1'];
    expect(unnamed.error).to.equal('dns_failed');
    expect(unnamed.durationMs).to.be.within(2_900, 8_000);
  });

  it('verifies TLS: the version, the authority and the host name', async function () {
    requireProgram(this, 'openssl');
    const { path, remove } = await temporaryDirectory();
    atEnd(remove);
    const file = (name: string) => join(path, name);
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', file('key'), '-out', file('cert'), '-days', '2', '-subj', '/CN=shop.example'],
      ...['-addext', 'subjectAltName=DNS:shop.example'],
    ]);
    expect(made.status, String(made.stderr)).to.equal(0);
    const [key, cert] = await Promise.all([readFile(file('key')), readFile(file('cert'))]);
    const modern = await startTls({ key, cert });
    const old = await startTls({
      key,
      cert,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    expect((await send(`https://shop.example:${modern}/`)).error).to.equal('tls_failed');
    const plain = await startReceiver();
    expect((await send(plain.url.replace('http', 'https'))).error).to.equal('tls_failed');
    // Only a new process trusts another authority.
    const moduleOf = (path: string) =>
      JSON.stringify(new URL(`../../src/webhooks/${path}.js`, import.meta.url));
    const hosts = [`shop.example:${modern}`, `other.example:${modern}`, `shop.example:${old}`];
    await writeFile(
      file('script.mjs'),
      `import { Sender } from ${moduleOf('sending/sender')};
       import { AddressRanges } from ${moduleOf('target/addresses')};
       const ranges = new AddressRanges(['127.0.0.0/8']);
       const sender = new Sender({ ranges, nameServers: ['${names.address}'] });
       for (const host of ${JSON.stringify(hosts)}) {
         const request = { url: 'https://' + host + '/', headers: {}, body: '{}' };
         const { status, error } = await sender.send(request);
         console.log(status, error);
       }
       sender.close();`,
    );
    const child = spawn(process.execPath, [file('script.mjs')], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: file('cert') },
    });
    let output = '';
    child.stdout.on('data', chunk => {
      output += chunk;
    });
    await once(child, 'close');
    expect(output.trim().split('\n')).to.deep.equal([
      '200 null',
      'null tls_failed',
      'null tls_failed',
    ]);
  });
});

async function startTls(options: TlsOptions): Promise<number> {
  const server = createTlsServer(options, socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** A port whose server accepts no further connection, so that one to it stays half open. */
async function startFullServer(): Promise<number> {
  const script =
    "const s = require('node:net').createServer(); s.listen(0, '127.0.0.1', 1, () => " +
    'console.log(s.address().port));';
  const child = spawn(process.execPath, ['-e', script]);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(String(line));
  child.kill('SIGSTOP');
  const sockets: Socket[] = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) socket.on('error', () => undefined);
  await Promise.race(sockets.map(socket => once(socket, 'connect')));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
  });
  return port;
}
