// Two `npm start` in one directory share one database; one that is killed leaves it to the other.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { cleanEnvironment, ROOT, temporaryDirectory, until } from '../support/processes.js';
import { BOTH, type Fault } from './fault.js';

const READY_MS = 60_000;

interface Started {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<unknown>;
}

export const twoStarts: Fault = {
  name: 'two-starts',
  modes: BOTH,
  parts: ['rows'],
  seconds: 1,
  async run(_stage, random) {
    const directory = await temporaryDirectory();
    const both = [start(directory.path), start(directory.path)] as const;
    try {
      for (const started of both)
        await until('npm start is ready', async () => isReady(started), READY_MS);
      const [killed, kept] = random.shuffle(both) as [Started, Started];
      killed.child.kill('SIGKILL');
      await killed.ended;
      await until('the other one answers', () => answers(kept), READY_MS);
    } finally {
      for (const { child } of both) child.kill('SIGTERM');
      await Promise.all(both.map(({ ended }) => ended));
      await directory.remove();
    }
  },
};

function start(dataDir: string): Started {
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/start/main.js')], {
    cwd: ROOT,
    env: cleanEnvironment({ PORT: '0', DATA_DIR: dataDir, npm_lifecycle_event: '' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return { child, text: () => text, ended: new Promise(resolve => child.once('exit', resolve)) };
}

function isReady({ child, text }: Started): boolean {
  if (child.exitCode !== null) throw new Error(`npm start ended:\n${text()}`);
  return /ready: http/u.test(text());
}

/** Reads and writes as its printed key allows. */
async function answers({ text }: Started): Promise<boolean> {
  const baseUrl = /ready: (http:\S+)\/api/u.exec(text())?.[1] ?? '';
  const headers = {
    'x-api-key': /tpk_\w+/u.exec(text())?.[0] ?? '',
    'content-type': 'application/json',
  };
  const invoice = {
    customerName: 'A',
    date: '2026-11-20',
    items: [{ name: 'Delivery', qty: 1, price: 1 }],
  };
  const response = await fetch(`${baseUrl}/api/external/invoices`, {
    method: 'POST',
    headers,
    body: JSON.stringify(invoice),
  }).catch(() => null);
  return response?.status === 201;
}
