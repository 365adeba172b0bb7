// Injects the fault that FAIL_POINT names into this process. Without FAIL_POINT, a fail point costs
// one comparison.
import type { FailStep } from '../../../config/fail-points.js';

let armed: { readonly signal: NodeJS.Signals; readonly step: FailStep; left: number } | undefined;
let copies = 1;

/** Sets this process's fault from a validated FAIL_POINT. */
export function armFailPoint(value: string | undefined): void {
  if (value === undefined) return;
  const [action, step, count] = value.split(':');
  if (action === 'thrice') copies = 3;
  else
    armed = {
      signal: action === 'stop' ? 'SIGSTOP' : 'SIGKILL',
      step: step as FailStep,
      left: Number(count),
    };
}

/** Marks a step of a write. Kills or stops the process if the armed fault is due here. */
export function failPoint(step: FailStep): void {
  if (armed?.step !== step) return;
  armed.left -= 1;
  if (armed.left === 0) process.kill(process.pid, armed.signal);
}

/** The number of times to add each queue job: 1 unless the fault is repeated delivery. */
export function queueCopies(): number {
  return copies;
}
