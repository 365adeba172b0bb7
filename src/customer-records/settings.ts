// Changes of a company's settings that customers' records follow.
import type { Actor } from '../companies/actor.js';
import type { Company } from '../companies/model.js';
import { type CompanySettings, updateCompany } from '../companies/service.js';
import { inCompanyTransaction } from '../companies/write-turns.js';
import { syncExposures } from './exposures.js';

/** `updateCompany`, with the exposures that the new creditLimitAction needs. */
export function updateSettings(
  companyId: string,
  changes: Partial<CompanySettings>,
  changedBy: Actor | null = null,
): Promise<Company> {
  return inCompanyTransaction(companyId, async tx => {
    const company = await updateCompany(companyId, changes, changedBy, tx);
    if (changes.creditLimitAction !== undefined) await syncExposures(companyId, null, tx);
    return company;
  });
}
