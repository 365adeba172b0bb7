// Faults that concern one company. All others must go on as if nothing happened.
import { setTimeout as delay } from 'node:timers/promises';
import { bystandersOf } from './bystanders.js';
import { BOTH, type Fault } from './fault.js';
import { floodAsHostile, makeHostile, untilPoisonFailed } from './hostile-company.js';
import { lockVictimsRows } from './row-lock.js';

/** Longer than any statement may take. */
const SLOW_STATEMENT_SECONDS = 20;

const rowLock: Fault = {
  name: 'row-lock',
  modes: BOTH,
  parts: ['rows'],
  seconds: 8,
  run: (system, random, seconds) => lockVictimsRows(system, random, 'row-lock', seconds),
};

/**
 * Every invoice of one company takes longer than a statement may. Its accepted write must succeed
 * once it is quick again, although it fails several times before.
 */
const slowCompany: Fault = {
  name: 'slow-company',
  modes: BOTH,
  parts: ['rows'],
  seconds: 120,
  needsItsTime: true,
  async run(system, _random, seconds) {
    const bystanders = bystandersOf(system);
    const setPause = (pauseSeconds: number) =>
      system.query(
        `CREATE OR REPLACE FUNCTION slow_down() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           PERFORM pg_sleep(${pauseSeconds});
           RETURN NEW;
         END $$`,
      );
    await setPause(SLOW_STATEMENT_SECONDS);
    await system.query(
      `CREATE OR REPLACE TRIGGER slow_down BEFORE INSERT ON invoices FOR EACH ROW
       WHEN (NEW.company_id = '${bystanders.victim.companyId}')
       EXECUTE FUNCTION slow_down()`,
    );
    await bystanders.watch(system, 'slow-company', async () => {
      await bystanders.writeAsVictim(system, 'respond-async');
      await delay(seconds * 1000);
      // Replacing the function needs no lock of the table, for which all writes would wait.
      await setPause(0);
    });
  },
};

/** A company with a backlog and old failures repeats these and sends as much as it can. */
const hostile: Fault = {
  name: 'hostile-company',
  modes: BOTH,
  parts: ['rows'],
  seconds: 8,
  async run(system, _random, seconds) {
    const company = await makeHostile(system);
    await bystandersOf(system).watch(system, 'hostile-company', () =>
      floodAsHostile(system, company, seconds),
    );
    await untilPoisonFailed(system);
  },
};

export const COMPANY_FAULTS: readonly Fault[] = [rowLock, slowCompany, hostile];
