// The customer as documents show it: what its record says today, or the name alone.

import { addressLines } from '../../../companies/parties/address-lines.js';
import { findByName } from '../../../receivables/customer.js';
import type { Fact } from '../../kit/ui/facts.js';
import { type Customer, getCustomer } from '../customer-view.js';
import { countryName } from '../options.js';

/** The record with this name or alias; null if none has it. */
export async function findBuyer(companyId: string, name: string): Promise<Customer | null> {
  const found = await findByName(companyId, name);
  return found?.id ? getCustomer(companyId, found.id) : null;
}

/** The name, the address and the numbers by which the customer and its tax office know it. */
export function buyerFacts(label: string, name: string, customer: Customer | null): Fact[] {
  return [
    [label, <NameAndAddress key="buyer" name={name} customer={customer} />],
    ['Customer number', customer?.number],
    ['Tax ID', customer?.taxId],
    ['Your reference', customer?.buyerReference],
  ];
}

function NameAndAddress({ name, customer }: { name: string; customer: Customer | null }) {
  const address = customer?.address;
  const lines = address ? addressLines(address, countryName(address.country)) : [];
  return (
    <>
      {[customer?.legalName ?? name, ...lines].map((line, index) => (
        <span key={index} class="address-line">
          {line}
        </span>
      ))}
    </>
  );
}
