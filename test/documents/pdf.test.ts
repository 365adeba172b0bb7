// The pages of documents, read back with programs that are not ours.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { create } from 'fontkit';
import { LANGUAGES } from '../../src/companies/parties/party.js';
import { readLogo } from '../../src/companies/profile/logo/logo.js';
import { ciiOf } from '../../src/documents/e-invoice/cii.js';
import { eInvoiceOf } from '../../src/documents/e-invoice/semantic.js';
import type { DocumentModel } from '../../src/documents/model/document.js';
import { printedDate, printedMoney, printedNumber } from '../../src/documents/pdf/format.js';
import { drawable, hasGlyph, unsupportedIn } from '../../src/documents/pdf/glyphs.js';
import { paymentCode } from '../../src/documents/pdf/payment.js';
import { renderDeliveryNote, renderPdf } from '../../src/documents/pdf/render.js';
import {
  anySample,
  creditNoteOf,
  invoiceData,
  PROFILE,
  RECORD,
  sampleDocument,
  sampleLine,
} from '../support/documents.js';
import { pngOf } from '../support/pictures.js';
import { requireProgram } from '../support/programs.js';

const PAYABLE = { profile: { ...PROFILE, paymentQr: 'epc' as const } };
const xmlOf = (document: DocumentModel) => ciiOf(eInvoiceOf(document));
const pdfOf = (document: DocumentModel, xml: string | null = null) =>
  renderPdf(document, { logo: null, xml });

