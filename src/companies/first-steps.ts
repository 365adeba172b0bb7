// The progress of a new company, for the list of first steps on the overview.
import { joining } from '../platform/db/models.js';
import { companyModel } from './model.js';
import { findProfile } from './profile/versions.js';
import { inCompanyTransaction } from './write-turns.js';

export interface Progress {
  /** Someone saved the settings, or an invoice's terms or tax rate came with the company. */
  readonly hasSettings: boolean;
  /** The profile has an address, which documents show. */
  readonly hasAddress: boolean;
  readonly hasItems: boolean;
  readonly hasInvoices: boolean;
  /** An owner has hidden the list. */
  readonly isHidden: boolean;
}

/** Null if there is no such company. */
export async function readProgress(companyId: string): Promise<Progress | null> {
  const [company, current] = await Promise.all([
    companyModel().findByPk(companyId),
    findProfile(companyId),
  ]);
  if (!company) return null;
  return {
    hasSettings:
      company.settingsChangedAt !== null ||
      company.termsDays !== null ||
      company.defaultTaxRate !== null,
    hasAddress: current !== null && current.profile.address !== null,
    hasItems: company.itemCount !== '0',
    hasInvoices: company.nextInvoiceNumber !== '1',
    isHidden: company.firstStepsHidden,
  };
}

/** Hides the list for everyone in the company. */
export async function hideFirstSteps(id: string): Promise<void> {
  await inCompanyTransaction(id, tx =>
    companyModel().update({ firstStepsHidden: true }, { where: { id }, ...joining(tx) }),
  );
}
