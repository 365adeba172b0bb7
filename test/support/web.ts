// A second web process on a shared stack, for behaviour that must hold across processes. It trusts
// one proxy, so that a test can choose its network address.
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
