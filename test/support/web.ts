// A second web process on a shared stack, for behaviour that must hold across processes. It trusts
// one proxy, so that a test can choose its network address.
import type { RunningProcess } from './processes.js';
import { forAllTests, type Mode, type Stack, startForTests } from './suite.js';

const second = new Map<Mode, Promise<RunningProcess>>();

/** The base URL of a second web process on the same stores. */
export async function secondWeb(stack: Stack): Promise<string> {
  return `http://127.0.0.1:${(await secondWebProcess(stack)).port}`;
}

/** The second web process itself, with the limits of shared stacks for a slow and busy host. */
export function secondWebProcess(stack: Stack): Promise<RunningProcess> {
  const web =
    second.get(stack.mode) ??
    forAllTests(() => startForTests(['web'], { ...stack.env, TRUST_PROXY: '1' }));
  second.set(stack.mode, web);
  return web;
}
