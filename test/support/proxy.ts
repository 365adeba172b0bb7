// A TCP proxy in front of Postgres that can lose an answer, as a network can, and end connections
// at their opening, as an operator can.
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
  /** Ends the next `count` connections with this application_name when they are open. */
  terminate(applicationName: string, count: number): void;
  /** Ends all connections, and new ones at once, until `accept`. */
  refuse(): void;
  /** Accepts connections again. */
  accept(): void;
  /** How many connections were refused since `refuse`. */
  readonly refused: number;
}

/** Postgres's message when an operator ends a connection. */
const TERMINATED = message(
  'E',
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
);
const READY = message('Z', 'I');
const AUTHENTICATION_OK = message('R', '\0\0\0\0');

/** A message of Postgres's protocol: its type, length and content. */
function message(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + content.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
}

export async function openProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  let armed: { after: string; last: string; done: () => void } | undefined;
  const terminations = new Map<string, number>();
  const sockets = new Set<Socket>();
  let isRefusing = false;
  let refused = 0;
  const server = createServer(client => {
    if (isRefusing) {
      refused += 1;
      client.destroy();
      return;
    }
    const upstream = openSocket(Number(target.port), target.hostname);
    let hasSentAfter = false;
    let isCut = false;
    let isDoomed = false;
    client.once('data', startup => {
      const name = [...terminations.keys()].find(each => startup.includes(`\0${each}\0`)) ?? '';
      const left = terminations.get(name) ?? 0;
      isDoomed = left > 0;
      terminations.set(name, left - 1);
    });
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
      const isTerminated = isDoomed && bytes.includes(READY);
      if (isTerminated) client.end(Buffer.concat([bytes, TERMINATED]));
      else if (!isCut) client.write(bytes);
      isCut ||= isTerminated;
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
    terminate: (applicationName, count) => void terminations.set(applicationName, count),
    refuse: () => {
      refused = 0;
      isRefusing = true;
      for (const socket of sockets) socket.destroy();
    },
    accept: () => {
      isRefusing = false;
    },
    get refused() {
      return refused;
    },
  };
}

/** A server that opens every connection and ends it in the same packet. Returns its URL. */
export async function openTerminator(): Promise<string> {
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATION_OK, READY, TERMINATED])));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => server.close());
  return `postgres://me:secret@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
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
