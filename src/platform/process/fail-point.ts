// Where a process does to itself what FAIL_POINT says. Without it, passing a step is a comparison with undefined.
import type { FailStep } from '../../../config/fail-points.js';

let armed: { readonly signal: NodeJS.Signals; readonly step: FailStep; left: number } | undefined;
let copies = 1;

/** Arms this process with a value of FAIL_POINT. */
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

/** Passes a step; it may be the last thing that this process does. */
export function failPoint(step: FailStep): void {
  if (armed?.step !== step) return;
  armed.left -= 1;
  if (armed.left === 0) process.kill(process.pid, armed.signal);
}

/** How often a queue job is added: once, unless repeated deliveries are asked for. */
export function queueCopies(): number {
  return copies;
}
