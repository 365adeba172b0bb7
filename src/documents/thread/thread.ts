// The thread that renders documents, which renderer.ts starts. After its first one it has a low
// priority, so that requests come first while processors are busy.
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { checkDocument } from '../e-invoice/check.js';
import { ciiOf } from '../e-invoice/cii.js';
import { ublOf } from '../e-invoice/ubl.js';
import { renderDeliveryNote, renderPdf } from '../pdf/render.js';
import type { RenderJob, RenderReply } from './job.js';

/**
 * Below the process: a tenth of the processor time of a busy neighbour. At the lowest priority it
 * would get a seventieth, and on a busy machine a page would not be done in time.
 */
const NICENESS = 10;

/**
 * Of this thread alone on Linux. Elsewhere it would be that of the whole process. The first
 * document costs as much as ten others, because fonts are parsed, and so would not be done in time.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
}

let isFirst = true;

async function render({ form, document, logo: sent, isDraft }: RenderJob): Promise<Buffer> {
  const { invoice, refusal } = checkDocument(document);
  const logo = sent && Buffer.from(sent);
  if (form === 'ubl') return Buffer.from(ublOf(invoice));
  if (form === 'cii') return Buffer.from(ciiOf(invoice));
  if (form === 'delivery-note') return renderDeliveryNote(document, { logo });
  return renderPdf(document, { logo, isDraft, xml: refusal || isDraft ? null : ciiOf(invoice) });
}

async function replyTo(job: RenderJob): Promise<RenderReply> {
  try {
    return { bytes: new Uint8Array(await render(job)) };
  } catch (error) {
    return { failure: String((error as Error).stack) };
  }
}

parentPort?.on('message', async (job: RenderJob) => {
  const reply = await replyTo(job);
  if (isFirst) lowerPriority();
  isFirst = false;
  parentPort?.postMessage(reply, 'bytes' in reply ? [reply.bytes.buffer as ArrayBuffer] : []);
});
