// Checks the request that records a payment, and finds its customer.

import type { Checked } from '../../api/answer-write.js';
import type { Auth } from '../../api-keys/authenticate.js';
import { findRequestCustomers } from '../../customers/names/request-customer.js';
import { withFoundErrors } from '../../platform/http/input/refused-body.js';
import { validateBody } from '../../platform/http/input/validate.js';
import type { PaymentPayload } from '../payload.js';
import { paymentRequest } from '../schema.js';
import { checkPayment } from './body-checks.js';
import { findPaymentErrors } from './refused-body.js';

/** The payload has the record's name in place of its id or number. Throws `validation_failed`. */
export async function checkPaymentRequest(body: unknown, auth: Auth): Promise<Checked> {
  const [customer] = await findRequestCustomers(auth, [body]);
  const request = await withFoundErrors(
    () =>
      validateBody(paymentRequest, body, value => [
        ...checkPayment(value, auth),
        ...(customer?.errors ?? []),
      ]),
    () => findPaymentErrors(auth.companyId, body),
  );
  const { customerId, customerNumber: _number, ...payment } = request;
  const payload: PaymentPayload = { type: 'payment.record', ...payment };
  if (customer?.name === undefined) return { payload };
  const namedBy = customerId === undefined ? 'customerNumber' : 'customerId';
  return { payload: { ...payload, customerName: customer.name, namedBy } };
}
