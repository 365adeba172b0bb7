// Reads files in threads, so that a large file delays no other request: a thread per file, which
// ends with it and gives its memory back. One file at a time in a process, because the processors
// are there for the requests; a web process passes on one file per company at a time.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { NoTurn, Turns } from '../platform/async/turns.js';
import { Problem, type ProblemDetails, unavailable } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';

/** Files that may wait, more than the uploads that a web process takes at a time. */
const TURNS = { running: 1, waitingPerKey: 1, waiting: 50, waitMs: 30_000 };
/** 20,000 rows take about a second. */
const READ_MS = 15_000;
/** 20,000 rows need about 60 MB. */
const RESOURCES = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };
const TOO_MUCH = 'The file takes too much to read. Split it into smaller files.';

export interface ReadRequest<Options> {
  readonly bytes: Uint8Array;
  readonly options: Options;
}

export type ReadReply<File> =
  | { readonly file: File }
  | {
      readonly problem: {
        readonly code: Problem['code'];
        readonly message: string;
        readonly details: ProblemDetails;
      };
    };

const turns = new Turns(TURNS);

/**
 * Reads a file of a company, which `load` returns once it has its turn. `thread` is a module that
 * calls `replyFromThread`. Throws Problem `validation_failed` at /file, and `service_unavailable`
 * if too many files wait.
 */
export async function readInThread<File, Options>(
  thread: URL,
  companyId: string,
  load: () => Promise<Uint8Array>,
  options: Options,
): Promise<File> {
  try {
    const reply = await turns.run(companyId, async () =>
      runThread<File, Options>(thread, { bytes: await load(), options }),
    );
    if ('file' in reply) return reply.file;
    const { code, message, details } = reply.problem;
    throw new Problem(code, message, details);
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error;
    throw unavailable('Many files are being read. Try again in a moment.');
  }
}

function runThread<File, Options>(
  thread: URL,
  { bytes, options }: ReadRequest<Options>,
): Promise<ReadReply<File>> {
  // A copy to hand over: the caller stores the file, and small buffers share their memory.
  const own = new Uint8Array(bytes);
  const worker = new Worker(thread, {
    workerData: { bytes: own, options } satisfies ReadRequest<Options>,
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

/** Ends a thread that reads a file: sends the result of `read`, or the Problem that it throws. */
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
