// A plain REST client: node:http, so that a test may send what a fetch would refuse to.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { findSecret, keepSecret } from './canary.js';
import { checkResponse } from './contract.js';

// Connections are let go long before the server does: one that it closes this very moment would fail its next request.
const agent = new Agent({ keepAlive: true, maxSockets: 2_000, timeout: 30_000 });

/** As JSON.parse types it: a test asserts the shape. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly body: Json;
}

export interface RequestOptions {
  readonly key?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Buffer;
  /** A list gives the same header several times. */
  readonly headers?: Record<string, string | string[]>;
  /** Leaves out the check against the OpenAPI document: for deliberate garbage. */
  readonly unchecked?: boolean;
  /** The answer is there to show a secret, once. */
  readonly mayTell?: boolean;
}

/** Sends one request and reads the whole answer. Rejects where it is not as the OpenAPI document has it, or tells a secret. */
export function send(
  baseUrl: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const payload =
    options.raw ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
  const headers: Record<string, string | string[]> = {
    ...(options.key === undefined ? {} : { 'x-api-key': options.key }),
    ...(payload === undefined
      ? {}
      : {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(payload)),
        }),
    ...options.headers,
  };
  keepCookies(String(headers.cookie ?? '').split(';'));
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(new URL(path, baseUrl), { method, agent, headers }, incoming => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        keepCookies(incoming.headers['set-cookie'] ?? []);
        const response = {
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          body: parse(text),
        };
        try {
          if (!options.unchecked) checkResponse(method, path, response);
          if (!options.mayTell) checkSecrets(path, text);
          resolve(response);
        } catch (error) {
          reject(error as Error);
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** Cookies as `name=value`, attributes behind them or not. */
function keepCookies(cookies: readonly string[]): void {
  for (const cookie of cookies) keepSecret(/=([^;]*)/u.exec(cookie)?.[1] ?? '');
}

/** A problem names its request's path, whatever the caller put there. */
function checkSecrets(path: string, text: string): void {
  const found = findSecret(text);
  if (found !== null && !path.includes(found))
    throw new Error(`the answer to ${path} tells a secret: ${text.slice(0, 1_000)}`);
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
