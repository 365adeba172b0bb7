// Checks the request that records a payment, and finds its customer.

import type { Checked } from '../../api/answer-write.js';
import type { Auth } from '../../api-keys/authenticate.js';
import { findRequestCustomers } from '../../customers/names/request-customer.js';
import { MAX_CUSTOMER_NAME } from '../../customers/schema.js';
import { withFoundErrors } from '../../platform/http/input/refused-body.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { codePointLength, possibleText } from '../../platform/values/text.js';
import type { PaymentPayload } from '../payload.js';
import { paymentRequest } from '../schema.js';
import { checkPayment } from './body-checks.js';
import { findPaymentErrors, type PaymentCustomer } from './look-ups.js';

/** The payload has the record's name in place of its id or number. Throws `validation_failed`. */
export async function checkPaymentRequest(body: unknown, auth: Auth): Promise<Checked> {
  const [customer] = await findRequestCustomers(auth, [body]);
  const record = customer?.record;
  const request = await withFoundErrors(
    () =>
      validateBody(paymentRequest, body, value => [
        ...checkPayment(value, auth),
        ...(customer?.errors ?? []),
      ]),
    () => findPaymentErrors(auth.companyId, body, record ?? namedIn(body)),
  );
  const { customerId: _id, customerNumber: _number, ...payment } = request;
  const payload: PaymentPayload = { type: 'payment.record', ...payment };
  if (record === undefined) return { payload };
  return { payload: { ...payload, customerName: record.name, namedBy: record.member } };
}

/** The customer that a body names by its name. It may be invalid elsewhere. */
function namedIn(body: unknown): PaymentCustomer | null {
  const { customerName } = (body ?? {}) as { readonly customerName?: unknown };
  const name = possibleText(customerName, MAX_CUSTOMER_NAME);
  if (name === null || codePointLength(name) > MAX_CUSTOMER_NAME) return null;
  return { name, member: 'customerName' };
}
