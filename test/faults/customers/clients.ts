// Clients that change customers' records while others write invoices and payments for them. A
// request without an outcome is repeated.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestCompany } from '../../support/factories.js';
import { sendRequest } from '../exchange.js';
import type { Answer, Failure, Journal } from '../journal.js';
import type { Random } from '../random.js';
import type { System } from '../system.js';
import type { Targets } from '../targets.js';
import { type Change, isDecided, methodOf, toldOutcomes } from './changes.js';
import { chooseChange, firstRecords } from './writes.js';

/** Two per company, so that they race for the same records. */
const CLIENTS_PER_COMPANY = 2;
/** For requests that a fault keeps from being answered. The judge repeats the others. */
const ATTEMPTS = 8;
const RETRY_MS = 400;
/** A change waits for the company's lock, and answers 503 within this time. */
const LIMIT_MS = 12_000;

export interface ChangeOptions {
  readonly journal: Journal;
  readonly graceMs: number;
  readonly random: Random;
  /** Receives the changes that are sent. */
  readonly changes: Change[];
  /** Between two changes of a client. Most requests of a run are invoices and entries. */
  readonly pauseMs: number;
  readonly isStopped: () => boolean;
}

/** Makes the first records. All companies but the first one refuse invoices above a limit. */
export async function makeRecords(
  system: System,
  companies: readonly TestCompany[],
  random: Random,
): Promise<void> {
  const refusing = companies.slice(1).map(({ companyId }) => companyId);
  await system.query(
    `UPDATE companies SET credit_limit_action = 'refuse' WHERE id = ANY($1::uuid[])`,
    [refusing],
  );
  for (const company of companies)
    for (const record of firstRecords(random)) {
      const { status, body } = await company.post('/customers', record);
      if (status !== 201) throw new Error(`a record was refused: ${JSON.stringify(body)}`);
      system.targets.addCustomer(company.companyId, body);
    }
}

/** Runs the clients until `isStopped`. */
export async function runChanges(system: System, options: ChangeOptions): Promise<void> {
  const clients = system.companies.flatMap((company, place) =>
    Array.from({ length: CLIENTS_PER_COMPANY }, async (_, index) => {
      const name = `r${place}.${index}`;
      const random = options.random.fork(name);
      for (let turn = 1; !options.isStopped(); turn += 1) {
        await delay(options.pauseMs);
        const change = makeChange(`${name}-${turn}`, company, system.targets, random);
        options.changes.push(change);
        await insist(system, change, { ...options, random });
        learn(change, system.targets);
      }
    }),
  );
  await Promise.all(clients);
}

function makeChange(
  key: string,
  { companyId, key: companyKey }: TestCompany,
  targets: Targets,
  random: Random,
): Change {
  const choice = chooseChange(key, targets.of(companyId).customers, random);
  return { companyId, companyKey, key, ends: [], ...choice };
}

/** Sends a change until a response tells its outcome, or a few times in vain. */
async function insist(
  system: System,
  change: Change,
  { journal, graceMs, random, isStopped }: ChangeOptions,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = random.pick(system.webPorts);
    const hangsUp = random.next() < system.hangUpShare;
    await sendChange(change, journal, {
      port,
      limitMs: LIMIT_MS + graceMs,
      hangUpMs: hangsUp ? random.between(0, 20) : null,
    });
    if (change.ends.some(isDecided) || isStopped()) return;
    await delay(RETRY_MS);
  }
}

export interface Sending {
  readonly port: number;
  readonly limitMs: number;
  readonly hangUpMs: number | null;
}

/** Sends a change once and notes how that ended. */
export async function sendChange(
  change: Change,
  journal: Journal,
  { port, limitMs, hangUpMs }: Sending,
): Promise<Answer | Failure> {
  const { companyId, companyKey, key, type, body } = change;
  const method = methodOf(change);
  const path = `/api/external${change.path}`;
  const headers = {
    'x-api-key': companyKey,
    'content-type': 'application/json',
    ...(method === 'POST' ? { 'idempotency-key': key } : {}),
  };
  const text = body && JSON.stringify(body);
  const exchange = { companyId, path, key, port, limitMs, startedAt: Date.now() };
  const end = await journal.change(exchange, { type, key, body }, () =>
    sendRequest({ method, port, path, headers, limitMs, body: text }, hangUpMs),
  );
  change.ends.push(end);
  return end;
}

/** Later changes, and invoices by id, pick among the records that were made. */
function learn(change: Change, targets: Targets): void {
  for (const { status, record, ended } of toldOutcomes(change)) {
    if (status === 201 && record) targets.addCustomer(change.companyId, record);
    if (status === 204 || (status === 200 && ended !== null))
      targets.endCustomer(change.companyId, ended ?? '');
  }
}
