// The thread of documents: it is replaced if a document takes it down.
import { expect } from 'chai';
import type { RenderJob } from '../../src/documents/thread/job.js';
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
});
