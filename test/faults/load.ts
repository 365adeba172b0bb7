// The load of a run: companies with stock, the clients and dashboard users that write and read for
// them, and the companies that faults concern or must not concern.
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { Bystanders } from './bystanders.js';
import { runClient } from './clients.js';
import type { Change } from './customers/changes.js';
import { makeRecords, runChanges } from './customers/clients.js';
import { Records } from './dashboard/records.js';
import { runVisits } from './dashboard/visits.js';
import { type Span, startSpan } from './history.js';
import type { Journal } from './journal.js';
import type { Random } from './random.js';
import { ITEMS } from './stock-writes.js';
import type { System } from './system.js';

const COMPANIES = 3;
const BYSTANDERS = 2;

/** Between two requests of a client of the API, on average, and between two steps of a user. */
export interface Pauses {
  readonly clientMs: number;
  readonly userMs: number;
}

export interface Load {
  /** The companies that the clients write for. */
  readonly companyIds: readonly string[];
  readonly graceMs: number;
  /** The forms and imports of the dashboard users. */
  readonly records: Records;
  /** The changes of customers' records. */
  readonly changes: readonly Change[];
  /** The time in which the clients run. */
  readonly span: Span;
  /** Resolves when the last request of the load has ended. */
  stop(): Promise<void>;
}

export async function startLoad(
  system: System,
  journal: Journal,
  random: Random,
  options: { readonly clients: number; readonly graceMs: number; readonly pauses: Pauses },
): Promise<Load> {
  const { graceMs } = options;
  const { clientMs, userMs: pauseMs } = options.pauses;
  const companies = await makeCompanies(system, COMPANIES);
  await makeRecords(system, companies, random.fork('records'));
  system.companies = companies;
  const [victim, ...others] = await makeCompanies(system, 1 + BYSTANDERS);
  const bystanders = { companies: others, victim: victim as TestCompany, journal, graceMs };
  system.bystanders = new Bystanders({ ...bystanders, random: random.fork('bystanders') });
  let isStopped = false;
  const isOver = () => isStopped;
  const state = {
    isStopped: isOver,
    hangUpShare: () => system.hangUpShare,
    ledgerKinds: () => system.ledgerKinds,
    targets: system.targets,
    graceMs,
    pauseMs: clientMs,
  };
  const span = startSpan();
  const clients = Array.from({ length: options.clients }, (_, index) => {
    const name = `c${index}`;
    const choices = random.fork(`client ${index}`);
    return runClient(name, companies, system.webPorts, journal, choices, state);
  });
  const records = new Records();
  const common = { journal, graceMs, pauseMs, isStopped: isOver };
  const visits = { ...common, records, random: random.fork('visits') };
  const visiting = runVisits(system, visits);
  const changes: Change[] = [];
  const changing = runChanges(system, { ...common, changes, random: random.fork('changes') });
  return {
    companyIds: companies.map(({ companyId }) => companyId),
    graceMs,
    records,
    changes,
    span,
    async stop() {
      isStopped = true;
      span.to = Date.now();
      await Promise.all([...clients, visiting, changing]);
    },
  };
}

async function makeCompanies(system: System, count: number): Promise<TestCompany[]> {
  const target = {
    baseUrl: `http://127.0.0.1:${system.webPorts[0]}`,
    sql: system.query.bind(system),
  };
  const companies = await Promise.all(Array.from({ length: count }, () => makeCompany(target)));
  for (const company of companies) {
    const itemIds = await receive(
      company,
      ...ITEMS.map(({ name, sku, stock }) => ({ name, sku, delta: stock, unitPrice: 9.5 })),
    );
    system.targets.addItems(company.companyId, itemIds);
  }
  return companies;
}
