// The variables of webhooks.
import ipaddr from 'ipaddr.js';
import Joi from 'joi';

/** WEBHOOK_ALLOW of an installation that only this machine reaches. */
export const LOOPBACK_RANGES = '127.0.0.0/8,::1/128';

const KEY_BYTES = 32;
const MAX_KEYS = 4;
const MAX_ENTRIES = 64;
const MAX_CONCURRENCY = 1_000;
/** An IPv4 address, or an IPv6 address in brackets, and a port. */
const NAME_SERVER = /^(?:([\d.]+)|\[([\da-f:.]+)\]):(\d{1,5})$/iu;

const partsOf = (value: string) => value.split(',').map(part => part.trim());

/** The parsed parts of a list; null if it is too long or one of them is bad. */
function listOf<Part>(
  value: string,
  max: number,
  parse: (part: string) => Part | null,
): readonly Part[] | null {
  const parts = partsOf(value).map(parse);
  const valid = parts.filter(part => part !== null);
  return valid.length === parts.length && parts.length <= max ? valid : null;
}

function encryptionKey(part: string): Buffer | null {
  const bytes = Buffer.from(part, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === part ? bytes : null;
}

function addressRange(part: string): string | null {
  try {
    ipaddr.parseCIDR(part);
    return part;
  } catch {
    return null;
  }
}

function nameServer(part: string): string | null {
  const [, v4, v6, port] = NAME_SERVER.exec(part) ?? [];
  const isAddress = v4 === undefined ? ipaddr.IPv6.isValid(v6 ?? '') : isFourPart(v4);
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535 ? part : null;
}

const isFourPart = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text);

/** The sentence does not repeat the value, which may be a secret. */
const listVariable = <Part>(max: number, parse: (part: string) => Part | null, rule: string) =>
  Joi.string()
    .custom((value: string, helpers) => listOf(value, max, parse) ?? helpers.error('any.invalid'))
    .messages({ 'any.invalid': `{#label} must be 1 to ${max} ${rule}, separated by commas` });

export const WEBHOOK_VARIABLES = {
  ENCRYPTION_KEY: listVariable(MAX_KEYS, encryptionKey, `keys of ${KEY_BYTES} bytes in base64`),
  WEBHOOK_ALLOW: listVariable(
    MAX_ENTRIES,
    addressRange,
    'ranges in CIDR notation, such as fd00::/8',
  ),
  WEBHOOK_DNS: listVariable(MAX_ENTRIES, nameServer, 'name servers in the form address:port'),
  WEBHOOK_CONCURRENCY: Joi.number()
    .integer()
    .min(0)
    .max(MAX_CONCURRENCY)
    .messages({ '*': `{#label} must be a whole number from 0 to ${MAX_CONCURRENCY}` })
    .default(64),
};

export interface WebhookConfig {
  /** The keys that encrypt the secrets of endpoints, newest first. Undefined if not configured. */
  readonly encryptionKeys: readonly Buffer[] | undefined;
  /** True if a missing key is generated and stored in DATA_DIR. */
  readonly generatesKey: boolean;
  /** The ranges of addresses (CIDR) that are not public, and that deliveries may reach anyway. */
  readonly allow: readonly string[];
  /** The name servers, as host:port. Undefined: the system's. */
  readonly nameServers: readonly string[] | undefined;
  /** Deliveries that a worker has in progress at a time; 0: it delivers none. */
  readonly concurrency: number;
}

interface WebhookValues {
  readonly ENCRYPTION_KEY: readonly Buffer[] | undefined;
  readonly WEBHOOK_ALLOW: readonly string[] | undefined;
  readonly WEBHOOK_DNS: readonly string[] | undefined;
  readonly WEBHOOK_CONCURRENCY: number;
}

/** Only an installation for development generates a key: in production, hosts must share it. */
export function webhookConfig(values: WebhookValues, isDevelopment: boolean): WebhookConfig {
  return {
    encryptionKeys: values.ENCRYPTION_KEY,
    generatesKey: isDevelopment,
    allow: values.WEBHOOK_ALLOW ?? [],
    nameServers: values.WEBHOOK_DNS,
    concurrency: values.WEBHOOK_CONCURRENCY,
  };
}
