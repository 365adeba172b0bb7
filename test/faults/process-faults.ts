// Faults of the product's own processes.
import { FAIL_STEPS, type FailStep } from '../../config/fail-points.js';
import { type ProcessType, until } from '../support/processes.js';
import { CLOCK_FAULTS } from './clock-faults.js';
import { BOTH, type Fault, PROCESSES, pause } from './fault.js';
import type { System } from './system.js';

/** For a process to pass a step the chosen number of times, possibly during another fault. */
const STEP_TIMEOUT_MS = 60_000;
const MAX_STEP_PASSES = 12;
const WEB_STEPS: readonly string[] = ['enqueued', 'persisted'];

function killFault(type: ProcessType): Fault {
  return {
    name: `kill-${type}`,
    modes: BOTH,
    parts: [type],
    seconds: 6,
    async run(system, random, seconds) {
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end) {
        await system.processes.restart(random.pick(system.processes.names(type)), 'SIGKILL');
        await pause(0.5 + random.next() * 2);
      }
      await system.processes.allReady();
    },
  };
}

/**
 * A process that hangs and comes back. Others have done its work meanwhile, so its own late commit
 * must fail.
 */
function freezeFault(type: ProcessType): Fault {
  return {
    name: `stop-${type}`,
    modes: BOTH,
    parts: [type],
    seconds: 60,
    async run(system, random, seconds) {
      await system.processes.freeze(random.pick(system.processes.names(type)), seconds);
      await system.processes.allReady();
    },
  };
}

/**
 * SIGKILL at each step of a batch and of a submission, after some passes. The processes share the
 * steps.
 */
const killAtSteps: Fault = {
  name: 'kill-at-steps',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: 30,
  async run(system, random) {
    const shares = new Map<string, FailStep[]>();
    for (const [index, step] of random.shuffle(FAIL_STEPS).entries()) {
      const names = system.processes.names(WEB_STEPS.includes(step) ? 'web' : 'worker');
      const name = names[index % names.length] ?? '';
      shares.set(name, [...(shares.get(name) ?? []), step]);
    }
    await Promise.all(
      [...shares].map(async ([name, steps]) => {
        for (const step of steps)
          await dieAt(system, name, step, random.between(1, MAX_STEP_PASSES));
      }),
    );
    await system.processes.allReady();
  },
};

async function dieAt(system: System, name: string, step: FailStep, pass: number): Promise<void> {
  await system.processes.restart(name, 'SIGKILL', { FAIL_POINT: `kill:${step}:${pass}` });
  const before = system.processes.kills(name);
  await until(
    `${name} has died at ${step}`,
    async () => system.processes.kills(name) > before,
    STEP_TIMEOUT_MS,
  );
}

/**
 * SIGSTOP before, within and after a transaction. The process resumes when others have done its
 * work.
 */
const stopAtSteps: Fault = {
  name: 'stop-at-steps',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: 8,
  async run(system, random, seconds) {
    for (const step of random.shuffle(['batch-taken', 'job-written', 'committed'])) {
      const name = random.pick(system.processes.names('worker'));
      await system.processes.restart(name, 'SIGTERM', {
        FAIL_POINT: `stop:${step}:${random.between(1, MAX_STEP_PASSES)}`,
      });
      await until(
        `${name} hangs at ${step}`,
        async () => system.processes.isFrozen(name),
        STEP_TIMEOUT_MS,
      );
      system.processes.addDisturbance('worker stopped');
      await pause(seconds);
      system.processes.signal(name, 'SIGCONT');
      await system.processes.allReady();
    }
  },
};

const rollingRestart: Fault = {
  name: 'rolling-restart',
  modes: BOTH,
  parts: PROCESSES,
  seconds: 1,
  async run(system) {
    for (const name of PROCESSES.flatMap(type => system.processes.names(type))) {
      await system.processes.restart(name, 'SIGTERM');
      await system.processes.allReady();
    }
  },
};

/** Every queue job is delivered three times, to any workers. */
const thrice: Fault = {
  name: 'deliver-thrice',
  modes: BOTH,
  parts: ['web'],
  seconds: 8,
  async run(system, _random, seconds) {
    const webs = system.processes.names('web');
    await Promise.all(
      webs.map(name => system.processes.restart(name, 'SIGTERM', { FAIL_POINT: 'thrice' })),
    );
    await system.processes.allReady();
    await pause(seconds);
    await Promise.all(webs.map(name => system.processes.restart(name, 'SIGTERM')));
    await system.processes.allReady();
  },
};

export const PROCESS_FAULTS: readonly Fault[] = [
  ...PROCESSES.map(killFault),
  ...PROCESSES.map(freezeFault),
  killAtSteps,
  stopAtSteps,
  rollingRestart,
  ...CLOCK_FAULTS,
  thrice,
];
