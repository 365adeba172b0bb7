// Changes of a company's settings that customers' records follow.
import type { Actor } from '../companies/actor.js';
import { lockCompanies } from '../companies/lock.js';
import type { Company } from '../companies/model.js';
import { type CompanySettings, updateCompany } from '../companies/service.js';
import { inCompanyTransaction } from '../companies/write-turns.js';
import { appendCurrencyEvents } from '../customers/currency-events.js';
import { queryOne, type Transaction } from '../platform/db/connection.js';
import { invalidField } from '../platform/field-errors.js';
import { minorUnits } from '../platform/values/money.js';
import { syncExposures } from './exposures.js';

/**
 * `updateCompany`, with the exposures that the new creditLimitAction needs, and with the events of
 * the records that show the new currency. Also throws Problem `validation_failed` for a currency
 * with fewer decimals than a credit limit has.
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
    if (currency !== undefined && currency !== former) {
      await checkLimits(companyId, currency, tx);
      await appendCurrencyEvents(companyId, currency, changedBy, tx);
    }
    return company;
  });
}

/** Locks the company. Resolves to undefined if there is none. */
async function lockCurrency(companyId: string, tx: Transaction): Promise<string | undefined> {
  const columns = 'trim(currency) AS currency';
  const [company] = await lockCompanies<{ currency: string }>([companyId], { columns }, tx);
  return company?.currency;
}

/** A record whose limit the currency can't show could not be saved again as it is. */
async function checkLimits(companyId: string, currency: string, tx: Transaction): Promise<void> {
  const customer = await queryOne<{ name: string }>(
    `SELECT name
     FROM customers
     WHERE company_id = $1 AND merged_into IS NULL
       AND credit_limit <> trunc(credit_limit, $2::integer)
     ORDER BY name_key
     LIMIT 1`,
    [companyId, minorUnits(currency)],
    tx,
  );
  if (!customer) return;
  const sentence = `The credit limit of “${customer.name}” has too many decimals for ${currency}.`;
  throw invalidField('currency', sentence);
}
