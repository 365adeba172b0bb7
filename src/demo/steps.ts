// The writes of the demo, in steps that are settled one after another.

import type { AdjustmentRequest } from '../inventory/schema.js';
import type { InvoiceRequest } from '../invoices/schema.js';
import type { LedgerPayload } from '../ledger/payload.js';

export interface Write {
  readonly key: string;
  readonly at: Date;
  /** Its kind's type. */
  readonly type: 'inventory.adjust' | 'invoice.create' | LedgerPayload['type'];
  /** Names records by the keys of their writes: their ids are not known yet. */
  readonly request: AdjustmentRequest | InvoiceRequest | LedgerPayload;
}

/** Writes of one queue that are settled together. */
export type Step = readonly Write[];

const REFERENCES = ['invoiceId', 'paymentId', 'creditNoteId'] as const;

/** The records that a write names: the members of its request, and the keys of their writes. */
export function referencesOf({ request }: Write): [member: string, key: string][] {
  const members: Readonly<Record<string, unknown>> = { ...request };
  return REFERENCES.flatMap((name): [string, string][] =>
    typeof members[name] === 'string' ? [[name, members[name]]] : [],
  );
}

/** Divides writes so that each names only records of earlier steps. */
export function inSteps(writes: readonly Write[]): Step[] {
  const steps: Write[][] = [];
  for (const write of writes) {
    const last = steps.at(-1) ?? [];
    const needsLast = referencesOf(write).some(([, key]) => last.some(other => other.key === key));
    if (last.length === 0 || needsLast) steps.push([write]);
    else last.push(write);
  }
  return steps;
}
