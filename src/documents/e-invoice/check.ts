// Whether the data of a document allow it as an electronic invoice, and what is missing.
import { type FieldError, Problem } from '../../platform/errors.js';
import type { DocumentModel } from '../model/document.js';
import { LIMITS, RULES } from './rules.js';
import { type EInvoice, eInvoiceOf } from './semantic.js';

/** The best form that the data of a document allow. */
export type DocumentProfile = 'en16931' | 'plain';

export interface CheckedDocument {
  readonly document: DocumentModel;
  readonly invoice: EInvoice;
  readonly profile: DocumentProfile;
  /** Why it is not an electronic invoice; null if it is one. */
  readonly refusal: Problem | null;
}

/** Throws Problem `document_incomplete` if the seller's address is missing, which any needs. */
export function checkDocument(document: DocumentModel): CheckedDocument {
  const invoice = eInvoiceOf(document);
  const errors = brokenRules(invoice);
  const ofAny = errors.filter(({ rule }) => rule === 'BR-08');
  if (ofAny.length > 0) throw incomplete('A document needs your address.', ofAny);
  const refusal = refusalOf(invoice, errors);
  return { document, invoice, refusal, profile: refusal ? 'plain' : 'en16931' };
}

function refusalOf(invoice: EInvoice, errors: readonly FieldError[]): Problem | null {
  const limit = LIMITS.find(({ isMet }) => !isMet(invoice));
  if (limit) return new Problem('document_unavailable', `${limit.detail} A PDF is possible.`);
  if (errors.length === 0) return null;
  return incomplete('An electronic invoice needs more data. A PDF is possible.', errors);
}

/** One error per rule that the invoice breaks. */
export function brokenRules(invoice: EInvoice): FieldError[] {
  return RULES.filter(({ isMet }) => !isMet(invoice)).map(({ id, pointer, detail }) => ({
    pointer: pointer(invoice),
    code: 'required',
    rule: id,
    detail,
  }));
}

function incomplete(sentence: string, errors: readonly FieldError[]): Problem {
  return new Problem('document_incomplete', sentence, { errors });
}
