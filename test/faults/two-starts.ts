// Two `npm start` in one directory share one database. Killing one leaves it to the other.
import {
  type Launched,
  launch,
  START_SCRIPT,
  temporaryDirectory,
  until,
} from '../support/processes.js';
import { BOTH, type Fault } from './fault.js';

const READY_MS = 60_000;

export const twoStarts: Fault = {
  name: 'two-starts',
  modes: BOTH,
  parts: ['rows'],
  seconds: 1,
  async run(_system, random) {
    const { path, remove } = await temporaryDirectory();
    const env = { PORT: '0', DATA_DIR: path, npm_lifecycle_event: '' };
    const both = [launch(START_SCRIPT, env), launch(START_SCRIPT, env)] as const;
    try {
      for (const start of both)
        await until('npm start is ready', async () => isReady(start), READY_MS);
      const [killed, other] = random.shuffle(both) as [Launched, Launched];
      await killed.stop('SIGKILL');
      await until('the other one answers', () => canWrite(other), READY_MS);
    } finally {
      await Promise.all(both.map(start => start.stop()));
      await remove();
    }
  },
};

function isReady({ child, output }: Launched): boolean {
  if (child.exitCode !== null) throw new Error(`npm start ended:\n${output()}`);
  return /ready: http/u.test(output());
}

/** Creates an invoice with the key that the start printed. */
async function canWrite({ output }: Launched): Promise<boolean> {
  const baseUrl = /ready: (http:\S+)/u.exec(output())?.[1] ?? '';
  const headers = {
    'x-api-key': /tpk_\w+/u.exec(output())?.[0] ?? '',
    'content-type': 'application/json',
  };
  const items = [{ name: 'Delivery', qty: 1, price: 1 }];
  const body = JSON.stringify({ customerName: 'A', date: '2026-11-20', items });
  const url = `${baseUrl}/api/external/invoices`;
  const response = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
  return response?.status === 201;
}
