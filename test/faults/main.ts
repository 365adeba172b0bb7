// `npm run faults`: runs seeded clients against the real processes while faults come, then judges
// the outcome.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, refuseOptions } from '../support/options.js';
import { hasRedisServer, REDIS_MISSING } from '../support/redis-server.js';
import type { Mode } from '../support/suite.js';
import type { ServerKind } from '../support/test-cluster.js';
import type { Fault } from './fault.js';
import { FAULTS, onePerFamily } from './faults.js';
import { PHASES, runHostile } from './hostile-run.js';
import { Journal } from './journal.js';
import { judge, summarize } from './judge.js';
import { describeTrial, measureTrial } from './judgements.js';
import { type Load, type Pauses, startLoad } from './load.js';
import { createRandom, type Random } from './random.js';
import { measureRecovery } from './recovery.js';
import { runSchedule } from './schedule.js';
import { canMountSmallDisk } from './small-disk.js';
import { System } from './system.js';

const HELP = `
npm run faults -- [--seed S] [--minutes M | --once | --one-per-family] [--mode postgres|redis]
                  [--fault NAME,…] [--webs 2] [--workers 2] [--clients 12] [--fault-seconds N]
                  [--grace-seconds 2] [--journal FILE] [--postgres embedded|installed] [--verbose]
npm run faults -- --hostile [--mode postgres|redis] [--attack NAME,…] [--seconds 16]

Starts its own Postgres, redis-server (mode redis) and the product's processes. Seeded clients write
and read, change, merge and delete customers' records, and dashboard users correct deliveries, write
drafts and import stock, while faults come by a seeded schedule, one or two at a time. Then heals,
replays every key and compares the journal with the database. Prints the timeline, the seed, the
recovery times and a last line of counts.
Exits 1 and keeps the journal if a promise was broken: a write was lost, duplicated or failed
through no fault of its client; an invoice was overpaid, or more was credited or came back than was
sold; a line missed its item, or a write was refused, in a way that no order of the writes explains;
a correction, draft or import differs from what its user was told, or one was undone or issued in
part; a change of a customer's record was lost, repeated or made up; an invoice ignored a hold or a
credit limit, or was refused without one; the invoices of a batch were created in another order than
sent; a stock level, a total, a top list, a search text, a statement, receivables or an exposure
differs from a recount of the documents; a request was not answered, or was refused while Postgres
was available; a company could not write; a company had to wait for another one.

  --once             each fault once, however long that takes
  --one-per-family   one fault each of processes, Redis, Postgres, companies and requests, chosen by
                     the seed; its clients pause longer
  --fault-seconds N  faults last no longer than they must (some take a minute by default)
  --grace-seconds N  how long an answer may take beyond its request's wait (raise if busy)
  --postgres KIND    the embedded PostgreSQL, or the one that this machine has (installed)

With --hostile no fault comes. One company attacks the others through one web and one worker
process, in one way after the other: ${PHASES.map(({ name }) => name).join(', ')}.
Three other companies write 10 invoices and read 5 times per second each. Prints what they noticed,
and exits 1 unless at least 99 % of their requests succeed with a p99 of one second, /healthz always
answers within 500 ms and web takes at most 300 MiB. While the attacker reads reports or searches,
reads must have a p99 of 300 ms and writes of 500 ms, and /healthz 200 ms. Takes about eight
minutes, and longer if web is blocked.

  --attack NAME,…    only these attacks
  --seconds N        each attack lasts so long

Faults: ${FAULTS.map(({ name }) => name).join(', ')}.
`;

const SCHEDULERS = 2;
const DISK_FULL = 'disk-full';
const PAUSES: Pauses = { clientMs: 0, userMs: 800 };
/** Two requests or so are under way all the time, at a fraction of the cost. */
const QUICK_PAUSES: Pauses = { clientMs: 25, userMs: 2_000 };
/** Violations of each kind: the first ones show the cause. */
const MAX_SHOWN = 10;
/** The line of web's log that has the cause of a 503. */
const UNAVAILABLE_LINE = /"requestId":"([^"]+)".*"msg":"dependency unavailable"/u;
const REQUEST_ID = /"requestId":"([^"]+)"/u;

const values = readOptions({
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '1' },
  once: { type: 'boolean', default: false },
  'one-per-family': { type: 'boolean', default: false },
  mode: { type: 'string', default: 'redis' },
  fault: { type: 'string' },
  webs: { type: 'string', default: '2' },
  workers: { type: 'string', default: '2' },
  clients: { type: 'string', default: '12' },
  'fault-seconds': { type: 'string' },
  'grace-seconds': { type: 'string', default: '2' },
  journal: { type: 'string' },
  postgres: { type: 'string', default: 'embedded' },
  hostile: { type: 'boolean', default: false },
  attack: { type: 'string' },
  seconds: { type: 'string', default: '16' },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
});

const started = Date.now();
const say = (text: string) =>
  void process.stdout.write(
    `${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}\n`,
  );

if (values.help) process.stdout.write(`${HELP.trim()}\n`);
else if (values.hostile) process.exitCode = await attack(values.mode as Mode);
else process.exitCode = await run(values.mode as Mode, createRandom(Number(values.seed)));

