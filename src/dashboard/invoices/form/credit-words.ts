// The refusals of an invoice for a hold or a credit limit in the words of a person, with a link.
import { Problem } from '../../../platform/errors.js';
import { customerPath } from '../../customers/customer-view.js';
import type { WayOn } from '../../kit/forms/error-places.js';
import { excessOf } from './credit.js';

/** The refusals for a hold or a credit limit. Only owners may lift either. */
export function creditWords(currency: string, name: string, isOwner: boolean) {
  const way = isOwner ? '' : ' Ask an owner to release it.';
  return ({ code, details }: Problem): Problem | null => {
    const { available, creditLimit, requested } = details.members ?? {};
    if (code === 'customer_on_hold') return new Problem(code, `${name} is on hold.${way}`, details);
    if (code !== 'credit_limit_exceeded') return null;
    const credit = { left: String(available), limit: String(creditLimit), refuses: true };
    const { over, limit } = excessOf(credit, currency, String(requested)) ?? {};
    const sentence = `This invoice would put the customer ${over} over its limit of ${limit}.`;
    return new Problem(code, isOwner ? sentence : `${sentence} Ask an owner.`, details);
  };
}

/** Leads from such a refusal to the customer. */
export function toCustomer({ details }: Problem): WayOn | null {
  const id = details.members?.customerId;
  return typeof id === 'string' ? { href: customerPath({ id }), text: 'Open customer' } : null;
}
