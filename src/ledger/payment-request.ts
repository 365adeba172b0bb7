// Checks the request that records a payment, and finds its customer by the id of a record.

import type { Checked } from '../api/answer-write.js';
import type { Auth } from '../api-keys/authenticate.js';
import { findNamedCustomer } from '../customers/names/names.js';
import { fieldError } from '../platform/field-errors.js';
import { validateBody } from '../platform/http/input/validate.js';
import { checkPayment } from './body-checks.js';
import type { PaymentPayload } from './payload.js';
import { paymentRequest } from './schema.js';

/** The payload has the record's name instead of its id. Throws Problem `validation_failed`. */
export async function checkPaymentRequest(body: unknown, auth: Auth): Promise<Checked> {
  const { companyId, currency } = auth;
  const { customerId: sent } = (body ?? {}) as { readonly customerId?: unknown };
  const customer = await findNamedCustomer(companyId, sent);
  const request = validateBody(paymentRequest, body, value => [
    ...checkPayment(value, currency),
    ...(customer === 'unknown' ? [fieldError(['customerId'], 'unknown_customer')] : []),
  ]);
  const { customerId: _id, ...payment } = request;
  const named = typeof customer === 'object' ? { customerName: customer.name } : {};
  const payload: PaymentPayload = { type: 'payment.record', ...payment, ...named };
  return { payload };
}
