// The query of GET /customers.
import { recordFilters } from '../api/list-filters.js';
import { onOff } from '../platform/http/input/query.js';
import { object, type ValueOf } from '../platform/http/input/typed-schema.js';
import { codeText, cursor, pageSize } from '../platform/http/input/validate.js';

/** The largest page of customers. */
export const MAX_CUSTOMER_PAGE = 200;

export const customerQuery = object({
  limit: pageSize(50, MAX_CUSTOMER_PAGE).description('Customers per page.'),
  cursor: cursor(),
  name: codeText(255).description('Full name or alias, ignoring case and spacing.'),
  number: codeText(30).description('Full number, ignoring case.'),
  externalId: codeText(100).description('Exact external id.'),
  taxId: codeText(100).description('Tax id; spaces, dots, hyphens and case do not matter.'),
  hold: onOff().description('`1` or `true` lists only customers on hold.'),
  archived: onOff().description('`1` or `true` lists the archived records instead of the others.'),
  ...recordFilters(
    'Customers',
    'the name, an alias, the number, the external id, an e-mail address, the phone number, the ' +
      'contact, an address or the tax id',
  ),
});
export type CustomerQuery = ValueOf<typeof customerQuery>;
