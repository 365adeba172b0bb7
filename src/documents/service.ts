// A document that was asked for: whether it can be made, its name and its tag are known before
// anything is rendered.
import { createHash } from 'node:crypto';
import type { Language } from '../companies/parties/party.js';
import type { PaperSize } from '../companies/profile/profile.js';
import { readLogoBytes } from '../companies/profile/service.js';
import { type FieldError, Problem } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';
import { checkDocument, type DocumentProfile } from './e-invoice/check.js';
import type { DocumentModel } from './model/document.js';
import { type DocumentKind, loadDocument } from './model/load.js';
import { unsupportedIn } from './pdf/glyphs.js';
import type { DocumentForm } from './thread/job.js';
import { renderInThread } from './thread/renderer.js';

/** Raised with everything that changes the bytes of a document with the same data. */
export const RENDERER_VERSION = 5;
/** The most characters that a header names: many proxies take no more than 4 kB of headers. */
const MAX_WARNINGS = 200;

export interface DocumentRef {
  readonly companyId: string;
  readonly type: DocumentKind;
  readonly id: string;
}

export interface DocumentOptions {
  readonly language?: Language | undefined;
  readonly paper?: PaperSize | undefined;
  /** The form that the data have to allow. */
  readonly profile?: 'en16931' | undefined;
}

export interface PreparedDocument {
  readonly fileName: string;
  readonly mediaType: 'application/pdf' | 'application/xml';
  /** Null for a delivery note, which has no profile. */
  readonly profile: DocumentProfile | null;
  /** The characters that are drawn as U+FFFD, such as U+1F382; after 200 of them `...`. */
  readonly warnings: readonly string[];
  /** A hash of everything that the bytes depend on. */
  readonly hash: string;
  /** Throws Problem `service_unavailable`. */
  readonly render: () => Promise<Buffer>;
}

const ENDINGS: Readonly<Record<DocumentForm, string>> = {
  pdf: '.pdf',
  ubl: '.ubl.xml',
  cii: '.cii.xml',
  'delivery-note': '-delivery-note.pdf',
};

/**
 * Null if the company has no such invoice or credit note. Throws Problem `document_incomplete` or
 * `document_unavailable`.
 */
export async function prepareDocument(
  { companyId, type, id }: DocumentRef,
  form: DocumentForm,
  options: DocumentOptions = {},
): Promise<PreparedDocument | null> {
  const found = await loadDocument(companyId, type, id);
  if (!found) return null;
  const { language = found.language, paper = found.paper } = options;
  return prepare(companyId, { ...found, language, paper }, form, options.profile);
}

/** Prepares a document that is not stored, such as a draft. */
export function prepare(
  companyId: string,
  document: DocumentModel,
  form: DocumentForm,
  wanted?: DocumentProfile,
  isDraft = false,
): PreparedDocument {
  const { refusal, profile } = checkDocument(document);
  const isXml = form === 'ubl' || form === 'cii';
  if (refusal && (isXml || wanted === 'en16931')) throw refusal;
  if (!isXml) refuseNames(document);
  const { logo } = document.seller;
  return {
    fileName: (document.number || 'draft').replaceAll(/[^\w.-]/gu, '-') + ENDINGS[form],
    mediaType: isXml ? 'application/xml' : 'application/pdf',
    profile: form === 'delivery-note' ? null : profile,
    warnings: isXml ? [] : warningsOf(document, form),
    hash: createHash('sha256')
      .update(JSON.stringify([RENDERER_VERSION, form, wanted ?? null, isDraft, document]))
      .digest('base64url'),
    render: async () => {
      const bytes = logo && !isXml ? await readLogoBytes(companyId, logo) : null;
      return renderInThread(companyId, { form, document, logo: bytes, isDraft });
    },
  };
}

/** A name with other characters in it would be another name. Throws `document_unavailable`. */
function refuseNames({ seller, buyer }: DocumentModel): void {
  const errors: FieldError[] = Object.entries({ company: seller, customer: buyer }).flatMap(
    ([side, { name, legalName }]) => {
      const found = unsupportedIn(legalName ?? name);
      if (found.length === 0) return [];
      const member = legalName === null ? 'name' : 'legalName';
      const detail = `A PDF cannot show ${found.slice(0, 5).map(codeOf).join(', ')}.`;
      return [fieldError([side, member], 'unsupported_character', detail)];
    },
  );
  if (errors.length === 0) return;
  const sentence = 'A name has characters that a PDF cannot show.';
  throw new Problem('document_unavailable', sentence, { errors });
}

/** Characters that are printed, and have no glyph. */
function warningsOf(document: DocumentModel, form: DocumentForm): string[] {
  const { seller, buyer, lines, deliveryAddress } = document;
  const isPriced = form === 'pdf';
  const isInvoice = isPriced && document.type === 'invoice';
  const texts: readonly (string | null | undefined)[] = [
    ...Object.values(seller.address ?? {}),
    ...[seller.contactName, seller.registrationId, seller.taxNumber, seller.phone, seller.email],
    ...Object.values((isPriced ? null : deliveryAddress) ?? buyer.address ?? {}),
    ...[document.orderReference, document.buyerReference, buyer.number],
    ...lines.flatMap(({ name, sku }) => [name, sku]),
    ...(isPriced
      ? [
          ...[document.reference, document.note, document.discount?.reason],
          ...document.taxes.map(({ reason }) => reason),
          seller.footer,
        ]
      : []),
    ...(isInvoice ? [seller.paymentTerms, seller.iban && seller.bankName] : []),
  ];
  const found = texts.flatMap(text => (text ? unsupportedIn(text) : []));
  const codes = [...new Set(found)].map(codeOf);
  return codes.length <= MAX_WARNINGS ? codes : [...codes.slice(0, MAX_WARNINGS), '...'];
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${code.padStart(4, '0')}`;
}
