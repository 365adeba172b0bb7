// Renders documents in one thread per process, which the first document starts. Companies take
// turns, so one that asks for many documents delays another by one document at most. A document
// that takes too long, or takes the thread down, ends with it: the next one starts another.
import { Worker } from 'node:worker_threads';
import { NoTurn, Turns } from '../../platform/async/turns.js';
import { Problem } from '../../platform/errors.js';
import type { RenderJob, RenderReply } from './job.js';

const THREAD = new URL('./thread.js', import.meta.url);

/** From the request to the document. */
const RENDER_MS = 10_000;
const TURNS = { running: 1, waitingPerKey: 4, waiting: 100, waitMs: RENDER_MS };
/** 250 lines with long texts need about 40 MB. */
const RESOURCES = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 };

const turns = new Turns(TURNS);
let thread: Worker | undefined;

/**
 * Renders a document in a turn of the company. Throws Problem `service_unavailable` if it is not
 * done in time, or if too many documents wait.
 */
export async function renderInThread(companyId: string, job: RenderJob): Promise<Buffer> {
  const endsAt = performance.now() + RENDER_MS;
  try {
    return await turns.run(companyId, () => ask(job, endsAt - performance.now()));
  } catch (error) {
    if (error instanceof NoTurn) throw tooBusy();
    throw error;
  }
}

function tooBusy(): Problem {
  return new Problem(
    'service_unavailable',
    'Many documents are being made. Ask for this one again in a moment.',
    { headers: { 'Retry-After': '1' } },
  );
}

function ask(job: RenderJob, timeoutMs: number): Promise<Buffer> {
  const worker = thread ?? startThread();
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      outcome();
    };
    const onMessage = (reply: RenderReply) =>
      settle(() =>
        'bytes' in reply ? resolve(Buffer.from(reply.bytes)) : reject(new Error(reply.failure)),
      );
    const onError = (error: Error) => settle(() => reject(endOf(error)));
    const onExit = () => settle(() => reject(new Error('the thread of documents ended')));
    const timer = setTimeout(() => {
      endThread(worker);
      settle(() => reject(tooBusy()));
    }, timeoutMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(job);
  });
}

/** A document that needs too much memory is refused like one that needs too much time. */
function endOf(error: NodeJS.ErrnoException): Error {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooBusy() : error;
}

function startThread(): Worker {
  const worker = new Worker(THREAD, { resourceLimits: RESOURCES });
  thread = worker;
  // A process ends without it. A request that waits keeps the process.
  worker.unref();
  worker.on('error', () => endThread(worker));
  worker.on('exit', () => endThread(worker));
  return worker;
}

function endThread(worker: Worker): void {
  if (thread === worker) thread = undefined;
  void worker.terminate();
}
