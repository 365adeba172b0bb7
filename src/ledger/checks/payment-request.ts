// Checks the request that records a payment, and finds its customer.

import type { Checked } from '../../api/answer-write.js';
import type { Auth } from '../../api-keys/authenticate.js';
import { findRequestCustomers } from '../../customers/names/request-customer.js';
import { withFoundErrors } from '../../platform/http/input/refused-body.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { codePointLength, possibleText } from '../../platform/values/text.js';
import type { PaymentPayload } from '../payload.js';
import { MAX_CUSTOMER_NAME, paymentRequest } from '../schema.js';
import { checkPayment } from './body-checks.js';
import { findPaymentErrors, type PaymentCustomer } from './refused-body.js';

/** The payload has the record's name in place of its id or number. Throws `validation_failed`. */
export async function checkPaymentRequest(body: unknown, auth: Auth): Promise<Checked> {
  const [customer] = await findRequestCustomers(auth, [body]);
  const named = namedIn(body, customer?.name);
  const request = await withFoundErrors(
    () =>
      validateBody(paymentRequest, body, value => [
        ...checkPayment(value, auth),
        ...(customer?.errors ?? []),
      ]),
    () => findPaymentErrors(auth.companyId, body, named),
  );
  const { customerId: _id, customerNumber: _number, ...payment } = request;
  const payload: PaymentPayload = { type: 'payment.record', ...payment };
  if (named === null || named.member === 'customerName') return { payload };
  return { payload: { ...payload, customerName: named.name, namedBy: named.member } };
}

/** The customer that a body names, which may be invalid elsewhere; `record` is that of its id. */
function namedIn(body: unknown, record: string | undefined): PaymentCustomer | null {
  const sent = (body ?? {}) as Readonly<Record<string, unknown>>;
  const name = record ?? possibleText(sent.customerName, MAX_CUSTOMER_NAME);
  if (name === null || codePointLength(name) > MAX_CUSTOMER_NAME) return null;
  if (record === undefined) return { name, member: 'customerName' };
  return { name, member: sent.customerId == null ? 'customerNumber' : 'customerId' };
}
