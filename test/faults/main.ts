// `npm run faults`: seeded clients against the real processes while things break, then the judgement.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCompany, receive } from '../support/factories.js';
import type { Mode } from '../support/suite.js';
import { itemNames, runClient } from './clients.js';
import type { Fault } from './fault.js';
import { canRun, FAULTS } from './faults.js';
import { Journal } from './journal.js';
import { judge } from './judge.js';
import { createRandom, type Random } from './random.js';
import { measureRecovery } from './recovery.js';
import { runSchedule } from './schedule.js';
import { canMountSmallDisk } from './small-disk.js';
import { Stage } from './stage.js';

const HELP = `
npm run faults -- [--seed S] [--minutes M | --once] [--mode postgres|redis] [--fault NAME,…] [--webs 2] [--workers 2]
                  [--clients 12] [--fault-seconds N] [--grace-seconds 2] [--journal FILE] [--verbose]

Starts its own Postgres, redis-server (mode redis) and the product's processes, lets seeded clients write and read while
faults come by a seeded schedule (one, then two at a time), then heals, asks every key again and compares the
journal with the database. Prints the timeline, the seed, how long recovery took and a last line of counts; exits 1 where
anything was lost, duplicated or otherwise not as promised, and then keeps the journal.

  --once             each fault once, however long that takes
  --fault-seconds N  no fault lasts longer (by themselves some take a minute)
  --grace-seconds N  what an answer may take beyond its request's wait; more where the machine has other work

Faults: ${FAULTS.map(({ name }) => name).join(', ')}.
`;

const COMPANIES = 3;
const STOCK = 100_000;
const DISK_FULL = 'disk-full';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    once: { type: 'boolean', default: false },
    mode: { type: 'string', default: 'redis' },
    fault: { type: 'string' },
    webs: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    clients: { type: 'string', default: '12' },
    'fault-seconds': { type: 'string' },
    'grace-seconds': { type: 'string', default: '2' },
    journal: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const started = Date.now();
const say = (text: string) =>
  void process.stdout.write(
    `${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}\n`,
  );

if (values.help) process.stdout.write(`${HELP.trim()}\n`);
else process.exitCode = await run(values.mode as Mode, createRandom(Number(values.seed)));

async function run(mode: Mode, random: Random): Promise<number> {
  const faults = chooseFaults(mode);
  const stage = new Stage({
    mode,
    webs: Number(values.webs),
    workers: Number(values.workers),
    schedulers: 2,
    smallDisk: faults.some(({ name }) => name === DISK_FULL),
    onLine: (name, line) =>
      values.verbose && !line.includes('"msg":"request"') && say(`${name} ${line}`),
  });
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-faults-'));
  const path = values.journal ?? join(directory, 'journal.jsonl');
  const journal = new Journal(path);
  let isAsPromised = false;
  say(`seed ${values.seed}, mode ${mode}, journal ${path}`);
  say(`faults: ${faults.map(({ name }) => name).join(', ')}`);
  // Cut off, it leaves nothing behind but the journal.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stage.close().finally(() => process.exit(1)));
  try {
    await stage.open();
    await underFaults(stage, faults, journal, random);
    say('healed; asking every key again');
    const verdict = await judge(stage, journal);
    for (const { what, times, requests, slowestMs } of measureRecovery(stage.disturbances, journal))
      say(
        `${what}${times > 0 ? ` ${times} times` : ''}: of ${requests} requests under way the last was done ${Math.round(slowestMs)} ms later`,
      );
    for (const fault of verdict.faults.slice(0, 50)) say(`NOT AS PROMISED ${fault}`);
    const { acknowledged, unknown, replayed, lost, duplicated } = verdict;
    isAsPromised = verdict.faults.length === 0;
    process.stdout.write(
      `seed ${values.seed} mode ${mode}: acknowledged ${acknowledged}, unknown ${unknown}, replayed ${replayed}, lost ${lost}, duplicated ${duplicated}, other ${verdict.faults.length}\n`,
    );
  } finally {
    journal.close();
    await stage.close();
    if (isAsPromised) rmSync(directory, { recursive: true, force: true });
  }
  return isAsPromised ? 0 : 1;
}

/** The faults asked for that are possible here; what is left out is said. */
function chooseFaults(mode: Mode): Fault[] {
  if (!canRun(mode))
    throw new Error(
      'redis-server is not installed: apt-get install redis-server, or brew install redis',
    );
  const names = values.fault?.split(',') ?? FAULTS.map(({ name }) => name);
  const unknown = names.filter(name => !FAULTS.some(fault => fault.name === name));
  if (unknown.length > 0) throw new Error(`there is no fault ${unknown.join(', ')}; see --help`);
  const chosen = FAULTS.filter(({ name, modes }) => modes.includes(mode) && names.includes(name));
  const canFillDisk = chosen.some(({ name }) => name === DISK_FULL) && canMountSmallDisk();
  const possible = chosen.filter(({ name }) => name !== DISK_FULL || canFillDisk);
  if (possible.length < chosen.length)
    say(`left out: ${DISK_FULL}, this user may not mount a tmpfs`);
  if (possible.length === 0)
    throw new Error(`no such fault is possible in mode ${mode}; see --help`);
  return possible;
}

async function underFaults(
  stage: Stage,
  faults: readonly Fault[],
  journal: Journal,
  random: Random,
): Promise<void> {
  const target = { baseUrl: `http://127.0.0.1:${stage.webPorts[0]}`, sql: stage.query.bind(stage) };
  const companies = await Promise.all(Array.from({ length: COMPANIES }, () => makeCompany(target)));
  for (const company of companies)
    await receive(company, ...itemNames().map(name => ({ name, delta: STOCK })));
  let isOver = false;
  const graceMs = Number(values['grace-seconds']) * 1000;
  const now = { stopped: () => isOver, hangUpShare: () => stage.hangUpShare, graceMs };
  const clients = Array.from({ length: Number(values.clients) }, (_, at) =>
    runClient(`c${at}`, companies, stage.webPorts, journal, random.fork(`client ${at}`), now),
  );
  const schedule = {
    faults,
    durationMs: values.once ? 0 : Number(values.minutes) * 60_000,
    faultSeconds: values['fault-seconds'] === undefined ? null : Number(values['fault-seconds']),
  };
  try {
    await runSchedule(stage, schedule, random.fork('schedule'), say);
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  await stage.allReady();
}