describe('the PDF of a document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdf-'));
  after(() => rmSync(folder, { recursive: true }));

  const write = (bytes: Buffer): string => {
    const file = join(folder, 'file.pdf');
    writeFileSync(file, bytes);
    return file;
  };
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const textOf = (bytes: Buffer) => run('pdftotext', '-layout', write(bytes), '-');

  it('has the structure of PDF/A-3b, with one attachment', async function () {
    for (const program of ['qpdf', 'pdffonts', 'pdfinfo', 'pdfdetach'])
      requireProgram(this, program);
    const document = sampleDocument({}, PAYABLE);
    const xml = xmlOf(document);
    const file = write(await pdfOf(document, xml));
    expect(spawnSync('qpdf', ['--check', file]).status).to.equal(0);
    const fonts = run('pdffonts', file).trim().split('\n').slice(2);
    expect(fonts).to.have.length(2);
    for (const font of fonts) expect(font).to.match(/^[A-Z]{6}\+NotoSans\S* .*yes yes yes/u);
    const info = run('pdfinfo', '-meta', file);
    expect(info).to.match(/<pdfaid:part>3<.*<pdfaid:conformance>B</su);
    for (const member of [
      'DocumentType>INVOICE',
      'DocumentFileName>factur-x.xml',
      'Version>1.0',
      'ConformanceLevel>EN 16931',
    ]) {
      expect(info).to.contain(`<fx:${member}<`);
      const [name] = member.split('>');
      expect(info).to.contain(`<pdfaProperty:name>${name}<`);
    }
    expect(info).to.contain('<xmp:CreateDate>2026-11-22T09:30:00Z<');
    const qdf = run('qpdf', '--qdf', '--object-streams=disable', file, '-');
    expect(qdf).to.match(/\/OutputIntents \[/u);
    expect(qdf).to.match(/\/AF \[/u);
    expect(qdf).to.match(/\/AFRelationship \/Alternative/u);
    expect(qdf).to.contain('/Lang (en)');
    run('pdfdetach', '-save', '1', '-o', join(folder, 'factur-x.xml'), file);
    expect(run('pdfdetach', '-list', file)).to.match(/1: factur-x\.xml/u);
    expect(readFileSync(join(folder, 'factur-x.xml'), 'utf8')).to.equal(xml);
  });

  it('shows the figures of the data, in each language and on each paper', async function () {
    requireProgram(this, 'pdftotext');
    const document = sampleDocument({}, PAYABLE);
    for (const language of LANGUAGES)
      for (const paper of ['a4', 'letter'] as const) {
        const text = textOf(await pdfOf({ ...document, language, paper }));
        for (const figure of [
          printedMoney('171.9', { currency: 'EUR', decimals: 2, language }),
          printedNumber('27.45', language, 2),
          printedDate('2026-11-22', language),
          printedDate('2026-12-22', language),
        ])
          expect(text.replaceAll(/\s/gu, ' ')).to.contain(figure.replaceAll(/\s/gu, ' '));
        for (const part of ['INV-000042', 'Castel SARL', 'DE89 3704 0044 0532 0130 00', '1/1'])
          expect(text).to.contain(part);
      }
  });

  it('has the totals of random documents to the cent', async function () {
    requireProgram(this, 'pdftotext');
    for (const sample of fc.sample(anySample(['EUR', 'JPY', 'KWD']), 15))
      for (const document of [sampleDocument(sample), creditNoteOf(invoiceData(sample))]) {
        const text = textOf(await pdfOf(document));
        const total = printedMoney(document.total, document);
        expect(text.replaceAll(/\s/gu, ' ')).to.contain(total.replaceAll(/\s/gu, ' '));
      }
  });

  it('repeats the head of the table on each page, and numbers the pages', async function () {
    requireProgram(this, 'pdftotext');
    const lines = Array.from({ length: 250 }, (_, index) =>
      sampleLine(`${'Copper pipe '.repeat(20)}${index}`, `HS-${index}`, 10_000n, 10_000n),
    );
    const pages = textOf(await pdfOf(sampleDocument({ lines }, PAYABLE)))
      .split('\f')
      .slice(0, -1);
    expect(pages.length).to.be.greaterThan(10);
    for (const [index, page] of pages.entries()) {
      expect(page).to.contain(`${index + 1}/${pages.length}`);
      if (index < pages.length - 1) expect(page).to.match(/Item\s+Quantity\s+Unit price/u);
    }
  });

  it('leaves out no word of the longest texts, and sets all within the page', async function () {
    requireProgram(this, 'pdftotext');
    let count = 0;
    /** Wide words, each of which is used once. */
    const words = (length: number) => {
      const next = () => `WW${(count++).toString().padStart(4, '0')}`;
      return Array.from({ length: (length + 1) / 7 }, next).join(' ');
    };
    const address = () => ({
      ...{ line1: words(100), line2: words(100), line3: words(100), city: words(100) },
      ...{ postalCode: words(20), region: words(100), country: 'DE' },
    });
    const party = () => ({
      ...{ legalName: words(255), address: address(), taxId: words(50), taxNumber: words(50) },
      ...{ registrationId: words(50), contactName: words(100), email: words(254) },
      ...{ phone: words(50), bankName: words(100), footer: words(500), paymentTerms: words(500) },
    });
    const profile = { ...PAYABLE.profile, ...party() };
    const { legalName, address: to } = party();
    const number = words(30);
    const buyer = { ...RECORD, ...{ legalName, address: to, deliveryAddress: to, number } };
    const lines = [sampleLine(words(255), words(100), 10_000n, 10_000n)];
    const made = sampleDocument(
      { lines, percent: 100_000n, discountReason: words(255) },
      { profile, record: buyer },
    );
    const texts = {
      ...{ note: words(5_000), reference: words(100), orderReference: words(100) },
      buyerReference: words(100),
    };
    for (const paper of ['a4', 'letter'] as const) {
      const document = { ...made, ...texts, paper };
      await expectWhole(await pdfOf(document), document);
      const { note, reference, ...noted } = document;
      const { paymentTerms, footer, bankName, ...seller } = document.seller;
      const parcel = { ...noted, discount: null, seller };
      await expectWhole(await renderDeliveryNote(document, { logo: null }), parcel);
    }
  });

  /** Expects each word of the model in the file, within the margins of its page. */
  async function expectWhole(bytes: Buffer, model: object): Promise<void> {
    const boxes = run('pdftotext', '-bbox', write(bytes), '-');
    const [, width = 0, height = 0] = (
      /<page width="([\d.]+)" height="([\d.]+)"/u.exec(boxes) ?? []
    ).map(Number);
    const printed = new Set<string>();
    for (const [, right, bottom, word = ''] of boxes.matchAll(
      /xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</gu,
    )) {
      printed.add(word.replaceAll(/[()]/gu, ''));
      expect(Number(right), word).to.be.below(width - 50);
      expect(Number(bottom), word).to.be.below(height - 20);
    }
    const wanted = JSON.stringify(model).match(/WW\d{4}/gu) ?? [];
    expect(wanted.length).to.be.above(200);
    expect(wanted.filter(word => !printed.has(word))).to.deep.equal([]);
  }

  it('leaves all money out of a delivery note', async function () {
    requireProgram(this, 'pdftotext');
    const document = sampleDocument({}, PAYABLE);
    const text = textOf(await renderDeliveryNote(document, { logo: null }));
    expect(text).to.match(/Delivery note/u);
    for (const part of ['INV-000042', 'HS-001', 'Copper pipe 15 mm', '12 rue du Port'])
      expect(text).to.contain(part);
    expect(text).not.to.match(/EUR|10\.88|19%|Payable|IBAN|Total/u);
  });

  it('has a payment code that a reader reads', async function () {
    for (const program of ['pdftoppm', 'zbarimg']) requireProgram(this, program);
    const document = sampleDocument({}, PAYABLE);
    const file = write(await pdfOf(document));
    run('pdftoppm', '-r', '200', '-png', '-singlefile', file, join(folder, 'page'));
    const found = run('zbarimg', '--raw', '-q', join(folder, 'page.png'));
    expect(found.trimEnd()).to.equal(paymentCode(document));
    expect(found.split('\n').slice(0, 8)).to.deep.equal([
      ...['BCD', '002', '1', 'SCT', 'COBADEFFXXX', 'Harbour Supply GmbH'],
      ...['DE89370400440532013000', 'EUR171.90'],
    ]);
  });

  it('has no payment code without an account, in another currency, or without a total', () => {
    const none = [
      sampleDocument({}),
      sampleDocument({ currency: 'USD' }, PAYABLE),
      sampleDocument({}, { profile: { ...PAYABLE.profile, iban: null } }),
      sampleDocument({ lines: [sampleLine('Free', null, 10_000n, 0n)] }, PAYABLE),
      creditNoteOf(invoiceData({}, PAYABLE)),
    ];
    for (const document of none) expect(paymentCode(document)).to.equal(null);
  });

  it('is the same each time, and has a logo', async () => {
    const logo = await readLogo(await pngOf(400, 100, [20, 90, 160]));
    if (typeof logo === 'string') throw new Error(logo);
    const { bytes, ...ref } = logo;
    const document = sampleDocument({}, { profile: { ...PAYABLE.profile, logo: ref } });
    const render = () => renderPdf(document, { logo: bytes, xml: xmlOf(document) });
    const [one, two] = [await render(), await render()];
    expect(one.equals(two)).to.equal(true);
    expect(one.includes('/Subtype /Image')).to.equal(true);
  });

  it('is small', async () => {
    const document = sampleDocument({}, PAYABLE);
    expect((await pdfOf(document, xmlOf(document))).length).to.be.lessThan(30_000);
  });

  it('survives the longest texts', async () => {
    const long = 'x'.repeat(255);
    const lines = Array.from({ length: 250 }, () => sampleLine(long, long, 1n, 1n));
    const record = { ...RECORD, legalName: long };
    const document = sampleDocument({ lines, discountReason: long }, { record });
    const note = '\n'.repeat(999);
    expect((await pdfOf({ ...document, note })).length).to.be.greaterThan(10_000);
  });
});

describe('the characters of documents', () => {
  const require = createRequire(import.meta.url);

  it('are those of both fonts', () => {
    for (const weight of ['400Regular', '600SemiBold']) {
      const path = `@expo-google-fonts/noto-sans/${weight}/NotoSans_${weight}.ttf`;
      const has = new Set(create(readFileSync(require.resolve(path))).characterSet);
      for (let code = 32; code < 0x1e000; code += 1)
        if (code < 0xd800 || code > 0xdfff)
          expect(hasGlyph(String.fromCodePoint(code)), code.toString(16)).to.equal(has.has(code));
    }
  });

  it('are replaced if the fonts lack them', () => {
    expect(drawable('Größe Ω Жук \u{1f382}!')).to.equal('Größe Ω Жук \ufffd!');
    expect(unsupportedIn('\u{1f382}\u{1f382}\n日')).to.deep.equal(['\u{1f382}', '日']);
  });
});
