// The JSON Schemas of the customers' responses.
import { CUSTOMER_JSON, recordSchemas } from '../../customers/record.js';
import { MAX_BATCH_CUSTOMERS } from '../../customers/schema.js';
import {
  count,
  described,
  flag,
  list,
  money,
  object,
  rendered,
  uuid,
} from '../../platform/values/json-shape.js';
import { either, schemasOf } from '../schema-parts.js';

const CustomerResult = object({
  status: described(rendered({ type: 'integer', enum: [200, 201] }), '200 for an updated record.'),
  customer: CUSTOMER_JSON,
});

const CustomerBatchResults = object({
  results: described(
    list(either('CustomerResult', 'RefusedResult'), MAX_BATCH_CUSTOMERS),
    'In the order of the request.',
  ),
});

const OWED =
  'With `credit_limit_exceeded`, and with `invalid_state` of a customer to be archived or deleted.';

/** Members of the problems of a customer. */
export const customerProblemMembers = {
  customerId: described(
    uuid,
    'With `customer_on_hold` and `credit_limit_exceeded`, and with `invalid_state` of a merge: ' +
      'the id of the record.',
  ),
  creditLimit: described(money, 'With `credit_limit_exceeded`.'),
  outstanding: described(money, OWED),
  unallocated: described(money, OWED),
  mergedInto: described(uuid, 'With `invalid_state` of a merged customer.'),
  archived: described(flag, 'With `invalid_state` of a merge with an archived customer.'),
  invoices: described(count, 'With `invalid_state` of a customer to be deleted: how many it has.'),
  entries: described(
    count,
    'With `invalid_state` of a customer to be deleted: its payments, refunds and credit notes.',
  ),
  aliases: described(count, 'With `invalid_state`: how many aliases the customer would have.'),
  maxAliases: described(count, 'With `invalid_state` of too many aliases: the most it can have.'),
};

export const customerSchemas = {
  ...recordSchemas,
  ...schemasOf({ CustomerResult, CustomerBatchResults }),
};
