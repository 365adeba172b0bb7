// The JSON Schemas of the ledger's answers.
import { entrySchemas } from '../../ledger/entry-json.js';
import {
  choice,
  constant,
  count,
  date,
  described,
  money,
  object,
  orNull,
  rendered,
  text,
  time,
  uuid,
} from '../../platform/values/json-shape.js';
import { schemasOf } from '../schema-parts.js';

const InvoiceEntry = object({
  sequence: count,
  type: described(
    choice(['payment', 'reversal', 'allocation', 'creditNote']),
    'More values may follow.',
  ),
  id: uuid,
  number: described(orNull(text), 'The number of a credit note; null for other types.'),
  date,
  amount: described(money, 'The change of the amount due: negative for a payment.'),
  createdAt: time,
});

/** The `result` of a job that created a record. */
export const resultSchema = (type: string) =>
  object({
    type: constant(type),
    id: uuid,
    href: rendered({ type: 'string', format: 'uri-reference' }),
  });

export const ledgerSchemas = {
  ...entrySchemas,
  ...schemasOf({
    InvoiceEntry,
    PaymentResult: resultSchema('payment'),
    RefundResult: resultSchema('refund'),
    CreditNoteResult: resultSchema('creditNote'),
  }),
};

/** Members of an error of one field, with the ledger's codes. */
export const ledgerFieldErrorMembers = {
  invoiceId: described(uuid, 'With `amount_exceeds_due`, and `invalid_state` of an invoice.'),
  status: described(text, 'With `invalid_state` of an invoice: its status.'),
  line: described(count, "With `credit_exceeds_invoice`: the invoice's line, counted from 1."),
};

/** Members of an `invalid_state` of an invoice, in the problem and in its error. */
export const invoiceStateMembers = {
  amountPaid: described(money, 'With `invalid_state` of an invoice.'),
  amountCredited: described(money, 'With `invalid_state` of an invoice.'),
};
