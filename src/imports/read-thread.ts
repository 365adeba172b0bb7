// The thread that reads one file, which reader.ts starts.
import { parentPort, workerData } from 'node:worker_threads';
import { Problem } from '../platform/errors.js';
import { type FileFormat, type ReadOptions, readImportedFile } from './file/read-file.js';
import type { ReadReply, ReadRequest } from './reader.js';

const { bytes, options, format } = workerData as ReadRequest;
const { FORMAT } = (await import(format)) as { FORMAT: FileFormat<string, ReadOptions> };

/** The file, or the Problem that reading it throws. A thread's messages have no classes. */
async function read(): Promise<ReadReply> {
  try {
    return { file: await readImportedFile(FORMAT, Buffer.from(bytes), options) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details } = error;
    return { problem: { code, message, details } };
  }
}

parentPort?.postMessage(await read());
