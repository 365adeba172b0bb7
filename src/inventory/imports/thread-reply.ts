// The end of a thread that reads one file: see reader.ts, which starts it.
import { parentPort, workerData } from 'node:worker_threads';
import { Problem } from '../../platform/errors.js';
import type { ReadReply, ReadRequest } from './reader.js';

/** Sends what `read` returns, or the Problem that it throws. */
export async function replyFromThread<File, Options>(
  read: (bytes: Buffer, options: Options) => Promise<File>,
): Promise<void> {
  const { bytes, options } = workerData as ReadRequest<Options>;
  parentPort?.postMessage(await replyOf(() => read(Buffer.from(bytes), options)));
}

async function replyOf<File>(read: () => Promise<File>): Promise<ReadReply<File>> {
  try {
    return { file: await read() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A thread's messages have no classes.
    const { code, message, details } = error;
    return { problem: { code, message, details } };
  }
}
