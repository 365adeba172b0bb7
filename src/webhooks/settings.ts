// The settings of webhooks in this process, which are the same in web and worker.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../../config/index.js';
import { unavailable } from '../platform/errors.js';
import { StartError } from '../platform/process/lifecycle.js';
import { readOrCreate } from '../platform/process/secret.js';
import type { EncryptionKeys } from './secrets/encryption.js';
import { AddressRanges } from './target/addresses.js';
import type { TargetRules } from './target/permitted.js';

const KEY_BYTES = 32;

export interface WebhookSettings {
  /** Null: none is configured, so no secret can be stored or read. */
  readonly keys: EncryptionKeys | null;
  readonly rules: TargetRules;
}

let settings: WebhookSettings | undefined;

/** Sets them when the process starts. Throws StartError if a generated key cannot be stored. */
export async function configureWebhooks({
  webhooks,
  dataDir,
}: Pick<Config, 'webhooks' | 'dataDir'>): Promise<void> {
  const { encryptionKeys, generatesKey, allow, nameServers } = webhooks;
  const generated =
    encryptionKeys === undefined && generatesKey ? await generatedKeys(dataDir) : null;
  settings = {
    keys: encryptionKeys ?? generated,
    rules: { ranges: new AddressRanges(allow), nameServers },
  };
}

export function webhookSettings(): WebhookSettings {
  if (!settings) throw new Error('webhooks are not configured: call configureWebhooks first');
  return settings;
}

/** Throws Problem `service_unavailable` without a key. */
export function requireKeys(): EncryptionKeys {
  const { keys } = webhookSettings();
  if (!keys) throw unavailable(NO_KEY);
  return keys;
}

const NO_KEY =
  'This installation cannot store the secrets of webhooks. Its operator sets ENCRYPTION_KEY.';

async function generatedKeys(dataDir: string): Promise<EncryptionKeys> {
  try {
    const text = await readOrCreate(join(dataDir, 'encryption-key'), async () =>
      randomBytes(KEY_BYTES).toString('base64'),
    );
    return [Buffer.from(text, 'base64')];
  } catch (error) {
    throw new StartError(
      `The encryption key cannot be stored in DATA_DIR (${(error as Error).message}). ` +
        'Set ENCRYPTION_KEY, or another DATA_DIR.',
    );
  }
}
