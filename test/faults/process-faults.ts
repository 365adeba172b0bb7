// Faults of the product's own processes.
import { FAIL_STEPS } from '../../config/fail-points.js';
import type { ProcessType } from '../support/processes.js';
import { CLOCK_FAULTS } from './clock-faults.js';
import { BOTH, type Fault, PROCESSES, pause } from './fault.js';
import { killAtSteps, stopAtSteps } from './steps.js';

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

/** SIGKILL at each step of a batch and of a submission. */
const killAtEachStep: Fault = {
  name: 'kill-at-steps',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: 30,
  run: (system, random) => killAtSteps(system, FAIL_STEPS, random),
};

/**
 * SIGSTOP before, within and after a transaction. The process resumes when others have done its
 * work.
 */
const stopAtSomeSteps: Fault = {
  name: 'stop-at-steps',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: 8,
  run: (system, random, seconds) =>
    stopAtSteps(system, ['batch-taken', 'job-written', 'committed'], random, () => pause(seconds)),
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
  killAtEachStep,
  stopAtSomeSteps,
  rollingRestart,
  ...CLOCK_FAULTS,
  thrice,
];
