// What befalls the product's own processes.
import { FAIL_STEPS, type FailStep } from '../../config/fail-points.js';
import { until } from '../support/processes.js';
import { BOTH, type Fault, PROCESSES, pause } from './fault.js';
import type { Stage, Type } from './stage.js';

/** So long a process may take to pass a step so many times, with another fault beside this one. */
const STEP_TIMEOUT_MS = 60_000;
const STEP_PASSINGS_MAX = 12;
const WEB_STEPS: readonly string[] = ['enqueued', 'persisted'];

function kill(type: Type): Fault {
  return {
    name: `kill-${type}`,
    modes: BOTH,
    parts: [type],
    seconds: 6,
    async run(stage, random, seconds) {
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end) {
        await stage.restart(random.pick(stage.names(type)), 'SIGKILL');
        await pause(0.5 + random.next() * 2);
      }
      await stage.allReady();
    },
  };
}

/** A process that hangs and comes back: what it had in hand was done by others, and its own late commit must lose. */
function freeze(type: Type): Fault {
  return {
    name: `stop-${type}`,
    modes: BOTH,
    parts: [type],
    seconds: 60,
    async run(stage, random, seconds) {
      await stage.freeze(random.pick(stage.names(type)), seconds);
      await stage.allReady();
    },
  };
}

/** SIGKILL at each step of a batch and of a submission, after some passings; each process takes its share of the steps. */
const killAtSteps: Fault = {
  name: 'kill-at-steps',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: 30,
  async run(stage, random) {
    const shares = new Map<string, FailStep[]>();
    for (const [at, step] of random.shuffle(FAIL_STEPS).entries()) {
      const names = stage.names(WEB_STEPS.includes(step) ? 'web' : 'worker');
      const name = names[at % names.length] ?? '';
      shares.set(name, [...(shares.get(name) ?? []), step]);
    }
    await Promise.all(
      [...shares].map(async ([name, steps]) => {
        for (const step of steps)
          await dieAt(stage, name, step, random.between(1, STEP_PASSINGS_MAX));
      }),
    );
    await stage.allReady();
  },
};

async function dieAt(stage: Stage, name: string, step: FailStep, passing: number): Promise<void> {
  await stage.restart(name, 'SIGKILL', { FAIL_POINT: `kill:${step}:${passing}` });
  const before = stage.kills(name);
  await until(
    `${name} has died at ${step}`,
    async () => stage.kills(name) > before,
    STEP_TIMEOUT_MS,
  );
}

/** SIGSTOP in the middle of a transaction, before one and after one; thawed when others have long done the work. */
const stopAtSteps: Fault = {
  name: 'stop-at-steps',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: 8,
  async run(stage, random, seconds) {
    for (const step of random.shuffle(['batch-taken', 'job-written', 'committed'])) {
      const name = random.pick(stage.names('worker'));
      await stage.restart(name, 'SIGTERM', {
        FAIL_POINT: `stop:${step}:${random.between(1, STEP_PASSINGS_MAX)}`,
      });
      await until(`${name} hangs at ${step}`, async () => stage.isFrozen(name), STEP_TIMEOUT_MS);
      stage.disturbed('worker stopped');
      await pause(seconds);
      stage.signal(name, 'SIGCONT');
      await stage.allReady();
    }
  },
};

const rollingRestart: Fault = {
  name: 'rolling-restart',
  modes: BOTH,
  parts: PROCESSES,
  seconds: 1,
  async run(stage) {
    for (const name of PROCESSES.flatMap(type => stage.names(type))) {
      await stage.restart(name, 'SIGTERM');
      await stage.allReady();
    }
  },
};

/** A process whose clock is ten minutes off. */
const clock: Fault = {
  name: 'clock',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: 6,
  async run(stage, random, seconds) {
    const name = random.pick([...stage.names('web'), ...stage.names('worker')]);
    await stage.restart(name, 'SIGTERM', {
      NODE_OPTIONS: `--import ${new URL('./clock.js', import.meta.url).href}`,
      TRADEPOST_CLOCK_SHIFT_MS: random.pick(['-600000', '600000']),
    });
    await stage.allReady();
    await pause(seconds);
    await stage.restart(name, 'SIGTERM');
    await stage.allReady();
  },
};

/** Every queue job is there three times, for whichever workers take them. */
const thrice: Fault = {
  name: 'deliver-thrice',
  modes: BOTH,
  parts: ['web'],
  seconds: 8,
  async run(stage, _random, seconds) {
    const webs = stage.names('web');
    await Promise.all(webs.map(name => stage.restart(name, 'SIGTERM', { FAIL_POINT: 'thrice' })));
    await stage.allReady();
    await pause(seconds);
    await Promise.all(webs.map(name => stage.restart(name, 'SIGTERM')));
    await stage.allReady();
  },
};

export const PROCESS_FAULTS: readonly Fault[] = [
  ...PROCESSES.map(kill),
  ...PROCESSES.map(freeze),
  killAtSteps,
  stopAtSteps,
  rollingRestart,
  clock,
  thrice,
];
