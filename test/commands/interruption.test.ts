// The sentences for operators when a limit, a lock or a lost connection ends a command.
import { expect } from 'chai';
import pg from 'pg';
import { withOpenDatabase } from '../../src/commands/command.js';
import { explainInterruption } from '../../src/commands/interruption.js';
import {
  closeDatabase,
  inTransaction,
  openDatabase,
  query,
} from '../../src/platform/db/connection.js';
import { makeCompany } from '../support/factories.js';
import { launch, until } from '../support/processes.js';
import { describeMode, openForTests } from '../support/suite.js';

const NOTHING = 'Nothing was changed: run it again.';
const IDLE_MS = 100;

describeMode('postgres', 'a command', stack => {
  afterEach(closeDatabase);

  it('has limits of its own: none for a statement, and a minute within a transaction', async () => {
    const { databaseUrl } = stack();
    const settings = await withOpenDatabase({ config: {} as never, databaseUrl }, () =>
      query(
        `SELECT current_setting('statement_timeout') AS statement,
           current_setting('idle_in_transaction_session_timeout') AS idle`,
        [],
      ),
    );
    expect(settings).to.deep.equal([{ statement: '0', idle: '1min' }]);
  });

  for (const [host, pause] of [
    ['an idle', () => new Promise(resolve => setTimeout(resolve, 5 * IDLE_MS))],
    [
      'a busy',
      async () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 * IDLE_MS),
    ],
  ] as const)
    it(`that pauses for too long on ${host} host says that nothing was changed`, async () => {
      const limits = { idleInTransactionMs: IDLE_MS };
      openDatabase({ url: stack().databaseUrl, poolMax: 1, name: 'test', limits });
      const work = () =>
        inTransaction(async tx => {
          await tx.query('UPDATE companies SET name = name WHERE false', []);
          await pause();
          await tx.query('SELECT 1', []);
        });
      const sentence = await explainInterruption('everything', work).catch(error => error.message);
      expect(sentence).to.equal(
        `Postgres ended the command because it paused within a transaction. ${NOTHING}`,
      );
    });

  /** Runs `company update` while a session holds the company's row. */
  const updateLocked = async (whileItWaits: (session: pg.Client) => Promise<unknown>) => {
    const { companyId } = await makeCompany(stack());
    const session = new pg.Client({ connectionString: stack().databaseUrl });
    await session.connect();
    try {
      await session.query('BEGIN');
      await session.query('SELECT FROM companies WHERE id = $1 FOR UPDATE', [companyId]);
      const args = ['company', 'update', '--company', companyId, '--credit-limit-action', 'refuse'];
      const command = launch('src/commands/admin.js', stack().env, { args });
      await until('the command waits for the row', async () => {
        const rows = await stack().sql(
          `SELECT FROM pg_stat_activity
           WHERE application_name = 'tradepost-command' AND wait_event_type = 'Lock'`,
        );
        return rows.length === 1;
      });
      await whileItWaits(session);
      expect(await command.ended).to.equal(1);
      return command.output().trim();
    } finally {
      await session.end();
    }
  };
  const end = (by: string) => () =>
    stack().sql(
      `SELECT ${by}(pid) FROM pg_stat_activity WHERE application_name = 'tradepost-command'`,
    );

  it('that waits too long for a lock says so', async () => {
    expect(await updateLocked(async () => undefined)).to.equal(
      `Another session holds a lock that the command needs; see pg_stat_activity. ${NOTHING}`,
    );
  });

  it('whose statement is cancelled says that nothing was changed', async () => {
    expect(await updateLocked(end('pg_cancel_backend'))).to.equal(
      `A statement of the command was cancelled. ${NOTHING}`,
    );
  });

  it('whose connection is ended says that the outcome is unknown', async () => {
    expect(await updateLocked(end('pg_terminate_backend'))).to.equal(
      'Postgres is unavailable: terminating connection due to administrator command. ' +
        'The command may have been carried out: check that before you run it again.',
    );
  });

  it('that only reads, or goes on where it ended, says so', async () => {
    openForTests('postgres://127.0.0.1:1/none', 1);
    const explain = (effect: 'nothing' | 'steps' | 'everything') =>
      explainInterruption(effect, () => query('SELECT 1', [])).catch(error => error.message);
    const cause = 'Postgres is unavailable: connect ECONNREFUSED 127.0.0.1:1.';
    expect(await explain('nothing')).to.equal(`${cause} ${NOTHING}`);
    expect(await explain('everything')).to.equal(`${cause} ${NOTHING}`);
    expect(await explain('steps')).to.equal(
      `${cause} What was finished is kept: run it again for the rest.`,
    );
  });
});
