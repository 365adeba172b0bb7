// Sends deliveries to a receiver. Follows no redirect.
import http from 'node:http';
import https from 'node:https';
import type { TargetRules } from '../target/permitted.js';
import { headersOf, readBody, retryAfterOf } from './answer.js';
import { type Agents, ExchangeFailed, exchange } from './exchange.js';
import type { AttemptOutcome, DeliveryRequest } from './outcome.js';

/** For an attempt from its start to the end of the answer. */
const TOTAL_TIMEOUT_MS = 15_000;
const CONNECTIONS = {
  keepAlive: true,
  maxSockets: 4,
  // Idle ones end before a usual server ends them.
  timeout: 4_000,
} as const;
const TLS = { minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;

/** The connections to one receiver, which attempts of a short time share. Close it after them. */
export class Sender {
  readonly #rules: TargetRules;
  readonly #agents: Agents;

  constructor(rules: TargetRules) {
    this.#rules = rules;
    this.#agents = {
      http: new http.Agent(CONNECTIONS),
      https: new https.Agent({ ...CONNECTIONS, ...TLS }),
    };
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  /** Makes one attempt. Every failure is an outcome; an attempt that is aborted is a timeout. */
  async send(request: DeliveryRequest, signal?: AbortSignal): Promise<AttemptOutcome> {
    const startedAt = performance.now();
    const ends = new AbortController();
    const abort = () => ends.abort();
    const timer = setTimeout(abort, TOTAL_TIMEOUT_MS);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    const outcome = await this.#attempt(request, ends.signal);
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    return { durationMs: Math.round(performance.now() - startedAt), ...outcome };
  }

  async #attempt(
    request: DeliveryRequest,
    ends: AbortSignal,
  ): Promise<Omit<AttemptOutcome, 'durationMs'>> {
    try {
      const answer = await exchange(request, this.#rules, this.#agents, ends);
      const { statusCode: status = 0 } = answer;
      const body = await readBody(answer);
      const isRedirect = status >= 300 && status < 400;
      return {
        status,
        error: isRedirect ? 'redirected' : null,
        response: { headers: headersOf(answer), body },
        retryAfterMs: retryAfterOf(answer),
      };
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      // Each idle connection can fail in this way once.
      if (error.mayRepeat) return this.#attempt(request, ends);
      return { status: null, error: error.code, response: null, retryAfterMs: null };
    }
  }
}
