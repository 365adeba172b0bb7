// A curl command that proves that a new key works.
import type { Scope } from '../../api-keys/model.js';

interface Example {
  readonly command: string;
  /** Says which change the command makes, or why it makes none. Null if it only reads. */
  readonly warning: string | null;
}

const READS: Readonly<Partial<Record<Scope, string>>> = {
  'summary:read': '/summary',
  'invoices:read': '/invoices',
  'inventory:read': '/inventory',
  'payments:read': '/payments',
};

/** An id that no record has. */
const NO_RECORD = '00000000-0000-0000-0000-000000000000';

/** Reads if the key has a read scope; otherwise writes the smallest thing that the key allows. */
export function exampleCommand(
  base: string,
  key: string,
  scopes: readonly Scope[],
  today: string,
): Example {
  const header = `-H 'x-api-key: ${key}'`;
  const read = scopes.find(scope => scope in READS);
  if (read) return { command: `curl ${header} '${base}${READS[read]}'`, warning: null };
  const post = (path: string, body: object) =>
    `curl ${header} -H 'content-type: application/json' '${base}${path}' ` +
    `-d '${JSON.stringify(body)}'`;
  if (scopes.includes('invoices:write')) {
    const body = {
      customerName: 'Test customer',
      date: today,
      items: [{ name: 'Test line', qty: 1, price: 0 }],
    };
    return {
      command: post('/invoices', body),
      warning: 'This creates an invoice of 0, because the key has no read permission.',
    };
  }
  if (scopes.includes('inventory:write')) {
    const body = { reason: 'received', items: [{ name: 'Test item', delta: 1 }] };
    return {
      command: post('/inventory/adjustments', body),
      warning: 'This adds one “Test item” to stock, because the key has no read permission.',
    };
  }
  // Payments and credit notes are permanent, so the example is about a record that does not exist.
  const command = scopes.includes('payments:write')
    ? post(`/payments/${NO_RECORD}/reversal`, { date: today })
    : post(`/invoices/${NO_RECORD}/void`, {});
  return {
    command,
    warning: 'The response is “not_found”: the key works, and nothing was changed.',
  };
}
