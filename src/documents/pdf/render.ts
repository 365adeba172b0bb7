// Sets a document as a PDF/A-3b: an invoice, a credit note, or the delivery note of an invoice.
import type { DocumentModel } from '../model/document.js';
import { embedInvoice } from './factur-x.js';
import { printedNumber, printedPercent } from './format.js';
import { dateFact, type HeadFact, reserveFeet, setHead, setParties } from './letterhead.js';
import { setPayment } from './payment.js';
import { BODY, PrintSheet } from './sheet.js';
import { type Row, setTable } from './table.js';
import { setTotals, taxReasons } from './totals.js';
import { WORDS, type Words } from './words.js';

export interface PdfOptions {
  readonly logo: Buffer | null;
  /** The electronic invoice to embed; null for none. */
  readonly xml: string | null;
  /** Marks each page as a draft. */
  readonly isDraft?: boolean;
}

const DRAFT = { size: 120, weight: 'bold', color: '#eceff2' } as const;

export function renderPdf(document: DocumentModel, options: PdfOptions): Promise<Buffer> {
  const words = WORDS[document.language];
  const sheet = openSheet(document, words[document.type], options.isDraft);
  setHead(sheet, document, words[document.type], options.logo);
  setParties(
    sheet,
    document,
    { label: words.billTo, address: document.buyer.address },
    factsOf(document, words, options.isDraft ?? false),
  );
  const isCredit = document.type === 'creditNote';
  const rated = document.isTaxed ? [words.tax] : [];
  setTable(sheet, {
    heads: isCredit
      ? [words.item, words.quantity, ...rated, words.amount]
      : [words.item, words.quantity, words.unitPrice, ...rated, words.amount],
    rows: document.lines.map(line => rowOf(line, document, words)),
  });
  setTotals(sheet, document, words);
  for (const reason of taxReasons(document, words)) sheet.paragraph(reason, BODY);
  setText(sheet, document.note);
  if (!isCredit) {
    setPayment(sheet, options.isDraft ? withoutCode(document) : document, words);
    setText(sheet, document.seller.paymentTerms);
  }
  setText(sheet, document.seller.footer);
  if (options.xml !== null) embedInvoice(sheet, options.xml, new Date(document.createdAt));
  return sheet.finish();
}

/** The page of a parcel: no amount of money. */
export function renderDeliveryNote(
  document: DocumentModel,
  options: Pick<PdfOptions, 'logo'>,
): Promise<Buffer> {
  const { buyer, language, deliveryAddress } = document;
  const words = WORDS[language];
  const sheet = openSheet(document, words.deliveryNote);
  setHead(sheet, document, words.deliveryNote, options.logo);
  setParties(
    sheet,
    document,
    { label: words.deliverTo, address: deliveryAddress ?? buyer.address },
    [
      [words.number, document.number],
      dateFact(words.date, document.date, language),
      dateFact(words.deliveryDate, document.deliveryDate, language),
      [words.orderReference, document.orderReference],
      [words.buyerReference, document.buyerReference],
      [words.customerNumber, buyer.number],
    ],
  );
  setTable(sheet, {
    heads: [words.item, words.sku, words.quantity],
    rows: document.lines.map(({ name, sku, qty }) => ({
      text: name,
      details: [],
      figures: [sku ?? '', printedNumber(qty ?? '1', language)],
    })),
  });
  return sheet.finish();
}

function openSheet(document: DocumentModel, title: string, isDraft = false): PrintSheet {
  const { paper, language, number, createdAt } = document;
  const sheet = new PrintSheet({
    ...{ paper, language, title: `${title} ${number}`.trim(), createdAt: new Date(createdAt) },
    ...(isDraft ? { background: markDraft } : {}),
  });
  reserveFeet(sheet, document, WORDS[language]);
  return sheet;
}

function factsOf(document: DocumentModel, words: Words, isDraft: boolean): HeadFact[] {
  const { language, invoice, buyer } = document;
  return [
    [words.number, isDraft ? null : document.number],
    dateFact(words.date, document.date, language),
    dateFact(words.dueDate, document.dueDate, language),
    [words.forInvoice, invoice?.number ?? null],
    dateFact(words.deliveryDate, document.deliveryDate, language),
    [words.orderReference, document.orderReference],
    [words.buyerReference, document.buyerReference],
    [words.reference, document.reference],
    [words.customerNumber, buyer.number],
    [words.customerTaxId, buyer.taxId],
  ];
}

function rowOf(line: DocumentModel['lines'][number], document: DocumentModel, words: Words): Row {
  const { language, decimals, isTaxed } = document;
  const money = (amount: string) => printedNumber(amount, language, decimals);
  const { name, sku, qty, price, discount, rate, amount } = line;
  const percent = discount?.percent ? [printedPercent(discount.percent, language)] : [];
  const reduced = discount
    ? [[words.discount, ...percent, money(`-${discount.amount}`)].join(' ')]
    : [];
  return {
    text: name,
    details: [...(sku === null ? [] : [sku]), ...reduced],
    figures: [
      qty === null ? '' : printedNumber(qty, language),
      ...(price === null ? [] : [money(price)]),
      ...(isTaxed ? [printedPercent(rate, language)] : []),
      money(amount),
    ],
  };
}

function setText(sheet: PrintSheet, text: string | null): void {
  if (text === null) return;
  sheet.y += 8;
  sheet.paragraph(text, BODY);
}

function withoutCode(document: DocumentModel): DocumentModel {
  return { ...document, seller: { ...document.seller, paymentQr: 'none' } };
}

/** Diagonally across the page. */
function markDraft(sheet: PrintSheet): void {
  const [x, y] = [(sheet.left + sheet.right) / 2, sheet.height / 2];
  sheet.pdf.save().rotate(-45, { origin: [x, y] });
  sheet.text('DRAFT', x - sheet.widthOf('DRAFT', DRAFT) / 2, y - DRAFT.size / 2, DRAFT);
  sheet.pdf.restore();
}
