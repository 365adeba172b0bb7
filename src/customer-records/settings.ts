// Changes of a company's settings that customers' records follow.
import type { Actor } from '../companies/actor.js';
import { lockCompanies } from '../companies/lock.js';
import type { Company } from '../companies/model.js';
import { type CompanySettings, updateCompany } from '../companies/service.js';
import { inCompanyTransaction } from '../companies/write-turns.js';
import { appendCurrencyEvents } from '../customers/currency-events.js';
import type { Transaction } from '../platform/db/connection.js';
import { syncExposures } from './exposures.js';

/**
 * `updateCompany`, with the exposures that the new creditLimitAction needs, and with the events of
 * the records that show the new currency.
 */
export function updateSettings(
  companyId: string,
  changes: Partial<CompanySettings>,
  changedBy: Actor | null = null,
): Promise<Company> {
  const { currency, creditLimitAction } = changes;
  return inCompanyTransaction(companyId, async tx => {
    const former = currency === undefined ? undefined : await lockCurrency(companyId, tx);
    const company = await updateCompany(companyId, changes, changedBy, tx);
    if (creditLimitAction !== undefined) await syncExposures(companyId, null, tx);
    if (currency !== undefined && currency !== former)
      await appendCurrencyEvents(companyId, currency, changedBy, tx);
    return company;
  });
}

/** Locks the company. Resolves to undefined if there is none. */
async function lockCurrency(companyId: string, tx: Transaction): Promise<string | undefined> {
  const columns = 'trim(currency) AS currency';
  const [company] = await lockCompanies<{ currency: string }>([companyId], { columns }, tx);
  return company?.currency;
}
