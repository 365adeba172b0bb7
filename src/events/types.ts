// The types of events: one table for the API, the filters, the documents and the pages.

interface EventType {
  /** When it happens, as a sentence. */
  readonly when: string;
  /** The schema of `data` in the OpenAPI document. */
  readonly schema: string;
}

const INVOICE = 'Invoice';
const ALERT = 'StockAlert';
const IMPORT = 'ImportEnd';
const KEY = 'KeyState';

/** All types, in the order in which the documents list them. */
export const EVENT_TYPES = {
  'invoice.created': { when: 'An invoice was issued.', schema: INVOICE },
  'invoice.paid': { when: 'Nothing is due on an invoice any more.', schema: INVOICE },
  'invoice.reopened': { when: 'Money is due again on a paid invoice.', schema: INVOICE },
  'invoice.voided': { when: 'An invoice was voided.', schema: INVOICE },
  'invoice.updated': { when: 'An invoice changed otherwise: paid in part.', schema: INVOICE },
  'invoice.overdue': {
    when: 'The due date of an open invoice has passed. Once per invoice.',
    schema: INVOICE,
  },
  'payment.recorded': { when: 'A payment was recorded.', schema: 'Payment' },
  'payment.updated': { when: 'A payment was allocated or refunded.', schema: 'Payment' },
  'payment.reversed': { when: 'A payment was reversed.', schema: 'Payment' },
  'credit_note.created': { when: 'A credit note was issued.', schema: 'CreditNote' },
  'credit_note.updated': { when: 'A credit note was allocated or refunded.', schema: 'CreditNote' },
  'refund.recorded': { when: 'A refund was recorded.', schema: 'Refund' },
  'customer.created': { when: "A customer's record was created.", schema: 'Customer' },
  'customer.updated': { when: "A customer's record changed, or was merged.", schema: 'Customer' },
  'customer.deleted': { when: "A customer's record was deleted.", schema: 'DeletedCustomer' },
  'item.created': { when: 'An item was created.', schema: 'Item' },
  'item.updated': { when: 'An item changed other than in stock.', schema: 'Item' },
  'adjustment.created': { when: 'Stock was adjusted.', schema: 'AdjustmentDetails' },
  'stock.changed': { when: 'The new levels of all items that were moved.', schema: 'StockLevels' },
  'stock.low': { when: 'An item is at or below its reorder point.', schema: ALERT },
  'stock.out': { when: 'Nothing of an item is left.', schema: ALERT },
  'stock.recovered': { when: 'An item is above its reorder point again.', schema: ALERT },
  'import.finished': { when: 'An import ended.', schema: IMPORT },
  'import.undone': { when: 'An import was undone.', schema: IMPORT },
  'key.created': { when: 'An API key was created.', schema: KEY },
  'key.rotated': { when: 'An API key got a new secret.', schema: KEY },
  'key.updated': { when: "An API key's scopes changed.", schema: KEY },
  'key.revoked': { when: 'An API key was revoked.', schema: KEY },
  'email.sent': { when: 'The mail server accepted an e-mail.', schema: 'Email' },
  'email.failed': { when: 'An e-mail was not sent and will not be tried again.', schema: 'Email' },
  'webhook_endpoint.failing': {
    when: 'An endpoint answers with failures.',
    schema: 'WebhookEndpoint',
  },
  'webhook_endpoint.disabled': {
    when: 'An endpoint gets no more events.',
    schema: 'WebhookEndpoint',
  },
} as const satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof EVENT_TYPES;

const NAMES = Object.keys(EVENT_TYPES);
const GROUPS = new Set(NAMES.map(name => `${name.split('.')[0]}.*`));

export function isEventType(text: string): text is EventTypeName {
  return Object.hasOwn(EVENT_TYPES, text);
}

/** The types that names, groups such as `invoice.*` and `*` mean; null if one is unknown. */
export function matchTypes(names: readonly string[]): ReadonlySet<string> | null {
  const matched = new Set<string>();
  for (const name of names) {
    if (name !== '*' && !GROUPS.has(name) && !isEventType(name)) return null;
    const prefix = name.endsWith('*') ? name.slice(0, -1) : null;
    for (const type of NAMES)
      if (prefix === null ? type === name : type.startsWith(prefix)) matched.add(type);
  }
  return matched;
}
