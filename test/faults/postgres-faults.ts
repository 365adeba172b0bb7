// What befalls Postgres.
import pg from 'pg';
import { until } from '../support/processes.js';
import { BOTH, type Fault, PROCESSES, pause } from './fault.js';

export const POSTGRES_FAULTS: readonly Fault[] = [
  {
    name: 'postgres-restart',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 1,
    async run(stage) {
      await stage.stopPostgres('SIGQUIT');
      await stage.startPostgres();
    },
  },
  {
    name: 'postgres-kill',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 1,
    async run(stage) {
      await stage.stopPostgres('SIGKILL');
      await stage.startPostgres();
    },
  },
  {
    name: 'postgres-stop',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 30,
    async run(stage, _random, seconds) {
      await stage.stopPostgres('SIGINT');
      await pause(seconds);
      await stage.startPostgres();
    },
  },
  {
    name: 'postgres-down-at-boot',
    modes: BOTH,
    parts: ['postgres', ...PROCESSES],
    seconds: 20,
    async run(stage, _random, seconds) {
      await stage.stopPostgres('SIGINT');
      for (const type of PROCESSES)
        await Promise.all(stage.names(type).map(name => stage.restart(name, 'SIGKILL')));
      await pause(seconds);
      await stage.startPostgres();
      await stage.allReady();
    },
  },
  {
    name: 'postgres-terminate',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 8,
    async run(stage, _random, seconds) {
      for (let round = 0; round < seconds; round += 1) {
        await stage.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE pid <> pg_backend_pid() AND datname = current_database() AND backend_type = 'client backend' AND random() < 0.4`,
        );
        await pause(1);
      }
    },
  },
  {
    name: 'postgres-exhausted',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 6,
    async run(stage, _random, seconds) {
      const hogs: pg.Client[] = [];
      for (let count = 0; count < 120; count += 1) {
        const hog = new pg.Client({ connectionString: stage.databaseUrl });
        hog.on('error', () => undefined);
        const connected = await hog.connect().then(
          () => true,
          () => false,
        );
        if (!connected) break;
        hogs.push(hog);
      }
      await pause(seconds);
      await Promise.all(hogs.map(hog => hog.end()));
    },
  },
  {
    name: 'disk-full',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 6,
    async run(stage, _random, seconds) {
      stage.fillDisk();
      await pause(seconds);
      stage.freeDisk();
      // It ends where its log cannot be written, perhaps only while it comes up again: then it is the supervisor's turn.
      await until(
        'Postgres answers',
        async () => {
          await stage.startPostgres();
          return stage.answers();
        },
        60_000,
      );
    },
  },
];
