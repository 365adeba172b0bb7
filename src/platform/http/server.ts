// The HTTP server under the application: it refuses bytes that are not a request, limits how long a
// client may take, and closes connections in order. Bytes that are not HTTP get a bare status and a
// closed connection.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { rawHeaderValues } from './input/raw-headers.js';

export interface ServerLimits {
  /** Time limits of a client for its headers, and for its whole request. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Headers to end of answer, all waits included. Cuts off clients that do not read. */
  readonly exchangeTimeoutMs: number;
  /** Per process, including idle ones. Any further connection is closed at once. */
  readonly maxConnections: number;
  readonly maxHeaderBytes: number;
  readonly maxHeaders: number;
  /**
   * Time for which close() accepts new connections, at least and while requests are in flight, and
   * how long those may take after that.
   */
  readonly announceMinMs: number;
  readonly announceMs: number;
  readonly finishMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // The longest wait, and a minute for 15 MB, the largest answer before compression.
  exchangeTimeoutMs: 120_000,
  maxConnections: 10_000,
  maxHeaderBytes: 16 * 1024,
  // Proxies and browsers send about 30. Node would silently drop more, including credentials.
  maxHeaders: 200,
  // Covers a load balancer's check that is already on its way. Ctrl-C still feels immediate.
  announceMinMs: 300,
  announceMs: 1_000,
  // This is shorter than the process's own deadline.
  finishMs: 12_000,
};
/** Longer than the idle timeout of common proxies, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** The longest interval between two checks of exchanges for their timeout. */
const CHECK_MS = 1_000;
/** Connections that wait to be accepted: thousands of clients may connect at once. */
const BACKLOG = 4_096;
/** A refused connection is read for this long: closing on unread bytes could lose the answer. */
const LINGER_MS = 500;
/** RFC 9112, 3.2: origin form, or `*`. No fragment, only visible ASCII. */
const TARGET = /^(?:\/[!"$-~]*|\*)$/u;

/**
 * A server is running, announcing its stop (new connections are still accepted, every answer closes
 * its own), finishing (no new connections), or closed.
 */
export class HttpServer {
  readonly #application: RequestListener;
  readonly #limits: ServerLimits;
  readonly #server: Server;
  /** When each request began, in that order. */
  readonly #inFlight = new Map<ServerResponse, number>();
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;
  #onIdle: () => void = () => undefined;

  constructor(application: RequestListener, limits: ServerLimits = SERVER_LIMITS) {
    this.#application = application;
    this.#limits = limits;
    const serve: RequestListener = (request, response) => this.#serve(request, response);
    this.#server = createServer(
      {
        headersTimeout: limits.headersTimeoutMs,
        requestTimeout: limits.requestTimeoutMs,
        connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersTimeoutMs / 4),
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        maxHeaderSize: limits.maxHeaderBytes,
        insecureHTTPParser: false,
        // Checked by refusalOf, which answers with a bare status.
        requireHostHeader: false,
      },
      serve,
    );
    this.#server.maxHeadersCount = 0;
    this.#server.maxConnections = limits.maxConnections;
    // The body's reader sends the 100 itself, so a refusal comes before the bytes. Other
    // expectations are ignored.
    this.#server.on('checkContinue', serve).on('checkExpectation', serve);
    this.#server.on('clientError', refuseBytes);
    this.#server.on('connect', (_request, socket) => refuse(socket, '400 Bad Request'));
  }

  /** Resolves with the port. Rejects with the listening error. */
  listen(port: number, host: string): Promise<number> {
    const checkMs = Math.min(CHECK_MS, this.#limits.exchangeTimeoutMs / 4);
    this.#timer = setInterval(() => this.#cutOff(), checkMs).unref();
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host, backlog: BACKLOG }, () =>
        resolve((this.#server.address() as AddressInfo).port),
      );
    });
  }

  /**
   * Lets requests in flight finish and closes all other connections. New connections are still
   * served for a moment, longer while requests are in flight, so that a load balancer sees /readyz
   * turn unready. Whatever outlasts `finishMs` is cut.
   */
  async close(): Promise<void> {
    const { announceMs, announceMinMs, finishMs } = this.#limits;
    this.#isStopping = true;
    for (const response of this.#inFlight.keys()) response.shouldKeepAlive = false;
    await Promise.all([this.#idle(announceMs), this.#server.listening && pause(announceMinMs)]);
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    await this.#idle(finishMs);
    this.#server.closeAllConnections();
    clearInterval(this.#timer);
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#inFlight.set(response, performance.now());
    response.once('close', () => {
      this.#inFlight.delete(response);
      if (this.#inFlight.size === 0) this.#onIdle();
    });
    if (this.#isStopping) response.shouldKeepAlive = false;
    const refusal = refusalOf(request, this.#limits);
    if (refusal === null) this.#application(request, response);
    else response.writeHead(refusal, { Connection: 'close', 'Content-Length': 0 }).end();
  }

  /** Closes the connections of exchanges that take too long. */
  #cutOff(): void {
    const begunBefore = performance.now() - this.#limits.exchangeTimeoutMs;
    for (const [response, begunAt] of this.#inFlight) {
      if (begunAt > begunBefore) return;
      response.destroy();
    }
  }

  /** Resolves when no request is in flight, at the latest after `withinMs`. */
  #idle(withinMs: number): Promise<void> {
    return new Promise(resolve => {
      if (this.#inFlight.size === 0) return resolve();
      const timer = setTimeout(resolve, withinMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** The status of a request that cannot reach the application, or null. Makes targets relative. */
function refusalOf(request: IncomingMessage, limits: ServerLimits): number | null {
  if (request.rawHeaders.length > limits.maxHeaders * 2) return 431;
  const hosts = rawHeaderValues(request, 'host').length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) return 400;
  const target = request.url ?? '';
  if (!target.startsWith('/') && /^https?:\/\//iu.test(target) && URL.canParse(target)) {
    const { pathname, search } = new URL(target);
    request.url = pathname + search;
  }
  return TARGET.test(request.url ?? '') ? null : 400;
}

function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent)
    socket.destroy();
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    refuse(socket, '431 Request Header Fields Too Large');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuse(socket, '408 Request Timeout');
  else refuse(socket, '400 Bad Request');
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
