// Kills or stops a process the moment that it reaches a step of a write.
import { FAIL_STEPS, type FailStep } from '../../config/fail-points.js';
import { until } from '../support/processes.js';
import type { Random } from './random.js';
import type { System } from './system.js';

/** For a process to pass a step the chosen number of times, possibly during another fault. */
const STEP_TIMEOUT_MS = 60_000;
const MAX_STEP_PASSES = 12;
const WEB_STEPS: readonly FailStep[] = ['enqueued', 'persisted'];

/** The steps of a batch. */
export const WORKER_STEPS = FAIL_STEPS.filter(step => !WEB_STEPS.includes(step));

/** Kills processes at each of the steps, after some passes. The processes share the steps. */
export async function killAtSteps(
  system: System,
  steps: readonly FailStep[],
  random: Random,
): Promise<void> {
  const shares = new Map<string, FailStep[]>();
  for (const [index, step] of random.shuffle(steps).entries()) {
    const names = system.processes.names(WEB_STEPS.includes(step) ? 'web' : 'worker');
    const name = names[index % names.length] ?? '';
    shares.set(name, [...(shares.get(name) ?? []), step]);
  }
  await Promise.all(
    [...shares].map(async ([name, own]) => {
      for (const step of own) await dieAt(system, name, step, random.between(1, MAX_STEP_PASSES));
    }),
  );
  await system.processes.allReady();
}

async function dieAt(system: System, name: string, step: FailStep, pass: number): Promise<void> {
  await system.processes.restart(name, 'SIGKILL', { FAIL_POINT: `kill:${step}:${pass}` });
  const before = system.processes.kills(name);
  await until(
    `${name} has died at ${step}`,
    async () => system.processes.kills(name) > before,
    STEP_TIMEOUT_MS,
  );
}

/** Stops a worker at each of the steps, one after the other, and resumes it after `meanwhile`. */
export async function stopAtSteps(
  system: System,
  steps: readonly FailStep[],
  random: Random,
  meanwhile: () => Promise<void>,
): Promise<void> {
  for (const step of random.shuffle(steps)) {
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
    await meanwhile();
    system.processes.signal(name, 'SIGCONT');
    await system.processes.allReady();
  }
}
