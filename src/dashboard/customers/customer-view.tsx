// A customer's record as pages show it: the API's JSON with its figures as text.
import { findCustomer, findOwnCustomer } from '../../customers/queries.js';
import type { CUSTOMER_JSON } from '../../customers/record.js';
import type { JsonValue } from '../../platform/values/json-shape.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { getOr404 } from '../kit/page.js';
import { Badge } from '../kit/ui/components.js';

export const CUSTOMERS = '/customers';

export type Customer = JsonValue<typeof CUSTOMER_JSON>;

/**
 * The record with this id, of a merged one the record that remains. Throws Problem `not_found`,
 * even if another company has the record.
 */
export async function getCustomer(companyId: string, id: string | undefined): Promise<Customer> {
  return parseDecimalJson(
    await getOr404('customer', id, customerId => findCustomer(companyId, customerId)),
  );
}

/** The record that has this id itself, even if it is merged. Throws as `getCustomer`. */
export async function getOwnCustomer(companyId: string, id: string | undefined): Promise<Customer> {
  return parseDecimalJson(
    await getOr404('customer', id, customerId => findOwnCustomer(companyId, customerId)),
  );
}

export function customerPath({ id }: { readonly id: string }): string {
  return `${CUSTOMERS}/${id}`;
}

/** The page of a customer's name, which leads to its record if it has one. */
export function namePath(name: string): string {
  return `${CUSTOMERS}/name?${new URLSearchParams({ name })}`;
}

interface StateProps {
  readonly customer: Pick<Customer, 'hold' | 'archived' | 'mergedInto'>;
  readonly isOverLimit?: boolean;
}

/** The states that need attention; null for none. */
export function CustomerState({ customer, isOverLimit = false }: StateProps) {
  const { hold, archived, mergedInto } = customer;
  if (mergedInto !== null) return <Badge tone="off">Merged</Badge>;
  if (archived) return <Badge tone="off">Archived</Badge>;
  return stateBadges(hold, isOverLimit);
}

/** The badges of a hold and of an exceeded limit; null for neither. */
export function stateBadges(hold: boolean, isOverLimit: boolean) {
  if (!hold && !isOverLimit) return null;
  return (
    <>
      {hold && <Badge tone="bad">On hold</Badge>}
      {hold && isOverLimit && ' '}
      {isOverLimit && <Badge tone="warn">Over limit</Badge>}
    </>
  );
}
