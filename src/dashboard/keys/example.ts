// The request that shows whether a new key works, as a line for the shell.
import type { Scope } from '../../api-keys/model.js';

interface Example {
  readonly command: string;
  /** What the line does, where it does more than read. */
  readonly warning: string | null;
}

const READS: Readonly<Partial<Record<Scope, string>>> = {
  'summary:read': '/summary',
  'invoices:read': '/invoices',
  'inventory:read': '/inventory',
};

/** A line that works as pasted: it reads where the key may read, else it writes the smallest thing the key may write. */
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
    `curl ${header} -H 'content-type: application/json' '${base}${path}' -d '${JSON.stringify(body)}'`;
  if (scopes.includes('invoices:write')) {
    const body = {
      customerName: 'Test customer',
      date: today,
      items: [{ name: 'Test line', qty: 1, price: 0 }],
    };
    return {
      command: post('/invoices', body),
      warning: 'It creates an invoice of 0, because this key may not read.',
    };
  }
  const body = { reason: 'received', items: [{ name: 'Test item', delta: 1 }] };
  return {
    command: post('/inventory/adjustments', body),
    warning: 'It receives one “Test item” into stock, because this key may not read.',
  };
}
