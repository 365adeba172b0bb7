// Attacks with writes that are not queued: of companies whose rows are locked, and by their number.
import pg from 'pg';
import { makeCustomer } from '../support/customers.js';
import { receive, type TestCompany } from '../support/factories.js';
import { type Outgoing, REQUEST_NUMBER } from './exchange.js';
import { type Attack, makeAttacker, type Phase, portOf } from './hostile-phases.js';
import type { System } from './system.js';

const LIMIT_MS = 120_000;
const OF_EACH_KIND = 20;
const LOCKED_COMPANIES = 10;
const PATCHES_AT_ONCE = 300;
const BATCHES_AT_ONCE = 60;
const BATCH_RECORDS = 100;
const ALIASES = 14;

interface Attacker {
  readonly company: TestCompany;
  readonly itemId: string;
  readonly customerId: string;
}

let locks: pg.Client | undefined;

/** Ends the locks of a phase. */
async function unlock(): Promise<void> {
  await locks?.end();
  locks = undefined;
}

/** Locks the companies' rows until `unlock`. */
async function lock(system: System, attackers: readonly Attacker[]): Promise<void> {
  locks = new pg.Client({ connectionString: system.databaseUrl });
  locks.on('error', () => undefined);
  await locks.connect();
  await locks.query('BEGIN');
  await locks.query('SELECT FROM companies WHERE id = ANY($1::uuid[]) FOR NO KEY UPDATE', [
    attackers.map(({ company }) => company.companyId),
  ]);
}

const lockedCompany: Phase = {
  name: 'locked-company',
  what: `${OF_EACH_KIND} writes of each kind that is not queued, of a company whose row is locked`,
  async prepare(system) {
    const attacker = await makeWriter(system);
    const requests = Array.from({ length: OF_EACH_KIND }, () => everyWrite(system, attacker));
    await lock(system, [attacker]);
    return { requests: requests.flat(), atOnce: false, pauseSeconds: 0 };
  },
  end: unlock,
};

const lockedCompanies: Phase = {
  name: 'locked-companies',
  what: `the same of ${LOCKED_COMPANIES} companies, two of each kind at a time`,
  async prepare(system) {
    const attackers = await Promise.all(
      Array.from({ length: LOCKED_COMPANIES }, () => makeWriter(system)),
    );
    const requests = [...attackers, ...attackers].flatMap(each => everyWrite(system, each));
    await lock(system, attackers);
    return { requests, atOnce: false, pauseSeconds: 0 };
  },
  end: unlock,
};

const patches: Phase = {
  name: 'patches',
  what: `${PATCHES_AT_ONCE} changes of one item and one customer at a time`,
  async prepare(system) {
    const attacker = await makeWriter(system);
    const both = [patchItem(system, attacker), patchCustomer(system, attacker)];
    return repeated(both, PATCHES_AT_ONCE);
  },
};

const aliases: Phase = {
  name: 'aliases',
  what: `${BATCHES_AT_ONCE} batches at a time, ${BATCH_RECORDS} customers with ${ALIASES} aliases`,
  async prepare(system) {
    const attacker = await makeWriter(system);
    const customers = Array.from({ length: BATCH_RECORDS }, (_, record) => ({
      name: `Customer ${record} of ${REQUEST_NUMBER}`,
      aliases: Array.from({ length: ALIASES }, (_, at) => `${at}/${record}/${REQUEST_NUMBER}`),
    }));
    const batch = write(system, attacker, 'POST', '/customers/batch', { customers });
    return repeated([batch], BATCHES_AT_ONCE);
  },
};

export const WRITE_PHASES: readonly Phase[] = [lockedCompany, lockedCompanies, patches, aliases];

async function makeWriter(system: System): Promise<Attacker> {
  const company = await makeAttacker(system);
  const [itemId = ''] = await receive(company, { name: 'Pump', delta: 1 });
  const { id: customerId } = await makeCustomer(company, { name: 'Castle' });
  return { company, itemId, customerId };
}

/** A write of each kind. */
function everyWrite(system: System, attacker: Attacker): Outgoing[] {
  const name = `Customer ${REQUEST_NUMBER}`;
  return [
    write(system, attacker, 'POST', '/customers', { name }),
    write(system, attacker, 'POST', '/customers/batch', { customers: [{ name }] }),
    patchCustomer(system, attacker),
    patchItem(system, attacker),
  ];
}

function patchItem(system: System, attacker: Attacker): Outgoing {
  const unit = `unit ${REQUEST_NUMBER}`;
  return write(system, attacker, 'PATCH', `/inventory/${attacker.itemId}`, { unit });
}

function patchCustomer(system: System, attacker: Attacker): Outgoing {
  const note = `Note ${REQUEST_NUMBER}`;
  return write(system, attacker, 'PATCH', `/customers/${attacker.customerId}`, { note });
}

function write(
  system: System,
  { company: { key } }: Attacker,
  method: string,
  path: string,
  body: object,
): Outgoing {
  return {
    ...{ method, port: portOf(system), path: `/api/external${path}` },
    ...{ body: JSON.stringify(body), limitMs: LIMIT_MS, discards: true },
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  };
}

function repeated(requests: readonly Outgoing[], atOnce: number): Attack {
  const all = Array.from({ length: atOnce }, (_, at) => requests[at % requests.length] as Outgoing);
  return { requests: all, atOnce: false, pauseSeconds: 0 };
}
