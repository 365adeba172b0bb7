// One run of load: autocannon in a process of its own, which warms up, tells when measuring begins and ends, and hands
// over what it saw.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { World } from './world.js';

const PROGRAM = fileURLToPath(new URL('load-process.js', import.meta.url));
/** Beyond its own time a run that hangs is given up after this. */
const GRACE_MS = 120_000;

export interface LoadPlan {
  readonly workload: string;
  readonly world: World;
  /** The clients are spread over them. */
  readonly ports: readonly number[];
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface LoadResult {
  /** Answers while measuring. */
  readonly requests: number;
  readonly ms: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
  /** Over the whole run: answers by a status that the workload does not expect, and requests without any answer. */
  readonly unexpected: number;
  readonly failed: number;
}

export type LoadMessage =
  | { readonly what: 'begins' }
  | { readonly what: 'ends'; readonly result: LoadResult };

/** Runs the load; `begins` and `ends` are called when its measuring does. */
export async function runLoad(
  plan: LoadPlan,
  begins: () => void,
  ends: () => void,
): Promise<LoadResult> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), plan.warmUpMs + plan.measureMs + GRACE_MS);
  try {
    return await new Promise<LoadResult>((resolve, reject) => {
      child.on('message', (message: LoadMessage) => {
        if (message.what === 'begins') return begins();
        ends();
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
