// Making and changing companies.
import type { Transaction } from 'sequelize';
import { v7 as uuidv7 } from 'uuid';
import { inTransaction, queryOne } from '../platform/db/connection.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { isCurrency } from '../platform/values/money.js';
import { cleanText, codePointLength, hasForbiddenCharacter } from '../platform/values/text.js';
import { Company } from './model.js';

export interface CompanySettings {
  name: string;
  /** ISO 4217. */
  currency: string;
  /** IANA name. */
  timeZone: string;
  allowNegativeStock: boolean;
  /** Requests an hour; null for the environment's default. */
  rateLimitPerHour: number | null;
  /** Before the running number of new invoices; issued ones keep theirs. */
  invoicePrefix: string;
}

const MAX_NAME = 255;
export const MAX_PREFIX = 10;
const PREFIX = /^[A-Z0-9-]{0,10}$/u;

/** Makes a company and returns its record. Throws Problem `validation_failed` where a setting is not valid. */
export async function createCompany(
  settings: Partial<CompanySettings> & { name: string },
  tx?: Transaction,
): Promise<Company> {
  const checked = await checkSettings({
    currency: 'USD',
    timeZone: 'UTC',
    rateLimitPerHour: null,
    ...settings,
  });
  return Company.create({ id: uuidv7(), ...checked } as Company, { transaction: tx ?? null });
}

/**
 * Changes settings; every process goes by them within a second. Throws Problem `not_found`, or `validation_failed` for
 * a bad value and for another currency once there is an invoice.
 */
export async function updateCompany(
  companyId: string,
  changes: Partial<CompanySettings>,
): Promise<Company> {
  const checked = await checkSettings(changes);
  return inTransaction(async tx => {
    // Whoever takes invoice numbers takes this lock too: a first invoice is either seen here or sees the new currency.
    const company = await Company.findByPk(companyId, {
      transaction: tx,
      lock: tx.LOCK.NO_KEY_UPDATE,
    });
    if (!company) throw missing(companyId);
    if (
      hasInvoice(company) &&
      checked.currency !== undefined &&
      checked.currency !== company.currency
    ) {
      throw invalidField('currency', 'The currency is fixed once there is an invoice.');
    }
    return company.update(checked, { transaction: tx });
  });
}

/** Throws Problem `not_found` where there is no such company. */
export async function getCompany(companyId: string): Promise<Company> {
  const company = await Company.findByPk(companyId);
  if (!company) throw missing(companyId);
  return company;
}

/** From its first invoice on a company's currency is fixed. */
export function hasInvoice(company: Company): boolean {
  return company.nextInvoiceNumber !== '1';
}

function missing(companyId: string): Problem {
  return new Problem('not_found', `There is no company ${companyId}.`);
}

async function checkSettings<Settings extends Partial<CompanySettings>>(
  settings: Settings,
): Promise<Settings> {
  const { currency, timeZone, rateLimitPerHour, invoicePrefix } = settings;
  const name = settings.name === undefined ? undefined : cleanText(settings.name);
  if (
    name !== undefined &&
    (name === '' || codePointLength(name) > MAX_NAME || hasForbiddenCharacter(name))
  ) {
    throw invalidField(
      'name',
      `A company's name has 1 to ${MAX_NAME} characters and no control characters.`,
    );
  }
  if (currency !== undefined && !isCurrency(currency)) {
    throw invalidField('currency', `${currency} is not an ISO 4217 currency code.`);
  }
  if (timeZone !== undefined && !(await isTimeZone(timeZone))) {
    throw invalidField('timeZone', `${timeZone} is not an IANA time zone.`);
  }
  if (
    rateLimitPerHour != null &&
    !(Number.isInteger(rateLimitPerHour) && rateLimitPerHour > 0 && rateLimitPerHour <= 100_000_000)
  ) {
    throw invalidField('rateLimitPerHour', 'A rate limit is a whole number from 1 to 100000000.');
  }
  if (invoicePrefix !== undefined && !PREFIX.test(invoicePrefix)) {
    throw invalidField(
      'invoicePrefix',
      `A prefix has at most ${MAX_PREFIX} characters: A to Z, 0 to 9 and hyphens.`,
    );
  }
  return name === undefined ? settings : { ...settings, name };
}

/** Known to this runtime and, spelled like this, to Postgres, which takes the summary's months by it. */
async function isTimeZone(name: string): Promise<boolean> {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  return (await queryOne('SELECT 1 FROM pg_timezone_names WHERE name = $1', [name])) !== null;
}
