// `npm run faults`: seeded clients against the real processes while things break, then the judgement.
import { parseArgs } from 'node:util';
import { makeCompany, receive } from '../support/factories.js';
import type { Mode } from '../support/suite.js';
import { itemNames, type Journal, runClient } from './clients.js';
import { canRun, FAULTS } from './faults.js';
import { judge } from './judge.js';
import { createRandom } from './random.js';
import { Stage } from './stage.js';

const HELP = `
npm run faults -- [--seed S] [--minutes M] [--mode postgres|redis] [--fault NAME,…] [--webs 2] [--workers 2] [--clients 12]
                  [--fault-seconds 4] [--verbose]

Starts its own Postgres, redis-server (mode redis) and the product's processes, lets seeded clients write and read while
faults come by a seeded schedule, then heals, asks every key again and compares the journal with the database. Prints
the timeline, the seed and a last line of counts; exits 1 where anything was lost, duplicated or otherwise not as promised.

Faults: ${FAULTS.map(({ name }) => name).join(', ')}.
`;

const COMPANIES = 3;
const STOCK = 100_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    mode: { type: 'string', default: 'redis' },
    fault: { type: 'string' },
    webs: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    clients: { type: 'string', default: '12' },
    'fault-seconds': { type: 'string', default: '4' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(`${HELP.trim()}\n`);
else process.exitCode = await run();

async function run(): Promise<number> {
  const mode = values.mode as Mode;
  if (!canRun(mode))
    throw new Error('redis-server is not installed: apt-get install redis-server, or brew install redis');
  const chosen = FAULTS.filter(
    ({ name, modes }) => modes.includes(mode) && (values.fault === undefined || values.fault.split(',').includes(name)),
  );
  if (chosen.length === 0) throw new Error(`there is no such fault in mode ${mode}; see --help`);
  const random = createRandom(Number(values.seed));
  const started = Date.now();
  const say = (text: string) =>
    process.stdout.write(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}\n`);
  const stage = new Stage({
    mode,
    webs: Number(values.webs),
    workers: Number(values.workers),
    schedulers: 2,
    onLine: (name, line) => values.verbose && !line.includes('"msg":"request"') && say(`${name} ${line}`),
  });
  say(`seed ${values.seed}, mode ${mode}, faults: ${chosen.map(({ name }) => name).join(', ')}`);
  try {
    await stage.open();
    const journal = await underFaults(stage, chosen, random, Number(values.minutes) * 60_000, say);
    say('healed; asking every key again');
    const verdict = await judge(stage, journal);
    for (const fault of verdict.faults.slice(0, 50)) say(`NOT AS PROMISED ${fault}`);
    const { acknowledged, unknown, replayed, lost, duplicated } = verdict;
    process.stdout.write(
      `seed ${values.seed} mode ${mode}: acknowledged ${acknowledged}, unknown ${unknown}, replayed ${replayed}, lost ${lost}, duplicated ${duplicated}, other ${verdict.faults.length}\n`,
    );
    return verdict.faults.length === 0 ? 0 : 1;
  } finally {
    await stage.close();
  }
}

async function underFaults(
  stage: Stage,
  chosen: typeof FAULTS,
  random: ReturnType<typeof createRandom>,
  durationMs: number,
  say: (text: string) => void,
): Promise<Journal> {
  const target = { baseUrl: `http://127.0.0.1:${stage.webPorts[0]}`, sql: stage.query.bind(stage) };
  const companies = await Promise.all(Array.from({ length: COMPANIES }, () => makeCompany(target)));
  for (const company of companies) await receive(company, ...itemNames().map(name => ({ name, delta: STOCK })));
  const journal: Journal = { entries: [], badReads: [], reads: 0 };
  let stopped = false;
  const clients = Array.from({ length: Number(values.clients) }, (_, at) =>
    runClient(`c${at}`, companies, stage.webPorts, journal, random.fork(`client ${at}`), () => stopped),
  );
  const schedule = random.fork('schedule');
  const end = Date.now() + durationMs;
  // Each fault once in a shuffled order, then any, while there is time.
  const order = [...chosen].sort(() => schedule.next() - 0.5);
  while (Date.now() < end) {
    const fault = order.shift() ?? schedule.pick(chosen);
    const before = journal.entries.filter(({ answer }) => answer).length;
    say(`${fault.name} …`);
    await fault.run(stage, schedule, Number(values['fault-seconds']));
    await new Promise(resolve => setTimeout(resolve, 1_000));
    say(`${fault.name} over; ${journal.entries.filter(({ answer }) => answer).length - before} answers meanwhile`);
  }
  stopped = true;
  await Promise.all(clients);
  await stage.allReady();
  return journal;
}
