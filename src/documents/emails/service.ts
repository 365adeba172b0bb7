// POST /emails: checks the request, renders the attachments, and adds the e-mail to the outbox. The
// company is locked only at the end, so rendering holds up no other write.
import type { Actor } from '../../companies/actor.js';
import { lockCompanies } from '../../companies/lock.js';
import { inCompanyTransaction } from '../../companies/write-turns.js';
import { insertEmail, requirePlace } from '../../emails/outbox.js';
import { findEmail } from '../../emails/queries.js';
import { isVoid } from '../../invoices/queries.js';
import {
  findResponses,
  type KeyedRequest,
  type Outcome,
  type StoredResponse,
  storeResponses,
  toResponse,
} from '../../jobs/stored-responses.js';
import { API } from '../../platform/api-path.js';
import type { Transaction } from '../../platform/db/connection.js';
import { Problem } from '../../platform/errors.js';
import { newId } from '../../platform/values/ids.js';
import { makeEmail, type SendableEmail, voidedInvoice } from './make-email.js';

const PATH = `${API}/emails`;

/** A request to send a document. */
export interface EmailCall {
  readonly companyId: string;
  readonly createdBy: Actor | null;
  /** As received. */
  readonly body: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** Throws Problem `service_unavailable` or `email_limit_exceeded`, which are never stored. */
export async function createEmail(call: EmailCall): Promise<StoredResponse> {
  const { companyId, body, idempotencyKey } = call;
  const request = idempotencyKey === undefined ? null : { key: idempotencyKey, path: PATH, body };
  // A repeated request renders nothing.
  const stored = request && (await findResponses(companyId, [request]));
  if (stored?.[0]) return stored[0];
  const decided = await decide(call);
  return inCompanyTransaction(companyId, async tx => {
    const [company] = await lockCompanies<{ now: Date }>([companyId], NOW, tx);
    if (!company) throw new Error(`there is no company ${companyId}`);
    return settle(call, request, decided, company.now, tx);
  });
}

const NOW = { computed: 'clock_timestamp() AS now' };

/** An e-mail that can be sent, or why not. */
type Decision = SendableEmail | { readonly refusal: Problem };

/** Refusals that say when to try again, and are never stored. */
const PASSING: ReadonlySet<string> = new Set(['service_unavailable', 'email_limit_exceeded']);

async function decide({ companyId, body }: EmailCall): Promise<Decision> {
  try {
    return await makeEmail(companyId, body);
  } catch (error) {
    if (!(error instanceof Problem) || PASSING.has(error.code)) throw error;
    return { refusal: error };
  }
}

/** The company is locked, so a second request with the key waits for this one's response. */
async function settle(
  call: EmailCall,
  request: KeyedRequest | null,
  decided: Decision,
  now: Date,
  tx: Transaction,
): Promise<StoredResponse> {
  const { companyId } = call;
  const [stored] = await findResponses(companyId, [request], tx);
  if (stored) return stored;
  const outcome = 'refusal' in decided ? decided : await addEmail(call, decided, now, tx);
  const response = toResponse(outcome, PATH);
  await storeResponses(companyId, [request], [response], tx);
  return response;
}

async function addEmail(
  { companyId, createdBy }: EmailCall,
  { prepared, ...email }: SendableEmail,
  now: Date,
  tx: Transaction,
): Promise<Outcome> {
  const { type, id: documentId } = email.document;
  // It may have been voided while the attachments were rendered.
  if (type === 'invoice' && (await isVoid(companyId, documentId, tx)))
    return { refusal: voidedInvoice() };
  await requirePlace(companyId, tx);
  const id = newId();
  const own = { companyId, id, createdBy, createdAt: now.toISOString() };
  await insertEmail({ ...email, ...own }, prepared, tx);
  const body = (await findEmail(companyId, id, tx)) ?? '';
  return { status: 202, body, location: `${PATH}/${id}` };
}
