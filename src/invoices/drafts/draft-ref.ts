// A draft as a form was opened with it, and the refusal to write over another person's change.
import type { Actor } from '../../companies/actor.js';
import { Problem } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import type { InvoiceRequest } from '../schema.js';
import type { SendOrder } from '../sending/order.js';

export interface DraftRef {
  readonly id: string;
  readonly version: number;
}

/** The state of a draft that decides whether it may be written. */
export interface DraftState {
  readonly version: number;
  readonly savedBy: Actor;
}

/** The payload of an invoice. */
export interface InvoicePayload extends InvoiceRequest {
  /** The draft from which the dashboard issues it. */
  readonly draft?: DraftRef;
  /** Its e-mail. */
  readonly send?: SendOrder;
}

/** The field of the error that says that a draft changed. */
export const DRAFT_FIELD = 'draft';

/** The refusal (invalid_state) of a draft that is gone (null) or was changed; null for neither. */
export function refuseChangedDraft(draft: DraftRef, current: DraftState | null): Problem | null {
  if (current?.version === draft.version) return null;
  const sentence = current === null ? GONE : `${current.savedBy.name} ${CHANGED}`;
  return new Problem('invalid_state', sentence, {
    errors: [fieldError([DRAFT_FIELD], 'invalid_value', sentence)],
  });
}

const GONE =
  'This draft was issued or deleted in the meantime, so nothing was written. Check the invoices ' +
  'before you submit this form again: it would create a new invoice or draft.';
const CHANGED =
  'changed this draft in the meantime, so nothing was written. This form has your input. ' +
  'Submit it again to replace the saved version.';
