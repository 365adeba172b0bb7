// The API's answers as JSON Schema. Every field is always present (absent values are null), so all
// are required. Objects are open, because fields may be added at any time; our tests close them.

import { emailSchemas } from '../emails/email.js';
import type { JsonSchema } from '../platform/values/json-shape.js';
import { receivableSchemas } from '../receivables/json.js';
import { webhookSchemas } from '../webhooks/endpoints/endpoint.js';
import { customerSchemas } from './customers/schemas.js';
import { eventSchemas } from './events/schemas.js';
import { inventorySchemas } from './inventory/schemas.js';
import { invoiceSchemas } from './invoices/schemas.js';
import { jobSchemas } from './jobs/schemas.js';
import { ledgerSchemas } from './ledger/schemas.js';
import { problemSchemas } from './problems/schemas.js';
import { summarySchemas } from './summary/schemas.js';

const objects: Readonly<Record<string, JsonSchema>> = {
  ...ledgerSchemas,
  ...customerSchemas,
  ...receivableSchemas,
  ...summarySchemas,
  ...invoiceSchemas,
  ...inventorySchemas,
  ...emailSchemas,
  ...webhookSchemas,
  ...jobSchemas,
  ...problemSchemas,
};

export const responseSchemas: Readonly<Record<string, JsonSchema>> = {
  ...objects,
  ...eventSchemas(objects),
};
