// Faults of Postgres.
import pg from 'pg';
import { until } from '../support/processes.js';
import { CONNECTION_FAULTS } from './connection-faults.js';
import { BOTH, type Fault, PROCESSES, pause } from './fault.js';

export const POSTGRES_FAULTS: readonly Fault[] = [
  {
    name: 'postgres-restart',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 1,
    async run(system) {
      await system.stopPostgres('SIGQUIT');
      await system.startPostgres();
    },
  },
  {
    name: 'postgres-kill',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 1,
    async run(system) {
      await system.stopPostgres('SIGKILL');
      await system.startPostgres();
    },
  },
  {
    name: 'postgres-stop',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 30,
    async run(system, _random, seconds) {
      await system.stopPostgres('SIGINT');
      await pause(seconds);
      await system.startPostgres();
    },
  },
  {
    name: 'postgres-down-at-boot',
    modes: BOTH,
    parts: ['postgres', ...PROCESSES],
    seconds: 20,
    async run(system, _random, seconds) {
      await system.stopPostgres('SIGINT');
      for (const type of PROCESSES)
        await Promise.all(
          system.processes.names(type).map(name => system.processes.restart(name, 'SIGKILL')),
        );
      await pause(seconds);
      await system.startPostgres();
      await system.processes.allReady();
    },
  },
  {
    name: 'postgres-exhausted',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 6,
    async run(system, _random, seconds) {
      const clients: pg.Client[] = [];
      for (let count = 0; count < 120; count += 1) {
        const client = new pg.Client({ connectionString: system.databaseUrl });
        client.on('error', () => undefined);
        const connected = await client.connect().then(
          () => true,
          () => false,
        );
        if (!connected) break;
        clients.push(client);
      }
      await pause(seconds);
      await Promise.all(clients.map(client => client.end()));
    },
  },
  ...CONNECTION_FAULTS,
  {
    name: 'disk-full',
    modes: BOTH,
    parts: ['postgres'],
    seconds: 6,
    async run(system, _random, seconds) {
      system.fillDisk();
      await pause(seconds);
      system.freeDisk();
      // Postgres ends if it cannot write its log, perhaps only while it recovers. Start it again.
      await until(
        'Postgres accepts statements',
        async () => {
          await system.startPostgres();
          return system.isPostgresUp();
        },
        60_000,
      );
    },
  },
];
