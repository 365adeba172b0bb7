// The thread of documents: it is replaced if a document takes it down, and makes each document as
// if it was its first one.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { DocumentModel } from '../../src/documents/model/document.js';
import type { RenderJob, RenderReply } from '../../src/documents/thread/job.js';
import { renderInThread } from '../../src/documents/thread/renderer.js';
import { sampleDocument } from '../support/documents.js';

const job = (document: unknown): RenderJob =>
  ({ form: 'pdf', document, logo: null, isDraft: false }) as RenderJob;
const outcomeOf = (rendered: Promise<Buffer>): Promise<string> =>
  rendered.then(
    bytes => bytes.toString('latin1', 0, 5),
    (error: { code?: string; message: string }) => error.code ?? error.message.split('\n')[0] ?? '',
  );

describe('the thread of documents', () => {
  it('survives a document that it cannot make', async () => {
    expect(await outcomeOf(renderInThread('one', job({})))).to.match(/^TypeError/u);
    expect(await outcomeOf(renderInThread('one', job(sampleDocument())))).to.equal('%PDF-');
  });

  it('is replaced after a document that takes too much', async function () {
    this.timeout(60_000);
    const document = sampleDocument();
    const [line] = document.lines;
    // No request is allowed as many lines.
    const lines = Array.from({ length: 80_000 }, (_, at) => ({
      ...line,
      name: `${at}`.repeat(200),
    }));
    const huge = job({ ...document, lines });
    expect(await outcomeOf(renderInThread('one', huge))).to.equal('service_unavailable');
    expect(await outcomeOf(renderInThread('one', job(document)))).to.equal('%PDF-');
  });

  it('makes the same document whatever it made before', async () => {
    const document = sampleDocument();
    const named = (name: string): DocumentModel => ({
      ...document,
      lines: document.lines.map(line => ({ ...line, name })),
      seller: { ...document.seller, name, legalName: null },
    });
    const [first, second] = [named('\u00f6\u1e85\u00e9\ufb01\u2126'), named('owe fi \u03a9')];
    expect(await lastOf(first, second)).to.equal(await lastOf(second));
  });
});

/** The last one of the documents that a new thread makes one after the other. */
async function lastOf(...documents: readonly DocumentModel[]): Promise<string> {
  const thread = new Worker(new URL('../../src/documents/thread/thread.js', import.meta.url));
  let last = '';
  for (const document of documents) {
    thread.postMessage(job(document));
    const [reply] = (await once(thread, 'message')) as [RenderReply];
    last = 'bytes' in reply ? Buffer.from(reply.bytes).toString('latin1') : reply.failure;
  }
  await thread.terminate();
  expect(last).to.match(/^%PDF-/u);
  return last;
}
