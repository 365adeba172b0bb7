// A second web process beside a shared stack's own, for what has to hold on every process. It believes one proxy, so that
// a test can come from an address of its own.
import { forAllTests, type Mode, type Stack, startForTests } from './suite.js';

const second = new Map<Mode, Promise<string>>();

/** The base URL of a second web process on the same stores. */
export function secondWeb(stack: Stack): Promise<string> {
  const url =
    second.get(stack.mode) ??
    forAllTests(async () => {
      const { port } = await startForTests('web', { ...stack.env, TRUST_PROXY: '1' });
      return `http://127.0.0.1:${port}`;
    });
  second.set(stack.mode, url);
  return url;
}
