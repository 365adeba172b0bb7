// The further scopes of a create: only a key that may change customers may create an invoice in
// spite of a hold or a credit limit, and only one that may send documents may send it.
import { type Auth, checkScope } from '../../api-keys/authenticate.js';
import { isSent } from '../sending/order.js';

/** Throws Problem `insufficient_scope`. The body may be invalid. */
export function checkOwnScopes(body: unknown, auth: Auth): void {
  const { ignoreCredit } = (body ?? {}) as { readonly ignoreCredit?: unknown };
  if (ignoreCredit === true) checkScope(auth, 'customers:write');
  if (isSent(body)) checkScope(auth, 'documents:send');
}
