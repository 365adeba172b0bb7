// One run of load: autocannon in a process of its own, which warms up, says when measuring starts
// and ends, and sends its results.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { World } from './world.js';

const PROGRAM = fileURLToPath(new URL('load-process.js', import.meta.url));
/** A run that hangs is killed this long after its own time. */
const GRACE_MS = 120_000;

export interface LoadPlan {
  readonly workload: string;
  readonly world: World;
  /** The clients are distributed over them. */
  readonly ports: readonly number[];
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface LoadResult {
  /** Responses while measuring. */
  readonly requests: number;
  readonly ms: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
  /** Over the whole run: responses with an unexpected status, and requests without a response. */
  readonly unexpected: number;
  readonly failed: number;
}

export type LoadMessage =
  | { readonly what: 'begins' }
  | { readonly what: 'ends'; readonly result: LoadResult };

/** Runs the load. Calls `onBegin` and `onEnd` when measuring starts and ends. */
export async function runLoad(
  plan: LoadPlan,
  onBegin: () => void,
  onEnd: () => void,
): Promise<LoadResult> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), plan.warmUpMs + plan.measureMs + GRACE_MS);
  try {
    return await new Promise<LoadResult>((resolve, reject) => {
      child.on('message', (message: LoadMessage) => {
        if (message.what === 'begins') return onBegin();
        onEnd();
        resolve(message.result);
      });
      child.once('exit', code =>
        reject(new Error(`the load process ended with ${code} in ${plan.workload}`)),
      );
      child.send(plan);
    });
  } finally {
    clearTimeout(timer);
    child.disconnect();
  }
}
