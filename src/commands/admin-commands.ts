// The operator commands: each maps its options to one JSON value.
import { parseArgs } from 'node:util';
import {
  findKeyOwner,
  issueKey,
  listKeys,
  revokeKey,
  rotateKey,
  updateKeyScopes,
} from '../api-keys/service.js';
import { CREDIT_LIMIT_ACTIONS, type CreditLimitAction } from '../companies/credit-limit-action.js';
import { type CompanySettings, createCompany, getCompany } from '../companies/service.js';
import { updateSettings } from '../customer-records/settings.js';
import { listJobs, retryJob, retryJobs } from '../jobs/admin.js';
import { createResetLink, getUserByEmail, RESET_PATH } from '../users/password-resets.js';
import { findRole, ROLES } from '../users/roles.js';
import { createUser } from '../users/service.js';
import { listTextConflicts } from '../verify/text-conflicts.js';
import { CommandError, type Effect, explainInterruption } from './interruption.js';
import { id, number, numberOrNone, scopes, text, time, type Values } from './option-values.js';

type Option = { type: 'string' | 'boolean' };
/** The process in which a command runs. */
export interface AdminContext {
  readonly readPassword: () => Promise<string>;
  /** The dashboard's address, for links. */
  readonly baseUrl: string;
}

interface Command {
  readonly options: readonly string[];
  readonly flags?: readonly string[];
  readonly required: readonly string[];
  /** `everything` by default. */
  readonly effect?: Effect;
  readonly run: (values: Values, context: AdminContext) => Promise<unknown>;
}

const COMPANY_OPTIONS = [
  ...['name', 'currency', 'timezone', 'rate-limit'],
  ...['terms-days', 'default-tax-rate', 'credit-limit-action'],
];
const COMPANY_FLAGS = ['allow-negative-stock', 'no-allow-negative-stock'];

const COMMANDS: Readonly<Record<string, Command>> = {
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
  'key create': {
    options: ['company', 'name', 'scopes', 'expires-at'],
    required: ['company'],
    run: async values => {
      const companyId = id(values, 'company');
      await getCompany(companyId);
      return issueKey(companyId, {
        name: text(values, 'name'),
        scopes: scopes(values),
        expiresAt: time(values, 'expires-at'),
      });
    },
  },
  'key rotate': {
    options: ['key', 'overlap-hours'],
    required: ['key'],
    run: async values => {
      const keyId = id(values, 'key');
      const overlapHours = number(values, 'overlap-hours');
      return rotateKey(await findKeyOwner(keyId), keyId, { overlapHours });
    },
  },
  'key revoke': {
    options: ['key'],
    required: ['key'],
    run: async values => {
      const keyId = id(values, 'key');
      return keyRecord(await revokeKey(await findKeyOwner(keyId), keyId));
    },
  },
  'key update': {
    options: ['key', 'scopes'],
    required: ['key', 'scopes'],
    run: async values => {
      const keyId = id(values, 'key');
      return keyRecord(
        await updateKeyScopes(await findKeyOwner(keyId), keyId, scopes(values) ?? []),
      );
    },
  },
  'key list': {
    options: ['company'],
    required: ['company'],
    effect: 'nothing',
    run: async values => {
      const company = await getCompany(id(values, 'company'));
      return (await listKeys(company.id)).map(keyRecord);
    },
  },
  'user create': {
    options: ['company', 'email', 'role'],
    flags: ['password-stdin', 'operator'],
    required: ['company', 'email', 'password-stdin'],
    run: async (values, { readPassword }) => {
      const role = findRole(String(values.role ?? 'member'));
      if (!role) throw new CommandError(`--role must be one of ${ROLES.join(', ')}.`);
      const user = {
        email: String(values.email),
        name: null,
        password: await readPassword(),
        role,
        operator: values.operator === true,
      } as const;
      const created = await createUser(id(values, 'company'), user);
      return { userId: created.id, email: created.email };
    },
  },
  'user reset-link': {
    options: ['email'],
    required: ['email'],
    run: async (values, { baseUrl }) => {
      const user = await getUserByEmail(String(values.email));
      const { token, expiresAt } = await createResetLink(user, null);
      return { url: `${baseUrl}${RESET_PATH}/${token}`, expiresAt };
    },
  },
  'texts conflicts': {
    options: [],
    required: [],
    effect: 'nothing',
    run: listTextConflicts,
  },
  'jobs list': {
    options: ['status', 'company'],
    required: [],
    effect: 'nothing',
    run: values => {
      const status = text(values, 'status');
      if (status !== undefined && !['queued', 'succeeded', 'failed'].includes(status)) {
        throw new CommandError('--status must be queued, succeeded or failed.');
      }
      return listJobs({
        status,
        companyId: values.company === undefined ? undefined : id(values, 'company'),
      });
    },
  },
  'jobs retry': {
    options: ['job', 'since', 'company'],
    flags: ['all'],
    required: [],
    effect: 'steps',
    run: values => {
      if ((values.all === true) === (values.job !== undefined))
        throw new CommandError('jobs retry requires either --job or --all.');
      if (values.since !== undefined && !values.all)
        throw new CommandError('--since requires --all.');
      const companyId = values.company === undefined ? undefined : id(values, 'company');
      return values.all
        ? retryJobs({ since: time(values, 'since'), companyId })
        : retryJob(id(values, 'job'), companyId);
    },
  },
};

/**
 * Runs one command, such as `company create --name N`, on the open database and returns the JSON
 * value to print. Throws CommandError or Problem with one sentence for the operator.
 */
export async function runAdminCommand(
  args: readonly string[],
  context: AdminContext,
): Promise<unknown> {
  const [noun = '', verb = '', ...rest] = args;
  if (noun === '') throw new CommandError('No command given; see npm run admin -- --help.');
  const command = COMMANDS[`${noun} ${verb}`];
  if (!command)
    throw new CommandError(`Unknown command "${noun} ${verb}"; see npm run admin -- --help.`);
  const values = readOptions(`${noun} ${verb}`, command, rest);
  return explainInterruption(command.effect ?? 'everything', async () =>
    command.run(values, context),
  );
}

function readOptions(name: string, command: Command, args: string[]): Values {
  const options: Record<string, Option> = {
    ...Object.fromEntries(command.options.map(option => [option, { type: 'string' } as const])),
    ...Object.fromEntries((command.flags ?? []).map(flag => [flag, { type: 'boolean' } as const])),
  };
  let values: Values;
  try {
    values = parseArgs({ args, options, strict: true }).values as Values;
  } catch (error) {
    const [reason] = (error as Error).message.split('. ');
    throw new CommandError(`${name}: ${reason}; see npm run admin -- --help.`);
  }
  const missing = command.required.filter(option => values[option] === undefined);
  if (missing.length > 0)
    throw new CommandError(`${name} requires ${missing.map(option => `--${option}`).join(', ')}.`);
  return values;
}

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

function keyRecord(key: Awaited<ReturnType<typeof listKeys>>[number]) {
  const { id: keyId, companyId, name, scopes, createdBy } = key;
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = key;
  const times = { createdAt, lastUsedAt, expiresAt, revokedAt };
  return { keyId, companyId, name, scopes, createdBy, ...times };
}
