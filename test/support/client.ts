// A REST client on node:http, so that tests can send requests that fetch would refuse.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { findSecret, registerSecret } from './canary.js';
import { checkResponse } from './contract.js';

// Shorter than the server's keep-alive: reusing a connection while the server closes it would fail.
const agent = new Agent({ keepAlive: true, maxSockets: 2_000, timeout: 30_000 });

/** `any`, as JSON.parse returns it: tests assert the shape. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body; undefined if it isn't JSON. */
  readonly body: Json;
}

export interface RequestOptions {
  readonly key?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Buffer;
  /** A list repeats the header. */
  readonly headers?: Record<string, string | string[]>;
  /** Skips the check against the OpenAPI document, for deliberately invalid requests. */
  readonly unchecked?: boolean;
  /** The response may contain a secret: it shows one for the first and only time. */
  readonly mayTell?: boolean;
}

/**
 * Sends one request and reads the whole response. Rejects if the response breaks the OpenAPI
 * document or contains a secret.
 */
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
  registerCookies(String(headers.cookie ?? '').split(';'));
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(new URL(path, baseUrl), { method, agent, headers }, incoming => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString();
        registerCookies(incoming.headers['set-cookie'] ?? []);
        const response = {
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          bytes,
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

/** Registers the values of `name=value` pairs, with or without attributes. */
function registerCookies(cookies: readonly string[]): void {
  for (const cookie of cookies) registerSecret(/=([^;]*)/u.exec(cookie)?.[1] ?? '');
}

/** A secret in the request's path may come back, because a problem document names that path. */
function checkSecrets(path: string, text: string): void {
  const found = findSecret(text);
  if (found !== null && !path.includes(found))
    throw new Error(`the response to ${path} contains a secret: ${text.slice(0, 1_000)}`);
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
