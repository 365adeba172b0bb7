// Only a key that may change customers may create an invoice in spite of a hold or a credit limit.
import { type Auth, checkScope } from '../../api-keys/authenticate.js';

/** Throws Problem `insufficient_scope`. The body may be invalid. */
export function checkCreditScope(body: unknown, auth: Auth): void {
  const { ignoreCredit } = (body ?? {}) as { readonly ignoreCredit?: unknown };
  if (ignoreCredit === true) checkScope(auth, 'customers:write');
}
