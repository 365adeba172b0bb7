// The query of GET /emails.
import { object, oneOf, type ValueOf } from '../platform/http/input/typed-schema.js';
import { findsId, uuid } from '../platform/http/input/uuid.js';
import { calendarDate, cursor, pageSize } from '../platform/http/input/validate.js';
import { EMAIL_STATUSES } from './email.js';

export const emailQuery = object({
  limit: pageSize(50, 200).description('E-mails per page.'),
  cursor: cursor(),
  status: oneOf(...EMAIL_STATUSES).description('Only e-mails with this status.'),
  documentId: uuid(findsId('invoices?number', 'credit-notes?number')).description(
    'E-mails of this invoice or credit note.',
  ),
  from: calendarDate().description("First day of creation, in the company's time zone."),
  to: calendarDate().description("Last day of creation, in the company's time zone."),
});
export type EmailQuery = ValueOf<typeof emailQuery>;
