// The operator commands for webhooks.
import { setTimeout as delay } from 'node:timers/promises';
import { getCompany } from '../companies/service.js';
import { type FeedEvent, readEvents } from '../events/read.js';
import { EVENT_TYPES, type EventTypeName, isEventType, matchTypes } from '../events/types.js';
import { query } from '../platform/db/connection.js';
import { positionAfter } from '../webhooks/endpoints/position.js';
import { listEndpoints } from '../webhooks/endpoints/queries.js';
import { readSecrets } from '../webhooks/endpoints/secret-rows.js';
import { updateEndpoint } from '../webhooks/endpoints/service.js';
import { redeliverMany, redeliverOne } from '../webhooks/log/redeliver.js';
import { testEndpoint } from '../webhooks/log/test.js';
import { makeSecret, secretText } from '../webhooks/secrets/signing.js';
import { webhookHeaders } from '../webhooks/sending/request.js';
import { Sender } from '../webhooks/sending/sender.js';
import { requireKeys } from '../webhooks/settings.js';
import { AddressRanges } from '../webhooks/target/addresses.js';
import type { AdminCommands, AdminContext } from './admin-command.js';
import { CommandError } from './interruption.js';
import { id, text, time, type Values, wholeNumber } from './option-values.js';

const ENDPOINT = ['company', 'endpoint'];
/** The pause before the next look at a feed without new events. */
const LOOK_AGAIN_MS = 500;
const EVENTS_PER_READ = 50;
/** An operator may forward to any address. */
const ANYWHERE = new AddressRanges(['0.0.0.0/0', '::/0']);

export const webhookCommands: AdminCommands = {
  'webhooks list': {
    options: ['company'],
    required: ['company'],
    effect: 'nothing',
    run: async values => {
      const company = await getCompany(id(values, 'company'));
      return JSON.parse(await listEndpoints(company.id));
    },
  },
  'webhooks pause': {
    options: ENDPOINT,
    required: ENDPOINT,
    run: values => setStatus(values, 'paused'),
  },
  'webhooks resume': {
    options: ENDPOINT,
    required: ENDPOINT,
    run: values => setStatus(values, 'active'),
  },
  'webhooks test': {
    options: [...ENDPOINT, 'type'],
    required: ENDPOINT,
    run: values => testEndpoint(id(values, 'company'), id(values, 'endpoint'), typeOf(values)),
  },
  'webhooks redeliver': {
    options: [...ENDPOINT, 'sequence', 'from', 'to', 'only'],
    required: ENDPOINT,
    run: redeliver,
  },
  'webhooks listen': {
    options: ['company', 'forward', 'types', 'after', 'endpoint'],
    required: ['company'],
    effect: 'nothing',
    run: listen,
  },
};

async function setStatus(values: Values, status: 'active' | 'paused'): Promise<unknown> {
  const body = await updateEndpoint(id(values, 'company'), id(values, 'endpoint'), { status });
  return JSON.parse(body);
}

const TYPE_NAMES = Object.keys(EVENT_TYPES).join(', ');

function typeOf(values: Values): EventTypeName | undefined {
  const type = text(values, 'type');
  if (type === undefined || isEventType(type)) return type;
  throw new CommandError(`--type must be one of ${TYPE_NAMES}.`);
}

async function redeliver(values: Values): Promise<{ count: number }> {
  const [companyId, endpointId] = [id(values, 'company'), id(values, 'endpoint')];
  const sequence = wholeNumber(values, 'sequence');
  const from = time(values, 'from');
  const to = time(values, 'to');
  const only = text(values, 'only') ?? 'failed';
  if ((sequence === undefined) === (from === undefined))
    throw new CommandError('webhooks redeliver requires either --sequence or --from.');
  if (only !== 'failed' && only !== 'all') throw new CommandError('--only must be failed or all.');
  if (from === undefined) {
    if (to !== undefined || values.only !== undefined)
      throw new CommandError('--to and --only belong to --from.');
    await redeliverOne(companyId, endpointId, sequence ?? 0);
    return { count: 1 };
  }
  if (to !== undefined && to < from) throw new CommandError('--to must not be before --from.');
  const times = { from: from.getTime(), to: to?.getTime() ?? null };
  const choice = { ...times, onlyFailed: only === 'failed' };
  return { count: await redeliverMany(companyId, endpointId, choice) };
}

/** Prints a line per event until the command is interrupted. */
async function listen(values: Values, { print, signal }: AdminContext): Promise<void> {
  const company = await getCompany(id(values, 'company'));
  const types = typesOf(values);
  const forward = await forwarder(company.id, values, print);
  let after = await positionAfter(company.id, wholeNumber(values, 'after'));
  while (!signal.aborted) {
    const page = await readEvents(company.id, { after, limit: EVENTS_PER_READ, types });
    for (const event of page.events) {
      if (signal.aborted) break;
      print(forward ? await forward(event) : JSON.parse(event.body));
    }
    after = page.after;
    if (!page.hasMore) await delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

function typesOf(values: Values): ReadonlySet<string> | null {
  const given = text(values, 'types');
  if (given === undefined) return null;
  const named = given.split(',').map(each => each.trim());
  const types = matchTypes(named);
  if (types) return types;
  const unknown = named.find(name => !matchTypes([name]));
  throw new CommandError(
    `--types has "${unknown}"; it takes a group such as invoice.*, and ${TYPE_NAMES}.`,
  );
}

type Forward = (event: FeedEvent) => Promise<unknown>;

/** Delivers an event to the URL and returns its line; null without a URL. */
async function forwarder(
  companyId: string,
  values: Values,
  print: AdminContext['print'],
): Promise<Forward | null> {
  const url = text(values, 'forward');
  if (url === undefined) return null;
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol))
    throw new CommandError('--forward must be a URL such as http://localhost:3001/webhooks.');
  const secrets = await secretsOf(companyId, values, print);
  const sender = new Sender({ ranges: ANYWHERE, nameServers: undefined });
  return async event => {
    const headers = webhookHeaders(event, secrets, await databaseTime());
    const { status, error, durationMs } = await sender.send({ url, headers, body: event.body });
    const { sequence, type, id: eventId } = event;
    return { sequence, type, eventId, status, error, durationMs };
  };
}

/** The secrets of the endpoint, or a new one, which is printed. */
async function secretsOf(companyId: string, values: Values, print: AdminContext['print']) {
  if (values.endpoint === undefined) {
    const secret = makeSecret();
    print({ secret: secretText(secret) });
    return [secret];
  }
  const secrets = await readSecrets(companyId, id(values, 'endpoint'), requireKeys());
  if (secrets.length === 0) throw new CommandError('The company has no such endpoint.');
  return secrets;
}

async function databaseTime(): Promise<number> {
  const [row] = await query<{ now: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
    [],
  );
  return row?.now ?? Date.now();
}
