// Faults of single connections and statements, while Postgres itself runs.
import { BOTH, type Fault, PROCESSES, repeat } from './fault.js';
import type { System } from './system.js';

/** Statements take milliseconds, so many attempts are needed to meet one. */
const CANCEL_EVERY_MS = 10;
const TERMINATE_EVERY_MS = 500;
const BOOT_TERMINATE_EVERY_MS = 50;
const OTHER_BACKENDS = `
  FROM pg_stat_activity
  WHERE pid <> pg_backend_pid()
    AND datname = current_database()
    AND backend_type = 'client backend'`;

/** Terminates each of the product's backends with this probability. */
function terminateSome(system: System, share: number): Promise<unknown> {
  return system.query(
    `SELECT pg_terminate_backend(pid) ${OTHER_BACKENDS} AND random() < $1::float`,
    [share],
  );
}

const terminate: Fault = {
  name: 'postgres-terminate',
  modes: BOTH,
  parts: ['postgres'],
  seconds: 8,
  run: (system, _random, seconds) => repeat(seconds, 1_000, () => terminateSome(system, 0.4)),
};

/** Look-ups of web, batches of workers, and commits are canceled like an operator would do it. */
const cancel: Fault = {
  name: 'postgres-cancel',
  modes: BOTH,
  parts: ['postgres'],
  seconds: 6,
  run: (system, _random, seconds) =>
    system.withClient(client =>
      repeat(seconds, CANCEL_EVERY_MS, () =>
        client.query(`SELECT pg_cancel_backend(pid) ${OTHER_BACKENDS} AND state = 'active'`),
      ),
    ),
};

/**
 * Pools grow, and many of the new connections end at once: some while the session starts, some in
 * the millisecond after Postgres said that it is ready, before the driver hands them out.
 */
const terminateAtOpening: Fault = {
  name: 'postgres-terminate-at-opening',
  modes: BOTH,
  parts: ['postgres'],
  seconds: 6,
  needsLoginTrigger: true,
  async run(system, _random, seconds) {
    await system.withClient(async client => {
      await client.query(
        `CREATE FUNCTION end_at_opening() RETURNS event_trigger LANGUAGE plpgsql AS $$
         BEGIN
           IF random() < 0.3 THEN
             PERFORM set_config('idle_session_timeout', '1ms', false);
           ELSIF random() < 0.3 THEN
             PERFORM pg_terminate_backend(pg_backend_pid());
           END IF;
         END $$`,
      );
      await client.query(
        'CREATE EVENT TRIGGER end_at_opening ON login EXECUTE FUNCTION end_at_opening()',
      );
      try {
        await repeat(seconds, TERMINATE_EVERY_MS, () =>
          client.query(`SELECT pg_terminate_backend(pid) ${OTHER_BACKENDS} AND random() < 0.6`),
        );
      } finally {
        await client.query('DROP EVENT TRIGGER end_at_opening');
        await client.query('DROP FUNCTION end_at_opening');
      }
    });
  },
};

/** Each type of process starts while its connections are terminated, and must keep trying. */
const terminateAtBoot: Fault = {
  name: 'postgres-terminate-at-boot',
  modes: BOTH,
  parts: ['postgres', ...PROCESSES],
  seconds: 6,
  async run(system, random, seconds) {
    const names = PROCESSES.map(type => random.pick(system.processes.names(type)));
    await Promise.all(names.map(name => system.processes.restart(name, 'SIGTERM')));
    // A process takes a second or two until it opens its first connection.
    await repeat(Math.max(seconds, 3), BOOT_TERMINATE_EVERY_MS, () => terminateYoung(system));
    await system.processes.allReady();
  },
};

/** Terminates the backends of the last second: those of processes that are starting. */
function terminateYoung(system: System): Promise<unknown> {
  return system.query(
    `SELECT pg_terminate_backend(pid) ${OTHER_BACKENDS}
       AND backend_start > clock_timestamp() - interval '1 second'`,
  );
}

export const CONNECTION_FAULTS: readonly Fault[] = [
  terminate,
  cancel,
  terminateAtOpening,
  terminateAtBoot,
];
