// The demo company on its documents: a profile and a logo.
import { readFileSync } from 'node:fs';
import type { Actor } from '../companies/actor.js';
import { changeProfile } from '../companies/profile/service.js';

/** The compiler does not copy this file. */
const LOGO = new URL('../../../src/demo/logo.png', import.meta.url);

const PROFILE = {
  legalName: 'Harbour Street Supply LLC',
  address: {
    ...{ line1: '400 Harborside Drive', city: 'Galveston', postalCode: '77550' },
    ...{ region: 'TX', country: 'US' },
  },
  taxNumber: '76-0481516',
  contactName: 'Helen Shaw',
  email: 'billing@harbour-street.example',
  phone: '+1 409 555 0199',
  paymentTerms: 'Please pay within 30 days and quote the number of the invoice.',
  footer: 'Thank you for your business.',
  paper: 'letter',
};

/** Repeated, it changes nothing. */
export async function writeDemoProfile(companyId: string, changedBy: Actor | null): Promise<void> {
  const logo = readFileSync(LOGO).toString('base64');
  await changeProfile(companyId, { ...PROFILE, logo }, changedBy);
}
