// Checks that web can listen before anything else starts, so that a wrong HOST or PORT is reported
// at once and in one sentence.
import { createServer } from 'node:net';
import { listenProblem } from '../platform/process/listen-problem.js';

/** A killed previous run releases its port within this. */
const PORT_WAIT_MS = 3_000;
const RETRY_MS = 100;

/** Waits while a previous run releases the port. Throws an error with one sentence. */
export async function waitForPort(host: string, port: number): Promise<void> {
  const deadline = Date.now() + PORT_WAIT_MS;
  for (;;) {
    const error = await tryToListen(host, port);
    if (error === null) return;
    if (error.code !== 'EADDRINUSE' || Date.now() > deadline)
      throw new Error(listenProblem(error, host, port));
    await new Promise(resolve => setTimeout(resolve, RETRY_MS));
  }
}

function tryToListen(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}
