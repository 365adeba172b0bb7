// Reads files in threads, so that a large file delays no other request: a thread per file, which
// ends with it and gives its memory back. One file at a time in a process, because the processors
// are there for the requests; a web process passes on one file per company at a time.
import { Worker } from 'node:worker_threads';
import { NoTurn, Turns } from '../platform/async/turns.js';
import { Problem, type ProblemDetails, unavailable } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import type { ImportedFile, ReadOptions } from './file/read-file.js';

const THREAD = new URL('./read-thread.js', import.meta.url);

/** Files that may wait, more than the uploads that a web process takes at a time. */
const TURNS = { running: 1, waitingPerKey: 1, waiting: 50, waitMs: 30_000 };
/** 20,000 rows take about a second. */
const READ_MS = 15_000;
/** 20,000 rows need about 60 MB. */
const RESOURCES = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };
const TOO_MUCH = 'The file takes too much to read. Split it into smaller files.';

export interface ReadRequest {
  /** The address of the module that exports the format of the file as FORMAT. */
  readonly format: string;
  readonly bytes: Uint8Array;
  readonly options: ReadOptions;
}

export type ReadReply =
  | { readonly file: ImportedFile }
  | {
      readonly problem: {
        readonly code: Problem['code'];
        readonly message: string;
        readonly details: ProblemDetails;
      };
    };

const turns = new Turns(TURNS);

/**
 * Reads a file of a company, which `load` returns once it has its turn, and passes it to `then` in
 * the same turn. Throws Problem `validation_failed` at /file, and `service_unavailable` if too many
 * files wait.
 */
export async function readInThread<Result>(
  format: URL,
  companyId: string,
  load: () => Promise<Uint8Array>,
  options: ReadOptions,
  then: (file: ImportedFile) => Promise<Result>,
): Promise<Result> {
  try {
    return await turns.run(companyId, async () => {
      const reply = await runThread({ format: format.href, bytes: await load(), options });
      if ('file' in reply) return then(reply.file);
      const { code, message, details } = reply.problem;
      throw new Problem(code, message, details);
    });
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error;
    throw unavailable('Many files are being read. Try again in a moment.');
  }
}

function runThread({ format, bytes, options }: ReadRequest): Promise<ReadReply> {
  // A copy to hand over: the caller stores the file, and small buffers share their memory.
  const own = new Uint8Array(bytes);
  const worker = new Worker(THREAD, {
    workerData: { format, bytes: own, options } satisfies ReadRequest,
    transferList: [own.buffer],
    resourceLimits: RESOURCES,
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(invalidField('file', TOO_MUCH));
      void worker.terminate();
    }, READ_MS);
    worker.once('message', resolve);
    worker.once('error', (error: NodeJS.ErrnoException) => {
      const isTooMuch = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(isTooMuch ? invalidField('file', TOO_MUCH) : error);
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('the thread that reads a file ended without an answer'));
    });
  });
}
