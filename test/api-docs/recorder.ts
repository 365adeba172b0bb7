// Records the examples of the OpenAPI document: sends requests, and keeps them and their answers by
// operation. Ids and times differ with each run, so they are replaced by the same ones every time.

import { methodOf } from '../../src/api/endpoint.js';
import { ENDPOINTS } from '../../src/api-docs/endpoints.js';
import type { Example, OperationExamples } from '../../src/api-docs/examples.js';
import type { Json } from '../support/client.js';
import { send } from '../support/client.js';
import type { TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/gu;
/** The end of the examples' first id. The following ids count up from it. */
const FIRST_ID = 0x5b0d5a3c9e3f;
/** The time of each day's first step in the examples. Each further step is a minute later. */
const MORNING = 'T09:14:07.113Z';
/** Further texts that differ with each run, and those that the examples have in their place. */
const CHANGING: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/whsec_[A-Za-z\d+/]{43}=/gu, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDVcDE+8TFI1Y='],
  [/v1,[A-Za-z\d+/]{43}=/gu, 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  [/"webhook-timestamp":"\d+"/gu, '"webhook-timestamp":"1795771207"'],
  [/"durationMs":\d+/gu, '"durationMs":87'],
  [/http:\/\/127\.0\.0\.1:\d+/gu, 'https://shop.example'],
];

interface Call {
  /** Replaces the parameter in the path. */
  readonly id?: string;
  /** Replaces {sequence} in the path. */
  readonly sequence?: number;
  readonly query?: string;
  readonly body?: Json;
  readonly prefer?: string;
  /** The answer shows a secret, which is replaced. */
  readonly mayTell?: boolean;
  /** The name and the summary under which the request is kept. */
  readonly request?: readonly [name: string, summary: string];
  /** The same for the answer. */
  readonly answer?: readonly [name: string, summary: string];
}

interface Recording {
  path: string;
  requests: Record<string, Example>;
  answers: Record<string, Record<string, Example>>;
}

export class Recorder {
  readonly #baseUrl: string;
  readonly #recordings = new Map<string, Recording>();
  readonly #ids = new Map<string, string>();
  /** When each step began, and the time that replaces it in the examples. */
  readonly #steps: { readonly begun: number; readonly shown: string }[] = [];
  #day = '';
  #minute = 0;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** The date of the following steps in the examples. */
  startDay(day: string): void {
    this.#day = day;
    this.#minute = 0;
  }

  /** Sends one request of the operation as one step, which must succeed. Resolves to its answer. */
  async send(company: TestCompany, operationId: string, call: Call = {}): Promise<Json> {
    const endpoint = ENDPOINTS.flat().find(({ id }) => id === operationId);
    if (!endpoint) throw new Error(`there is no operation ${operationId}`);
    await this.#beginStep();
    const path = endpoint.path
      .replace('{sequence}', String(call.sequence ?? call.id))
      .replace('{id}', call.id ?? '');
    const {
      status,
      body: json,
      text,
    } = await send(
      this.#baseUrl,
      methodOf(endpoint).toUpperCase(),
      `/api/external${path}${call.query ?? ''}`,
      {
        key: company.key,
        headers: { 'x-request-id': 'order-4711', ...(call.prefer && { prefer: call.prefer }) },
        ...(call.body === undefined ? {} : { json: call.body }),
        mayTell: call.mayTell === true,
      },
    );
    const body = json ?? text;
    if (status >= 300) throw new Error(`${operationId}: ${status} ${JSON.stringify(body)}`);
    // The file of a DELETE or a PDF has only the path of its sample.
    if (call.request || call.answer || ['delete', 'document'].includes(endpoint.type))
      this.#record(operationId, path, call, String(status), body);
    return body;
  }

  /** Keeps an answer of an earlier request. */
  keepAnswer(operationId: string, status: string, [name, summary]: [string, string], body: Json) {
    const recording = this.#recordings.get(operationId);
    if (!recording) throw new Error(`nothing of ${operationId} was recorded`);
    recording.answers[status] = {
      ...recording.answers[status],
      [name]: { summary, value: this.#stable(body) },
    };
  }

  /** The text of each operation's file. */
  files(): Map<string, string> {
    return new Map(
      [...this.#recordings].map(([id, { path, requests, answers }]) => {
        const isRead = Object.keys(requests).length === 0;
        const examples: OperationExamples = { path, ...(isRead ? {} : { requests }), answers };
        return [id, `${JSON.stringify(examples, null, 2)}\n`];
      }),
    );
  }

  #record(operationId: string, path: string, call: Call, status: string, body: Json): void {
    const recording = this.#recordings.get(operationId) ?? {
      path: this.#stable(path),
      requests: {},
      answers: {},
    };
    this.#recordings.set(operationId, recording);
    if (call.request) {
      const [name, summary] = call.request;
      recording.requests[name] = { summary, value: this.#stable(call.body) };
    }
    if (call.answer) this.keepAnswer(operationId, status, [...call.answer], body);
  }

  /** Each step begins in a later millisecond, so that a time belongs to one step. */
  async #beginStep(): Promise<void> {
    const last = this.#steps.at(-1)?.begun ?? 0;
    await until('the next millisecond', async () => Date.now() > last);
    const shown = new Date(Date.parse(`${this.#day}${MORNING}`) + this.#minute * 60_000);
    this.#steps.push({ begun: Date.now(), shown: shown.toISOString() });
    this.#minute += 1;
  }

  /** Numbers ids by their first appearance, and replaces times by those of their steps. */
  #stable<Value>(value: Value): Value {
    const text = JSON.stringify(value)
      .replaceAll(UUID, id => {
        const known = this.#ids.get(id) ?? this.#nextId();
        this.#ids.set(id, known);
        return known;
      })
      .replaceAll(TIME, time => {
        const step = this.#steps.findLast(({ begun }) => begun <= Date.parse(time));
        return step?.shown ?? this.#steps[0]?.shown ?? '';
      });
    return JSON.parse(
      CHANGING.reduce((changed, [pattern, shown]) => changed.replaceAll(pattern, shown), text),
    );
  }

  #nextId(): string {
    return `01932d5c-8a3b-7f21-b4f6-${(FIRST_ID + this.#ids.size).toString(16)}`;
  }
}
