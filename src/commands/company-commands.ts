// The operator commands for companies and their settings.
import { CREDIT_LIMIT_ACTIONS, type CreditLimitAction } from '../companies/credit-limit-action.js';
import { changeProfile, profileAsSent } from '../companies/profile/service.js';
import {
  type CompanySettings,
  createCompany,
  type getCompany,
  listAllCompanies,
} from '../companies/service.js';
import { updateSettings } from '../customer-records/settings.js';
import type { AdminCommands } from './admin-command.js';
import { CommandError } from './interruption.js';
import {
  id,
  jsonFile,
  namingFields,
  number,
  numberOrNone,
  text,
  type Values,
} from './option-values.js';

const COMPANY_OPTIONS = [
  ...['name', 'currency', 'timezone', 'rate-limit'],
  ...['terms-days', 'default-tax-rate', 'credit-limit-action'],
];
const COMPANY_FLAGS = ['allow-negative-stock', 'no-allow-negative-stock'];

export const companyCommands: AdminCommands = {
  'company create': {
    options: COMPANY_OPTIONS,
    flags: COMPANY_FLAGS,
    required: ['name'],
    run: async values => {
      const company = await createCompany({ name: String(values.name), ...settings(values) });
      return { companyId: company.id, name: company.name };
    },
  },
  'company update': {
    options: ['company', ...COMPANY_OPTIONS],
    flags: COMPANY_FLAGS,
    required: ['company'],
    run: async values =>
      companyRecord(await updateSettings(id(values, 'company'), settings(values))),
  },
  'company profile': {
    options: ['company', 'file'],
    required: ['company', 'file'],
    run: async values => {
      const companyId = id(values, 'company');
      const patch = await jsonFile(values, 'file');
      const profile = await namingFields(changeProfile(companyId, patch, null));
      return profileAsSent(companyId, profile);
    },
  },
  'company list': {
    options: [],
    required: [],
    effect: 'nothing',
    run: async () => (await listAllCompanies()).map(companyRecord),
  },
};

function settings(values: Values): Partial<CompanySettings> {
  const { 'allow-negative-stock': allow, 'no-allow-negative-stock': refuse } = values;
  if (allow && refuse)
    throw new CommandError('Use --allow-negative-stock or --no-allow-negative-stock, not both.');
  const taxRate = numberOrNone(values, 'default-tax-rate');
  const given = {
    name: text(values, 'name'),
    currency: text(values, 'currency'),
    timeZone: text(values, 'timezone'),
    rateLimitPerHour: number(values, 'rate-limit'),
    allowNegativeStock: allow || refuse ? allow === true : undefined,
    termsDays: numberOrNone(values, 'terms-days'),
    defaultTaxRate: taxRate == null ? taxRate : String(taxRate),
    creditLimitAction: creditLimitAction(values),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function creditLimitAction(values: Values): CreditLimitAction | undefined {
  const given = text(values, 'credit-limit-action');
  const action = CREDIT_LIMIT_ACTIONS.find(each => each === given);
  if (given !== undefined && action === undefined)
    throw new CommandError('--credit-limit-action must be warn or refuse.');
  return action;
}

function companyRecord(company: Awaited<ReturnType<typeof getCompany>>) {
  const { id: companyId, name, currency, timeZone: timezone, allowNegativeStock } = company;
  const { rateLimitPerHour: rateLimit, termsDays, defaultTaxRate: taxRate } = company;
  const defaultTaxRate = taxRate === null ? null : Number(taxRate);
  return {
    companyId,
    name,
    currency,
    timezone,
    rateLimit,
    allowNegativeStock,
    termsDays,
    defaultTaxRate,
    creditLimitAction: company.creditLimitAction,
  };
}
