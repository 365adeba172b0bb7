// The HTTP server under the application: which bytes are refused before there is a request, for how long a client may
// take, and how connections are let go. Bytes that are not HTTP get a bare status and a closed connection.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export interface ServerLimits {
  /** A client gets this long for its headers, and for its whole request. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** From the headers to the end of the answer, all waiting included: a client that does not read is cut off then. */
  readonly exchangeTimeoutMs: number;
  /** Of this process, idle ones included; one more is closed at once. */
  readonly maxConnections: number;
  readonly maxHeaderBytes: number;
  readonly maxHeaders: number;
  /**
   * From the call of close: how long new connections still come in, at least and while there are requests in hand, and how
   * long those may take after it.
   */
  readonly announceMinMs: number;
  readonly announceMs: number;
  readonly finishMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // The longest wait and then a minute for 15 MB, which is the largest answer before compression.
  exchangeTimeoutMs: 120_000,
  maxConnections: 10_000,
  maxHeaderBytes: 16 * 1024,
  // Proxies and browsers send some thirty. More would only be dropped unseen, credentials included.
  maxHeaders: 200,
  // A look of a load balancer that is already on its way; Ctrl-C is not felt to wait.
  announceMinMs: 300,
  announceMs: 1_000,
  // Under the process's own deadline.
  finishMs: 12_000,
};
/** Above what usual proxies keep idle connections for, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Connections that wait to be taken: thousands of clients may come in the same moment. The system may allow fewer. */
const BACKLOG = 4_096;
/** A refused connection is read on for this long: closed with bytes unread, its client might never see the answer. */
const LINGER_MS = 500;
/** RFC 9112, 3.2: origin form, or `*`. No fragment, nothing beyond visible ASCII. */
const TARGET = /^(?:\/[!"$-~]*|\*)$/u;

export interface HttpServer {
  /** Resolves with the port. Rejects with the listening error. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Lets requests in hand finish and closes the rest. New connections are still served for a moment, a longer one while
   * there are some in hand, so that a load balancer sees /readyz turn. What outlasts `finishMs` is cut.
   */
  close(): Promise<void>;
}

export function createHttpServer(
  application: RequestListener,
  limits: ServerLimits = SERVER_LIMITS,
): HttpServer {
  const inHand = new Set<ServerResponse>();
  let stopping = false;
  let onIdle: () => void = () => undefined;
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    inHand.add(response);
    const timer = setTimeout(() => response.destroy(), limits.exchangeTimeoutMs);
    response.once('close', () => {
      clearTimeout(timer);
      inHand.delete(response);
      if (inHand.size === 0) onIdle();
    });
    if (stopping) response.shouldKeepAlive = false;
    const refusal = refusalOf(request, limits);
    if (refusal === null) application(request, response);
    else response.writeHead(refusal, { Connection: 'close', 'Content-Length': 0 }).end();
  };
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs / 4),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: limits.maxHeaderBytes,
      insecureHTTPParser: false,
      // Refused here with the others, barely.
      requireHostHeader: false,
    },
    serve,
  );
  server.maxHeadersCount = 0;
  server.maxConnections = limits.maxConnections;
  // The body's reader asks for the rest once it wants it: a refusal comes before the bytes. Other expectations are moot.
  server.on('checkContinue', serve).on('checkExpectation', serve);
  server.on('clientError', refuseBytes);
  server.on('connect', (_request, socket) => refuse(socket, '400 Bad Request'));

  const idle = (withinMs: number): Promise<void> =>
    new Promise(resolve => {
      if (inHand.size === 0) return resolve();
      const timer = setTimeout(resolve, withinMs);
      onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host, backlog: BACKLOG }, () =>
          resolve((server.address() as AddressInfo).port),
        );
      }),
    async close() {
      stopping = true;
      for (const response of inHand) response.shouldKeepAlive = false;
      await Promise.all([idle(limits.announceMs), server.listening && pause(limits.announceMinMs)]);
      const closed = new Promise(resolve => server.close(resolve));
      server.closeIdleConnections();
      await idle(limits.finishMs);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The bare status of a request that the application cannot be shown, else null. Brings absolute targets to origin form. */
function refusalOf(request: IncomingMessage, limits: ServerLimits): number | null {
  if (request.rawHeaders.length > limits.maxHeaders * 2) return 431;
  const hosts = request.rawHeaders.filter(
    (name, at) => at % 2 === 0 && name.toLowerCase() === 'host',
  ).length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) return 400;
  const target = request.url ?? '';
  if (/^https?:\/\//iu.test(target) && URL.canParse(target)) {
    const { pathname, search } = new URL(target);
    request.url = pathname + search;
  }
  return TARGET.test(request.url ?? '') ? null : 400;
}

function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') refuse(socket, '431 Request Header Fields Too Large');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuse(socket, '408 Request Timeout');
  else refuse(socket, '400 Bad Request');
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
