// The thread that reads one file: see reader.ts, which starts it.
import { parentPort, workerData } from 'node:worker_threads';
import { Problem } from '../../platform/errors.js';
import type { ReadReply, ReadRequest } from './reader.js';
import { readStockFile } from './stock-file.js';

const { bytes, options } = workerData as ReadRequest;
parentPort?.postMessage(await read());

async function read(): Promise<ReadReply> {
  try {
    return { file: await readStockFile(Buffer.from(bytes), options) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A thread's messages have no classes.
    const { code, message, details } = error;
    return { problem: { code, message, details } };
  }
}
