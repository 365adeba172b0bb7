// Creating and changing companies.
import { v7 as uuidv7 } from 'uuid';
import { queryOne, type Transaction } from '../platform/db/connection.js';
import { joining, loadSequelize, NO_KEY_UPDATE } from '../platform/db/models.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { DECIMALS, decimalPlaces, exactNumber, isCurrency } from '../platform/values/money.js';
import { cleanText, codePointLength, hasForbiddenCharacter } from '../platform/values/text.js';
import type { Actor } from './actor.js';
import { CREDIT_LIMIT_ACTIONS } from './credit-limit-action.js';
import { type Company, type CompanyRow, companyModel } from './model.js';
import { appendName } from './profile/versions.js';
import { MAX_TERMS_DAYS } from './terms.js';

export type CompanySettings = Omit<
  CompanyRow,
  | 'id'
  | 'nextInvoiceNumber'
  | 'nextEntrySequence'
  | 'settingsChangedBy'
  | 'settingsChangedAt'
  | 'itemCount'
  | 'firstStepsHidden'
>;

const MAX_NAME = 255;
const MAX_RATE_LIMIT = 100_000_000;
export const MAX_PREFIX = 10;
const PREFIX = /^[A-Z0-9-]{0,10}$/u;
const MAX_TAX_PERCENT = 100;

/** Creates a company and returns its record. Throws Problem `validation_failed`. */
export async function createCompany(
  settings: Partial<CompanySettings> & { name: string },
  tx?: Transaction,
): Promise<Company> {
  const defaults = { currency: 'USD', timeZone: 'UTC', rateLimitPerHour: null };
  const checked = await checkSettings({ ...defaults, ...settings }, tx);
  return companyModel().create({ id: uuidv7(), ...checked }, joining(tx));
}

/**
 * Changes settings, for a person or (null) by an operator's command. Every process follows them
 * within a second. Throws Problem `not_found`, or `validation_failed` for a bad value and for
 * another currency once there is an invoice.
 */
export async function updateCompany(
  companyId: string,
  changes: Partial<CompanySettings>,
  changedBy: Actor | null,
  tx: Transaction,
): Promise<Company> {
  const checked = await checkSettings(changes, tx);
  // A batch takes this lock for its invoice numbers: either its first invoice is seen here, or the
  // batch sees the new currency.
  const company = await companyModel().findByPk(companyId, {
    lock: NO_KEY_UPDATE,
    ...joining(tx),
  });
  if (!company) throw missing(companyId);
  const { currency = company.currency } = checked;
  const records = recordsInCurrency(company);
  if (records !== null && currency !== company.currency)
    throw invalidField('currency', `The currency can't be changed once there are ${records}.`);
  if (checked.name !== undefined) await appendName(companyId, checked.name, changedBy, tx);
  const change = { settingsChangedBy: changedBy, settingsChangedAt: new Date() };
  return company.update({ ...checked, ...change }, joining(tx));
}

/** Throws Problem `not_found`. */
export async function getCompany(companyId: string): Promise<Company> {
  const company = await companyModel().findByPk(companyId);
  if (!company) throw missing(companyId);
  return company;
}

/** All companies of the installation, by name. */
export function listAllCompanies(): Promise<Company[]> {
  const { col, fn } = loadSequelize();
  return companyModel().findAll({ order: [fn('lower', col('name')), 'id'] });
}

/** The records that fix a company's currency; null without any. */
export function recordsInCurrency(company: Company): 'invoices' | 'payments' | null {
  if (company.nextInvoiceNumber !== '1') return 'invoices';
  return company.nextEntrySequence === '1' ? null : 'payments';
}

function missing(companyId: string): Problem {
  return new Problem('not_found', `There is no company ${companyId}.`);
}

async function checkSettings<Settings extends Partial<CompanySettings>>(
  settings: Settings,
  tx?: Transaction,
): Promise<Settings> {
  const { currency, timeZone, rateLimitPerHour } = settings;
  const name = settings.name === undefined ? undefined : cleanText(settings.name);
  if (name !== undefined && !isName(name)) {
    throw invalidField(
      'name',
      `A company name must have 1 to ${MAX_NAME} characters and no control characters.`,
    );
  }
  if (currency !== undefined && !isCurrency(currency)) {
    throw invalidField('currency', `${currency} is not an ISO 4217 currency code.`);
  }
  if (timeZone !== undefined && !(await isTimeZone(timeZone, tx))) {
    throw invalidField('timeZone', `${timeZone} is not an IANA time zone.`);
  }
  if (rateLimitPerHour != null && !isRateLimit(rateLimitPerHour)) {
    throw invalidField(
      'rateLimitPerHour',
      `A rate limit must be a whole number from 1 to ${MAX_RATE_LIMIT}.`,
    );
  }
  checkInvoiceSettings(settings);
  return name === undefined ? settings : { ...settings, name };
}

function checkInvoiceSettings(settings: Partial<CompanySettings>): void {
  const { termsDays, defaultTaxRate, creditLimitAction } = settings;
  for (const field of ['invoicePrefix', 'creditNotePrefix'] as const) {
    if (PREFIX.test(settings[field] ?? '')) continue;
    throw invalidField(
      field,
      `A prefix must have at most ${MAX_PREFIX} characters: A to Z, 0 to 9 and hyphens.`,
    );
  }
  if (termsDays != null && !isWithin(termsDays, MAX_TERMS_DAYS)) {
    throw invalidField(
      'termsDays',
      `Payment terms must be a whole number of days from 0 to ${MAX_TERMS_DAYS}.`,
    );
  }
  if (creditLimitAction !== undefined && !CREDIT_LIMIT_ACTIONS.includes(creditLimitAction)) {
    throw invalidField(
      'creditLimitAction',
      `The action at a credit limit must be ${CREDIT_LIMIT_ACTIONS.join(' or ')}.`,
    );
  }
  if (defaultTaxRate != null && !isTaxRate(defaultTaxRate)) {
    throw invalidField(
      'defaultTaxRate',
      `A tax rate must be from 0 to ${MAX_TAX_PERCENT}, with at most ${DECIMALS} decimals.`,
    );
  }
}

function isWithin(days: number, max: number): boolean {
  return Number.isInteger(days) && days >= 0 && days <= max;
}

function isTaxRate(text: string): boolean {
  const rate = exactNumber(text);
  return rate !== null && rate >= 0 && rate <= MAX_TAX_PERCENT && decimalPlaces(rate) <= DECIMALS;
}

function isName(name: string): boolean {
  return name !== '' && codePointLength(name) <= MAX_NAME && !hasForbiddenCharacter(name);
}

function isRateLimit(limit: number): boolean {
  return Number.isInteger(limit) && limit > 0 && limit <= MAX_RATE_LIMIT;
}

/**
 * True if both this runtime and Postgres know the zone by this exact name. Postgres computes the
 * summary's months in it.
 */
async function isTimeZone(name: string, tx?: Transaction): Promise<boolean> {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  const known = 'SELECT 1 FROM pg_timezone_names WHERE name = $1';
  return (await queryOne(known, [name], tx)) !== null;
}
