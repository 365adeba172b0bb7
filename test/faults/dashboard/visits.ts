// The dashboard users of a run: each corrects deliveries, writes drafts and imports stock, while
// clients of the API write for the same items.
import { setTimeout as delay } from 'node:timers/promises';
import { makeSession, makeUser } from '../../support/dashboard.js';
import type { Journal } from '../journal.js';
import type { Random } from '../random.js';
import type { System } from '../system.js';
import { correctDelivery } from './deliveries.js';
import { writeDraft } from './drafts.js';
import { importStock } from './imports.js';
import type { Records } from './records.js';
import { Visitor } from './visitor.js';

const VISITORS_PER_COMPANY = 2;
const TURNS = ['correct', 'correct', 'correct', 'draft', 'draft', 'import', 'import'] as const;

export interface VisitOptions {
  readonly journal: Journal;
  readonly graceMs: number;
  readonly random: Random;
  readonly records: Records;
  /** Users read and type between two forms. Most requests of a run are those of the API. */
  readonly pauseMs: number;
  readonly isStopped: () => boolean;
}

/** Signs users in for each company of the load. Resolves when the last one has left. */
export async function runVisits(system: System, options: VisitOptions): Promise<void> {
  const visits = system.companies.flatMap(({ companyId }, company) =>
    Array.from({ length: VISITORS_PER_COMPANY }, async (_, index) => {
      const name = `v${company}.${index}`;
      const random = options.random.fork(name);
      const visitor = await signIn(system, companyId, { ...options, random });
      await visit(system, visitor, name, { ...options, random });
    }),
  );
  await Promise.all(visits);
}

export async function signIn(
  system: System,
  companyId: string,
  { journal, graceMs, random }: Pick<VisitOptions, 'journal' | 'graceMs' | 'random'>,
): Promise<Visitor> {
  const stack = { sql: system.query.bind(system) };
  const { userId } = await makeUser(stack, companyId);
  const session = await makeSession(stack, companyId, userId);
  return new Visitor({ companyId, session, ports: system.webPorts, journal, graceMs, random });
}

async function visit(
  system: System,
  visitor: Visitor,
  name: string,
  { random, records, pauseMs, isStopped }: VisitOptions,
): Promise<void> {
  for (let turn = 1; !isStopped(); turn += 1) {
    await delay(pauseMs);
    // A fault that concerns the ledger alone counts the steps of its writes.
    if (system.ledgerKinds !== null) continue;
    const mark = `${name}-${turn}`;
    const { deliveryIds } = system.targets.of(visitor.companyId);
    const type = random.pick(TURNS);
    if (type === 'draft') await writeDraft(visitor, mark, random, records);
    else if (type === 'import') await importStock(visitor, mark, random, system, records);
    else if (deliveryIds.length > 0)
      await correctDelivery(visitor, random.pick(deliveryIds), mark, random, records);
  }
}