async function run(mode: Mode, random: Random): Promise<number> {
  const faults = chooseFaults(mode, random);
  const causes = new Map<string, string>();
  const withCause = (violation: string) => {
    const cause = causes.get(REQUEST_ID.exec(violation)?.[1] ?? '');
    return cause ? `${violation}: ${cause}` : violation;
  };
  const system = new System({
    mode,
    postgres: values.postgres as ServerKind,
    counts: { web: Number(values.webs), worker: Number(values.workers), scheduler: SCHEDULERS },
    smallDisk: faults.some(({ name }) => name === DISK_FULL),
    onLine: (name, line) => {
      const failed = UNAVAILABLE_LINE.exec(line)?.[1];
      if (failed) causes.set(failed, line);
      if (values.verbose && !line.includes('"msg":"request"')) say(`${name} ${line}`);
    },
  });
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-faults-'));
  const path = values.journal ?? join(directory, 'journal.jsonl');
  const journal = new Journal(path);
  let isClean = false;
  say(`seed ${values.seed}, mode ${mode}, journal ${path}`);
  say(`faults: ${faults.map(({ name }) => name).join(', ')}`);
  // An interrupted run leaves only the journal behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void system.close().finally(() => process.exit(1)));
  try {
    await system.open();
    const load = await underFaults(system, faults, journal, random);
    say('healed; replaying every key');
    const verdict = await judge(system, journal, load);
    for (const { what, times, requests, slowestMs } of measureRecovery(
      system.processes.disturbances,
      journal,
    ))
      say(
        `${what}${times > 0 ? ` ${times} times` : ''}: the last of ${requests} requests ` +
          `under way was done ${Math.round(slowestMs)} ms later`,
      );
    for (const violations of verdict.violations) {
      for (const violation of violations.slice(0, MAX_SHOWN))
        say(`VIOLATION ${withCause(violation)}`);
      const more = violations.length - MAX_SHOWN;
      if (more > 0) say(`VIOLATION and ${more} more like these`);
    }
    for (const trial of system.history.trials)
      for (const company of measureTrial(trial, load.graceMs))
        say(`${trial.what}: ${describeTrial(company)}`);
    const counts = verdict.kinds.map(
      ({ kind, created, refused }) => `${kind} ${created} (${refused})`,
    );
    say(`created (refused): ${counts.join(', ')}`);
    const unjudged = Array.from(verdict.unjudged, ([outcome, count]) => `${count} × ${outcome}`);
    say(
      `the model explains ${verdict.modelled} outcomes; ` +
        `cannot judge: ${unjudged.join(', ') || 'none'}`,
    );
    isClean = verdict.violations.flat().length === 0;
    process.stdout.write(`seed ${values.seed} mode ${mode}: ${summarize(verdict)}\n`);
  } finally {
    journal.close();
    await system.close();
    if (isClean) rmSync(directory, { recursive: true, force: true });
  }
  return isClean ? 0 : 1;
}

async function attack(mode: Mode): Promise<number> {
  if (mode === 'redis' && !hasRedisServer()) throw new Error(REDIS_MISSING);
  say(`mode ${mode}`);
  const phases = values.attack?.split(',');
  const violations = await runHostile({ mode, seconds: Number(values.seconds), phases, say });
  process.stdout.write(`mode ${mode}: ${violations.length} limits exceeded\n`);
  return violations.length === 0 ? 0 : 1;
}

/** The requested faults that are possible here. Says which one is left out. */
function chooseFaults(mode: Mode, random: Random): Fault[] {
  if (mode === 'redis' && !hasRedisServer()) throw new Error(REDIS_MISSING);
  const names = values.fault?.split(',') ?? FAULTS.map(({ name }) => name);
  const unknown = names.filter(name => !FAULTS.some(fault => fault.name === name));
  if (unknown.length > 0) refuseOptions(`There is no fault ${unknown.join(', ')}.`);
  const hasLoginTrigger = values.postgres !== 'installed';
  const requested = FAULTS.filter(
    ({ name, modes, needsLoginTrigger = false }) =>
      modes.includes(mode) && names.includes(name) && (hasLoginTrigger || !needsLoginTrigger),
  );
  const chosen = values['one-per-family']
    ? onePerFamily(requested, random.fork('families'))
    : requested;
  const canFillDisk = chosen.some(({ name }) => name === DISK_FULL) && canMountSmallDisk();
  const possible = chosen.filter(({ name }) => name !== DISK_FULL || canFillDisk);
  if (possible.length < chosen.length)
    say(`left out: ${DISK_FULL}, because this user may not mount a tmpfs`);
  if (possible.length === 0) refuseOptions(`None of these faults is possible in mode ${mode}.`);
  return possible;
}

async function underFaults(
  system: System,
  faults: readonly Fault[],
  journal: Journal,
  random: Random,
): Promise<Load> {
  const graceMs = Number(values['grace-seconds']) * 1000;
  const load = await startLoad(system, journal, random, {
    clients: Number(values.clients),
    graceMs,
    pauses: values['one-per-family'] ? QUICK_PAUSES : PAUSES,
  });
  const schedule = {
    faults,
    durationMs: values.once || values['one-per-family'] ? 0 : Number(values.minutes) * 60_000,
    faultSeconds: values['fault-seconds'] === undefined ? null : Number(values['fault-seconds']),
  };
  try {
    await runSchedule(system, schedule, random.fork('schedule'), say);
  } finally {
    await load.stop();
  }
  await system.processes.allReady();
  return load;
}
