// A TCP proxy in front of Postgres that can lose an answer, as a network can.
import type { AddressInfo } from 'node:net';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { atEnd } from './suite.js';

export interface PostgresProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /**
   * Cuts the next connection that sends `last` after `after`: Postgres receives `last`, but the
   * client never gets the answer. Resolves when the connection is cut.
   */
  loseAnswer(after: string, last: string): Promise<void>;
}

export async function openProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  let armed: { after: string; last: string; done: () => void } | undefined;
  const sockets = new Set<Socket>();
  const server = createServer(client => {
    const upstream = openSocket(Number(target.port), target.hostname);
    let hasSentAfter = false;
    let isCut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
    client.on('data', bytes => {
      hasSentAfter ||= armed !== undefined && bytes.includes(armed.after);
      if (armed && hasSentAfter && bytes.includes(armed.last)) {
        isCut = true;
        const { done } = armed;
        armed = undefined;
        upstream.once('data', () => {
          client.destroy();
          done();
        });
      }
      upstream.write(bytes);
    });
    upstream.on('data', bytes => {
      if (!isCut) client.write(bytes);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port) }).toString(),
    loseAnswer: (after, last) =>
      new Promise(resolve => {
        armed = { after, last, done: resolve };
      }),
  };
}

/** A port that accepts connections and never answers. */
export async function openBlackHole(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
