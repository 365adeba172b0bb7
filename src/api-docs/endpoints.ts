// Every endpoint that needs a key, by slice.

import type { Endpoint } from '../api/endpoint.js';
import { jobEndpoints } from '../api/get-job.js';
import { customerEndpoints } from '../customer-records/routes.js';
import { emailEndpoint } from '../documents/emails/routes.js';
import { documentEndpoints } from '../documents/routes.js';
import { emailEndpoints } from '../emails/routes.js';
import { eventEndpoints } from '../events/routes.js';
import { inventoryEndpoints } from '../inventory/routes.js';
import { invoiceEndpoints } from '../invoices/routes.js';
import { ledgerEndpoints } from '../ledger/routes.js';
import { receivablesEndpoints } from '../receivables/routes.js';
import { summaryEndpoints } from '../summary/routes.js';
import { webhookEndpoints } from '../webhooks/routes.js';
import { WRITE_KINDS } from '../write-kinds.js';

/** One list per slice. app.ts makes a router of each list and tries them in this order. */
export const ENDPOINTS: readonly (readonly Endpoint[])[] = [
  summaryEndpoints,
  invoiceEndpoints,
  inventoryEndpoints,
  ledgerEndpoints,
  customerEndpoints,
  receivablesEndpoints,
  documentEndpoints,
  [emailEndpoint, ...emailEndpoints],
  eventEndpoints,
  webhookEndpoints,
  jobEndpoints(WRITE_KINDS),
];
