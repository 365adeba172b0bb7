// The endpoints of documents.
import type { Middleware } from 'koa';
import { authOf, type Endpoint } from '../api/endpoint.js';
import { LANGUAGES } from '../companies/parties/party.js';
import { PAPERS } from '../companies/profile/profile.js';
import { BY_NUMBER } from '../invoices/schema.js';
import { BY_CREDIT_NOTE_NUMBER } from '../ledger/schema.js';
import { notFound } from '../platform/errors.js';
import { noParameters, validateQuery } from '../platform/http/input/query.js';
import { object, oneOf, type QuerySchema } from '../platform/http/input/typed-schema.js';
import { isCurrentCopy, withoutCopy } from '../platform/http/representation.js';
import { pathId } from '../platform/http/router.js';
import type { DocumentKind } from './model/load.js';
import { type DocumentOptions, type PreparedDocument, prepareDocument } from './service.js';
import type { DocumentForm } from './thread/job.js';

const onPaper = {
  language: oneOf(...LANGUAGES).description(
    "The language, by default that of the customer, else that of the company's profile.",
  ),
  paper: oneOf(...PAPERS).description("The size of the pages, by default the profile's."),
};
const paperQuery = object(onPaper).required();
const pdfQuery = object({
  ...onPaper,
  profile: oneOf('en16931').description(
    'The profile that the document must have. Without it, a document whose data allow no ' +
      'electronic invoice is a plain PDF.',
  ),
}).required();

const QUERIES: Partial<Record<DocumentForm, QuerySchema<DocumentOptions>>> = {
  pdf: pdfQuery,
  'delivery-note': paperQuery,
};

const OF = {
  invoice: { path: '/invoices/{id}', noun: 'invoice', id: 'Invoice', search: BY_NUMBER },
  creditNote: {
    path: '/credit-notes/{id}',
    noun: 'credit note',
    id: 'CreditNote',
    search: BY_CREDIT_NOTE_NUMBER,
  },
} as const;

interface Words {
  readonly id: string;
  readonly summary: (noun: string) => string;
  readonly description: string;
  readonly answer: string;
}

const AS_ISSUED =
  'It shows the data of the day of issue: the same bytes for the same data, and another ETag for ' +
  'others. An address or a tax or registration number that was missing then and was entered ' +
  'later is added; nothing else changes.';

const FORMS: Readonly<Record<DocumentForm, Words>> = {
  pdf: {
    id: 'Pdf',
    summary: noun => `Get the PDF of ${noun}`,
    description:
      'A PDF that follows the structure of PDF/A-3b. If the data allow it, it has the electronic ' +
      'invoice in it (Factur-X, ZUGFeRD): the header `Document-Profile` is `en16931` then, else ' +
      `\`plain\`. ${AS_ISSUED}`,
    answer: 'The PDF.',
  },
  ubl: {
    id: 'Ubl',
    summary: noun => `Get ${noun} as UBL`,
    description: `An electronic invoice by EN 16931 in UBL 2.1. ${AS_ISSUED}`,
    answer: 'The electronic invoice.',
  },
  cii: {
    id: 'Cii',
    summary: noun => `Get ${noun} as CII`,
    description: `An electronic invoice by EN 16931 in UN/CEFACT CII. ${AS_ISSUED}`,
    answer: 'The electronic invoice.',
  },
  'delivery-note': {
    id: 'DeliveryNote',
    summary: noun => `Get the delivery note of ${noun}`,
    description: `A PDF for the parcel: names, SKUs and quantities, no amounts. ${AS_ISSUED}`,
    answer: 'The PDF.',
  },
};

function documentEndpoint(type: DocumentKind, form: DocumentForm): Endpoint {
  const { path, noun, id, search } = OF[type];
  const words = FORMS[form];
  const query = QUERIES[form];
  const isXml = form === 'ubl' || form === 'cii';
  const answer: Middleware = async ctx => {
    const options = query ? validateQuery(query, ctx) : {};
    const recordId = pathId(ctx, noun, search);
    const ref = { companyId: authOf(ctx).companyId, type, id: recordId };
    const prepared = await prepareDocument(ref, form, options);
    if (!prepared) throw notFound(noun);
    await answerDocument(ctx, prepared);
  };
  return {
    type: 'document',
    path: `${path}/${form}`,
    id: `get${id}${words.id}`,
    tag: 'Documents',
    summary: words.summary(type === 'invoice' ? 'an invoice' : 'a credit note'),
    description: words.description,
    scope: 'invoices:read',
    noun,
    search,
    answer: words.answer,
    schema: isXml ? 'application/xml' : 'application/pdf',
    conflicts: { DocumentRefused: ['document_incomplete', 'document_unavailable'] },
    ...(query ? { query } : {}),
    middleware: () => [...(query ? [] : [noParameters]), answer],
  };
}

/** Sends a document, which is rendered only if its bytes are needed. */
export async function answerDocument(
  ctx: Parameters<Middleware>[0],
  { mediaType, fileName, profile, warnings, hash, render }: PreparedDocument,
): Promise<void> {
  ctx.set('Content-Disposition', `inline; filename="${fileName}"`);
  ctx.set('Content-Security-Policy', 'sandbox');
  if (profile !== null) ctx.set('Document-Profile', profile);
  if (warnings.length > 0) ctx.set('Document-Warnings', warnings.join(', '));
  if (isCurrentCopy(ctx, mediaType, hash)) return;
  ctx.status = 200;
  ctx.type = mediaType;
  if (ctx.method === 'HEAD') return;
  try {
    ctx.body = await render();
    ctx.type = mediaType;
  } catch (error) {
    withoutCopy(ctx);
    for (const name of ['Content-Disposition', 'Document-Profile', 'Document-Warnings'])
      ctx.remove(name);
    throw error;
  }
}

export const documentEndpoints: readonly Endpoint[] = [
  documentEndpoint('invoice', 'pdf'),
  documentEndpoint('invoice', 'ubl'),
  documentEndpoint('invoice', 'cii'),
  documentEndpoint('invoice', 'delivery-note'),
  documentEndpoint('creditNote', 'pdf'),
  documentEndpoint('creditNote', 'ubl'),
  documentEndpoint('creditNote', 'cii'),
];
