// The version of the renderer changes with the bytes of documents. Without that, ETags of PDFs that
// look different would be the same, and clients would keep the former ones. `rendered.json` has the
// hashes of samples. With RECORD=1 the test writes them, once the version is another one.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { LANGUAGES } from '../../src/companies/parties/party.js';
import { readLogo } from '../../src/companies/profile/logo/logo.js';
import type { DocumentModel } from '../../src/documents/model/document.js';
import { RENDERER_VERSION } from '../../src/documents/service.js';
import type { DocumentForm, RenderJob } from '../../src/documents/thread/job.js';
import { renderInThread } from '../../src/documents/thread/renderer.js';
import {
  creditNoteOf,
  invoiceData,
  PROFILE,
  sampleDocument,
  sampleLine,
} from '../support/documents.js';
import { readObjects } from '../support/pdf.js';
import { pngOf } from '../support/pictures.js';
import { ROOT } from '../support/processes.js';

const FILE = join(ROOT, 'test/documents/rendered.json');
const RECORD = 'RECORD=1 npx mocha dist/test/documents/renderer-version.test.js';

/** The hashes of a sample's job, and of what is rendered. */
interface Rendered {
  readonly job: string;
  readonly bytes: string;
}
interface Recorded {
  readonly version: number;
  readonly samples: Readonly<Record<string, Rendered>>;
}

const PAYABLE = { profile: { ...PROFILE, paymentQr: 'epc' as const } };
const NOTE = 'Gate #12B#\nSecond line';
const invoice: DocumentModel = { ...sampleDocument({}, PAYABLE), note: NOTE };
const creditNote = creditNoteOf(invoiceData());
const taxedAs = (category: string | null) =>
  sampleDocument({ lines: [sampleLine('Pump', null, 10_000n, 1_000_000n, null, category, 0n)] });
const many = sampleDocument({
  lines: Array.from({ length: 60 }, (_, at) => sampleLine(`Part ${at}`, 'P', 10_000n, 12_345n)),
});

async function jobs(): Promise<Readonly<Record<string, RenderJob>>> {
  const job = (form: DocumentForm, document: DocumentModel, isDraft = false): RenderJob => ({
    ...{ form, document, isDraft, logo: null },
  });
  const logo = await readLogo(await pngOf(400, 100, [20, 90, 160]));
  if (typeof logo === 'string') throw new Error(logo);
  // Nothing of its compression, which depends on the machine, may enter the hashes.
  const { bytes, ...ref } = { ...logo, hash: 'logo' };
  const branded = sampleDocument({}, { profile: { ...PROFILE, logo: ref } });
  const inLanguages = LANGUAGES.flatMap(language => [
    [`invoice ${language}`, job('pdf', { ...invoice, language })] as const,
    [`credit note ${language}`, job('pdf', { ...creditNote, language })] as const,
    [`delivery note ${language}`, job('delivery-note', { ...invoice, language })] as const,
  ]);
  const asData = [...['Z', 'E', 'AE', 'K', 'G', 'O'], null].flatMap(category => [
    [`ubl ${category}`, job('ubl', taxedAs(category))] as const,
    [`cii ${category}`, job('cii', taxedAs(category))] as const,
  ]);
  return {
    ...Object.fromEntries([...inLanguages, ...asData]),
    'ubl invoice': job('ubl', invoice),
    'cii invoice': job('cii', invoice),
    'ubl credit note': job('ubl', creditNote),
    'cii credit note': job('cii', creditNote),
    letter: job('pdf', { ...invoice, paper: 'letter' }),
    draft: job('pdf', invoice, true),
    untaxed: job('pdf', taxedAs(null)),
    pages: job('pdf', many),
    logo: { ...job('pdf', branded), logo: bytes },
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The content without its compression, which depends on the machine and on Node. */
function contentOf(form: DocumentForm, bytes: Buffer): string {
  if (form === 'ubl' || form === 'cii') return bytes.toString();
  const objects = [...readObjects(bytes)].map(
    ([at, { head, stream }]) => `${at} ${head.replace(/\/Length \d+/u, '')}${stream}`,
  );
  const id = /\/ID \[[^\]]*\]/u.exec(bytes.toString('latin1'))?.[0];
  return [...objects, id].join('\n');
}

async function renderAll(): Promise<Recorded> {
  const samples: Record<string, Rendered> = {};
  for (const [name, job] of Object.entries(await jobs())) {
    const bytes = await renderInThread('one', job);
    const data = JSON.stringify({ ...job, logo: job.logo !== null });
    samples[name] = { job: hashOf(data), bytes: hashOf(contentOf(job.form, bytes)) };
  }
  return { version: RENDERER_VERSION, samples };
}

/** The samples of the same data whose bytes changed. */
function changedIn(before: Recorded, now: Recorded): string[] {
  return Object.entries(now.samples).flatMap(([name, { job, bytes }]) => {
    const earlier = before.samples[name];
    return earlier?.job === job && earlier.bytes !== bytes ? [name] : [];
  });
}

describe('the version of the renderer', () => {
  it('changes with the bytes of documents', async function () {
    this.timeout(120_000);
    const before = JSON.parse(await readFile(FILE, 'utf8')) as Recorded;
    const now = await renderAll();
    if (now.version === before.version)
      expect(changedIn(before, now), 'raise RENDERER_VERSION').to.deep.equal([]);
    if (process.env.RECORD === '1') await writeFile(FILE, `${JSON.stringify(now, null, 2)}\n`);
    else expect(now, `run ${RECORD}`).to.deep.equal(before);
  });

  it('is missed when a sample has other bytes, and not when it has other data', () => {
    const of = (job: string, bytes: string): Recorded => ({
      ...{ version: 1, samples: { invoice: { job, bytes } } },
    });
    expect(changedIn(of('a', 'x'), of('a', 'y'))).to.deep.equal(['invoice']);
    expect(changedIn(of('a', 'x'), of('b', 'y'))).to.deep.equal([]);
    expect(changedIn({ version: 1, samples: {} }, of('a', 'y'))).to.deep.equal([]);
  });
});
