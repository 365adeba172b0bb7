// Verify sees what is damaged: each column of each table, and each lost row, but for those that are
// listed with the reason. A column of a later migration fails here until it is checked or listed.
import { expect } from 'chai';
import pg from 'pg';
import { RUNS } from '../src/verify/service.js';
import type { Violation } from '../src/verify/violation.js';
import { makeCompleteCompany } from './support/complete-company.js';
import { type Damage, damagesOf } from './support/damage.js';
import { makeCompany } from './support/factories.js';
import { makeStack } from './support/suite.js';
import { MAY_GO_UNSEEN } from './support/unseen-damage.js';

describe('verify, on a damaged database', () => {
  let client: pg.Client;
  let damages: Damage[];
  const listed = new Map(
    Object.values(MAY_GO_UNSEEN)
      .flat()
      .map(name => [name, 0]),
  );

  before(async () => {
    const stack = await makeStack('postgres');
    await makeCompany(stack);
    const { companyId } = await makeCompleteCompany(stack);
    // Nothing but the damages changes the database from now on.
    await stack.web.stop();
    // A write that took over a second has a row from web, with the author.
    await stack.sql(`UPDATE jobs SET created_by = NULL WHERE status = 'succeeded'`);
    client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    // Disables foreign keys and triggers.
    await client.query('BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL jit = off');
    damages = await damagesOf(client, companyId);
  });
  after(() => client.end());

  /** Runs `work` and undoes what it changes. */
  async function undone<Result>(work: () => Promise<Result>): Promise<Result> {
    await client.query('SAVEPOINT damage');
    return work().finally(() => client.query('ROLLBACK TO SAVEPOINT damage'));
  }

  /** Returns false if the database refuses it, with every value that is tried. */
  async function inflict({ statements, name }: Damage): Promise<boolean> {
    for (const { sql, values } of statements) {
      await client.query('SAVEPOINT attempt');
      try {
        expect((await client.query(sql, [...values])).rowCount, name).to.equal(1);
        return true;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error;
        // Refused by a constraint, or because the column is always generated.
        expect(error.code, `${name}: ${error.message}`).to.match(/^23|^428C9$/u);
        await client.query('ROLLBACK TO SAVEPOINT attempt');
      }
    }
    return false;
  }

  /** The first violation, in the order of the runs. */
  async function firstViolation(runs: typeof RUNS): Promise<[Violation, (typeof RUNS)[0]] | null> {
    for (const run of runs) {
      await client.query('SAVEPOINT run');
      for await (const violation of run.run(client)) {
        await client.query('ROLLBACK TO SAVEPOINT run');
        return [violation, run];
      }
    }
    return null;
  }

  /** The entry of the list that names the damage. */
  function entryOf({ name, variant }: Damage): string | undefined {
    const parts = name.split('.');
    return parts
      .flatMap((_, index) => {
        const prefix = parts.slice(0, index + 1).join('.');
        // A lost row is listed by the table's name alone.
        if (index === 0 && parts.length > 1) return [`${prefix}.*`];
        return [prefix, `${prefix} (${variant})`];
      })
      .find(entry => listed.has(entry));
  }

  it('is clean before the damage', async () => {
    expect(await firstViolation(RUNS)).to.equal(null);
  });

  it('finds each damage that is not listed', async () => {
    const unseen: string[] = [];
    // The run that found the last damage of a table probably finds the next one.
    const lastOf = new Map<string, (typeof RUNS)[0]>();
    const recent: (typeof RUNS)[0][] = [...RUNS];
    for (const damage of damages) {
      if (entryOf(damage) !== undefined) continue;
      await undone(async () => {
        if (!(await inflict(damage))) return;
        const last = lastOf.get(damage.table);
        const found = await firstViolation(last ? [last, ...recent] : recent);
        if (!found) {
          unseen.push(`${damage.name} (${damage.variant})`);
          return;
        }
        lastOf.set(damage.table, found[1]);
        recent.unshift(...recent.splice(recent.indexOf(found[1]), 1));
      });
    }
    expect(unseen.join('\n')).to.equal('');
  });

  it('finds no listed damage, so the list has no entry too many', async () => {
    const rounds: Damage[][] = [];
    const perRow = new Map<string, number>();
    const refused: string[] = [];
    for (const damage of damages) {
      const entry = entryOf(damage);
      if (entry === undefined) continue;
      if (!(await undone(() => inflict(damage)))) {
        refused.push(`${damage.name} (${damage.variant})`);
        continue;
      }
      listed.set(entry, (listed.get(entry) ?? 0) + 1);
      const row = `${damage.table} ${damage.ctid}`;
      const round = perRow.get(row) ?? 0;
      perRow.set(row, round + 1);
      rounds[round] = [...(rounds[round] ?? []), damage];
    }
    // Each round damages many rows, and each row once.
    const seen: string[] = [];
    for (const round of rounds) seen.push(...(await seenIn(round)));
    expect(seen.join('\n')).to.equal('');
    const without = [...listed].filter(([, count]) => count === 0).map(([entry]) => entry);
    expect(without.join('\n'), 'entries without a damage').to.equal('');
  });

  /** The damages that are seen, each with its violation. */
  async function seenIn(round: readonly Damage[]): Promise<string[]> {
    const found = await undone(async () => {
      for (const damage of round) await inflict(damage);
      return firstViolation(RUNS);
    });
    if (!found) return [];
    const [only] = round;
    if (round.length === 1 && only)
      return [`${only.name} (${only.variant}): ${JSON.stringify(found[0])}`];
    const half = Math.ceil(round.length / 2);
    return [...(await seenIn(round.slice(0, half))), ...(await seenIn(round.slice(half)))];
  }
});
