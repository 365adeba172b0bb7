// Requests as commands that can be pasted, once TRADEPOST_URL and TRADEPOST_KEY are set.
import { JOB_ID } from '../examples.js';
import { INVOICE_ID, VALVE_ID } from '../invoices/examples.js';
import { CREDIT_NOTE_ID, PAYMENT_ID, REFUND_ID } from '../ledger/examples.js';

interface Request {
  readonly method: string;
  /** Below /api/external, such as /invoices/{id}. */
  readonly path: string;
  /** True if it needs no key. */
  readonly isPublic: boolean;
  readonly body?: unknown;
}

/** The ids of the examples, by the first part of a path. */
const IDS: Readonly<Record<string, string>> = {
  invoices: INVOICE_ID,
  inventory: VALVE_ID,
  jobs: JOB_ID,
  payments: PAYMENT_ID,
  refunds: REFUND_ID,
  'credit-notes': CREDIT_NOTE_ID,
};

export function curlCommand({ method, path, isPublic, body }: Request): string {
  const id = IDS[path.split('/')[1] ?? ''] ?? '';
  const address = `"$TRADEPOST_URL/api/external${path.replace('{id}', id)}"`;
  // curl itself chooses GET, or POST for a body.
  const choice = method === 'patch' ? '-X PATCH ' : '';
  return [
    `curl -sS ${choice}${address}`,
    ...(isPublic ? [] : ['-H "x-api-key: $TRADEPOST_KEY"']),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** In single quotes, as a shell reads it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
