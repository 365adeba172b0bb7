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
import { getCompany } from '../companies/service.js';
import { listJobs, retryJob, retryJobs } from '../jobs/admin.js';
import { listTextConflicts } from '../verify/stored/text-conflicts.js';
import type { AdminCommand, AdminCommands, AdminContext } from './admin-command.js';
import { companyCommands } from './company-commands.js';
import { CommandError, explainInterruption } from './interruption.js';
import { nearestCommand } from './nearest-command.js';
import { id, number, scopes, text, time, type Values } from './option-values.js';
import { userCommands } from './user-commands.js';
import { webhookCommands } from './webhook-commands.js';

type Option = { type: 'string' | 'boolean' };

const COMMANDS: AdminCommands = {
  ...companyCommands,
  ...userCommands,
  ...webhookCommands,
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
 * value to print, if there is one. Throws CommandError or Problem with one sentence for the
 * operator.
 */
export async function runAdminCommand(
  args: readonly string[],
  context: AdminContext,
): Promise<unknown> {
  const { command, values } = readAdminCommand(args);
  return explainInterruption(command.effect ?? 'everything', async () =>
    command.run(values, context),
  );
}

/** The command in `args`, and its options. Throws CommandError if one is unknown or missing. */
export function readAdminCommand(args: readonly string[]): {
  readonly command: AdminCommand;
  readonly values: Values;
} {
  const [noun = '', verb = '', ...rest] = args;
  if (noun === '') throw new CommandError('No command given; see npm run admin -- --help.');
  const name = `${noun} ${verb}`.trim();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw unknownCommand(name);
  return { command, values: readOptions(name, command, rest) };
}

function unknownCommand(name: string): CommandError {
  const nearest = nearestCommand(name, Object.keys(COMMANDS));
  const hint = nearest === undefined ? '' : `the nearest is "${nearest}"; `;
  return new CommandError(`Unknown command "${name}"; ${hint}see npm run admin -- --help.`);
}

function readOptions(name: string, command: AdminCommand, args: string[]): Values {
  const options: Record<string, Option> = {
    ...Object.fromEntries(command.options.map(option => [option, { type: 'string' } as const])),
    ...Object.fromEntries((command.flags ?? []).map(flag => [flag, { type: 'boolean' } as const])),
  };
  let values: Values;
  try {
    values = parseArgs({ args, options, strict: true }).values as Values;
  } catch (error) {
    throw new CommandError(`${name}: ${reasonOf(error as Error)}; see npm run admin -- --help.`);
  }
  const missing = command.required.filter(option => values[option] === undefined);
  if (missing.length > 0)
    throw new CommandError(`${name} requires ${missing.map(option => `--${option}`).join(', ')}.`);
  return values;
}

/** One sentence without its period for an error of parseArgs, some of which have several. */
function reasonOf({ message }: Error): string {
  const [, option] = /^Option '([^']+)' argument is ambiguous/u.exec(message) ?? [];
  if (option !== undefined)
    return `${option} requires a value (if it begins with a dash: ${option}=VALUE)`;
  const [reason = message] = message.split('. ');
  return reason;
}

function keyRecord(key: Awaited<ReturnType<typeof listKeys>>[number]) {
  const { id: keyId, companyId, name, scopes, createdBy } = key;
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = key;
  const times = { createdAt, lastUsedAt, expiresAt, revokedAt };
  return { keyId, companyId, name, scopes, createdBy, ...times };
}
