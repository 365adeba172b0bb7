// A signed-in user of a company, whose tabs send their requests to any web process.
import { setTimeout as delay } from 'node:timers/promises';
import { fieldsOf } from '../../support/html.js';
import { sendRequest } from '../exchange.js';
import type { Answer, Exchange, Journal } from '../journal.js';
import type { Random } from '../random.js';
import { type SentForm, toldOutcome } from './records.js';

/** Pages read within this time or answer 503; a form waits for its write for less. */
const LIMIT_MS = 12_000;
/** An upload waits for those before it for 15 s. */
const UPLOAD_LIMIT_MS = 30_000;
/** For requests that a fault keeps from being answered. */
const ATTEMPTS = 30;
const RETRY_MS = 300;
/** Another upload of the company is in progress, or a part of the service is unavailable. */
const RETRIED = new Set([429, 503]);

export interface VisitorOptions {
  readonly companyId: string;
  /** The value of the session cookie. */
  readonly session: string;
  readonly ports: readonly number[];
  readonly journal: Journal;
  readonly graceMs: number;
  readonly random: Random;
}

export interface FileField {
  readonly name: string;
  readonly content: string;
}

export class Visitor {
  readonly companyId: string;
  readonly #options: VisitorOptions;

  constructor(options: VisitorOptions) {
    this.companyId = options.companyId;
    this.#options = options;
  }

  /** The fields of the page's forms that match the pattern; null if the page cannot be read. */
  async open(path: string, pattern: RegExp): Promise<Record<string, string> | null> {
    const answer = await this.#send('GET', path, {}, null);
    if (answer?.status !== 200) return null;
    const fields = Object.entries(fieldsOf(answer)).filter(([name]) => pattern.test(name));
    return Object.fromEntries(fields) as Record<string, string>;
  }

  /** Sends a form once. Null without an answer. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Answer | null> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#send('POST', path, type, new URLSearchParams(fields).toString());
  }

  /** Sends a form that may be repeated, until an answer tells its outcome. */
  async insist(
    path: string,
    fields: Readonly<Record<string, string>>,
    file?: FileField,
  ): Promise<Answer | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const answer = await (file ? this.#upload(path, fields, file) : this.post(path, fields));
      if (answer && !RETRIED.has(answer.status)) return answer;
      await delay(RETRY_MS);
    }
    return null;
  }

  /** Sends the form of a record, and notes the outcome. */
  async submit(form: SentForm): Promise<void> {
    const answer = await this.post(form.path, form.fields);
    const outcome = toldOutcome(form.type, answer);
    if (outcome) form.outcomes.push(outcome);
  }

  #upload(path: string, fields: Readonly<Record<string, string>>, { name, content }: FileField) {
    const boundary = 'boundary-of-the-fault-harness';
    const part = (disposition: string, text: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
    const parts = [
      ...Object.entries(fields).map(([field, text]) => part(`name="${field}"`, text)),
      part(`name="file"; filename="${name}"`, content),
    ];
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    return this.#send('POST', path, type, `${parts.join('')}--${boundary}--\r\n`);
  }

  async #send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | null,
  ): Promise<Answer | null> {
    const { companyId, session, ports, journal, graceMs, random } = this.#options;
    const port = random.pick(ports);
    const isUpload = headers['content-type']?.startsWith('multipart/');
    const limitMs = (isUpload ? UPLOAD_LIMIT_MS : LIMIT_MS) + graceMs;
    const exchange: Exchange = { companyId, path, port, limitMs, startedAt: Date.now() };
    const sent = {
      accept: 'text/html',
      cookie: `session=${session}`,
      'sec-fetch-site': 'same-origin',
      ...headers,
    };
    await journal.page(exchange, { method, companyId }, () =>
      sendRequest({ method, port, path, headers: sent, limitMs, body }),
    );
    return exchange.answer ?? null;
  }
}
