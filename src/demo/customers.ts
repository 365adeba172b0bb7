// The demo company's customers, and how each of them pays.
import type { METHODS } from '../ledger/schema.js';

export interface Customer {
  readonly name: string;
  /** Days from an invoice to its payment, give or take a few; 0 at the counter. */
  readonly paysAfter: number;
  readonly method: (typeof METHODS)[number];
  /** Pays with one transfer, every second week, all invoices that are so old. */
  readonly paysTogether?: boolean;
  readonly discount?: { readonly percent: number; readonly reason: string };
  readonly taxReason?: string;
}

const EXEMPT = 'Exempt organization, certificate on file';

export const CUSTOMERS: readonly Customer[] = [
  { name: 'Adler Heating', paysAfter: 24, method: 'bank_transfer' },
  { name: 'Bright & Sons', paysAfter: 14, method: 'bank_transfer', paysTogether: true },
  { name: 'Castle Renovation', paysAfter: 43, method: 'cheque' },
  { name: 'Delta Electric', paysAfter: 66, method: 'bank_transfer' },
  { name: 'Eastgate Builders', paysAfter: 16, method: 'bank_transfer', paysTogether: true },
  { name: 'Fischer Haustechnik', paysAfter: 12, method: 'direct_debit' },
  { name: 'Green Roof Ltd', paysAfter: 27, method: 'bank_transfer' },
  { name: 'Hillside Homes', paysAfter: 21, method: 'bank_transfer', paysTogether: true },
  { name: 'Ivory Interiors', paysAfter: 9, method: 'card' },
  { name: 'Jansen Installatie', paysAfter: 12, method: 'direct_debit' },
  {
    name: 'Kingsway Contractors',
    paysAfter: 18,
    method: 'bank_transfer',
    paysTogether: true,
    discount: { percent: 3, reason: 'Framework contract' },
  },
  { name: 'Lopez Obras', paysAfter: 49, method: 'bank_transfer' },
  { name: 'Martin Plomberie', paysAfter: 12, method: 'direct_debit' },
  { name: 'Northern Property', paysAfter: 29, method: 'bank_transfer' },
  {
    name: 'Oak Lane Housing',
    paysAfter: 20,
    method: 'bank_transfer',
    paysTogether: true,
    discount: { percent: 2.5, reason: 'Framework contract' },
  },
  { name: 'Park View Hotel', paysAfter: 26, method: 'bank_transfer' },
  { name: 'Quality Kitchens', paysAfter: 15, method: 'card' },
  { name: 'Riverside School', paysAfter: 25, method: 'cheque', taxReason: EXEMPT },
  { name: 'Smith Plumbing', paysAfter: 0, method: 'card' },
  { name: 'Tanaka Setsubi', paysAfter: 22, method: 'bank_transfer' },
  { name: 'Union Workshop', paysAfter: 0, method: 'cash' },
  { name: 'Valley Farm', paysAfter: 28, method: 'cheque' },
  { name: 'Westend Clinic', paysAfter: 39, method: 'bank_transfer', taxReason: EXEMPT },
  { name: 'Yards & Docks', paysAfter: 17, method: 'bank_transfer', paysTogether: true },
  { name: 'Zenith Facilities', paysAfter: 23, method: 'bank_transfer' },
];
