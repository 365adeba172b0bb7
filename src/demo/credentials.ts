// The demo company's API key and its owner's password: created once per database, stored in
// DATA_DIR and shown at every start while they are valid. The database has only their hashes.
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { hashKey, keyId } from '../api-keys/key.js';
import { SCOPES } from '../api-keys/model.js';
import { issueKey } from '../api-keys/service.js';
import type { Actor } from '../companies/actor.js';
import { query, queryOne } from '../platform/db/connection.js';
import { readOrCreate } from '../platform/process/secret.js';
import { hashPassword } from '../users/passwords.js';

const EMAIL = 'owner@harbour-street.example';
const NAME = 'Nora Bennett';
/** 80 random bits in hexadecimal: letters and digits only, so that a double click selects all. */
const PASSWORD_BYTES = 10;

export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
}

/**
 * The stored key that is valid in this database, else a new one. The file has a key per line, one
 * for each database that was used with this DATA_DIR.
 */
export async function ensureDemoKey(companyId: string, dataDir: string): Promise<string> {
  const path = join(dataDir, 'demo-key');
  const text = await readFile(path, 'utf8').catch(() => '');
  const stored = text.split('\n').filter(line => line !== '');
  const valid = await queryOne<{ position: string }>(
    `SELECT stored.position
     FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS stored (id, hash, position)
     JOIN api_key_secrets AS secret ON secret.id = stored.id AND secret.hash = stored.hash
     JOIN api_keys AS api_key
       ON api_key.company_id = secret.company_id AND api_key.id = secret.api_key_id
     WHERE secret.company_id = $3 AND api_key.revoked_at IS NULL AND secret.valid_until IS NULL
     ORDER BY stored.position
     LIMIT 1`,
    [stored.map(keyId), stored.map(hashKey), companyId],
  );
  const known = valid && stored[Number(valid.position) - 1];
  if (known) return known;
  const { key } = await issueKey(companyId, { name: 'Demo', scopes: SCOPES });
  await mkdir(dataDir, { recursive: true });
  await appendFile(path, `${key}\n`, { mode: 0o600 });
  return key;
}

/**
 * The owner's sign-in, created if missing; null once the password was changed. The file also has
 * the password's hash, so that a change is found without hashing. Concurrent starts share the file.
 */
export async function ensureDemoSignIn(
  companyId: string,
  dataDir: string,
): Promise<DemoSignIn | null> {
  const path = join(dataDir, 'demo-password');
  if ((await findHash(companyId)) === null) {
    const [, hash] = (await readOrCreate(path, generatePassword)).split('\n');
    await query(
      `INSERT INTO users (company_id, id, email, name, password_hash, role, operator)
       VALUES ($1, $2, $3, $4, $5, 'owner', true)
       ON CONFLICT DO NOTHING`,
      [companyId, uuidv7(), EMAIL, NAME, hash],
    );
  }
  const [password = '', hash = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  return hash !== '' && (await findHash(companyId)) === hash ? { email: EMAIL, password } : null;
}

/** The owner as the actor behind the demo's records; null if the address was changed. */
export async function findDemoOwner(companyId: string): Promise<Actor | null> {
  const user = await queryOne<{ id: string }>(
    'SELECT id FROM users WHERE company_id = $1 AND email = $2',
    [companyId, EMAIL],
  );
  return user && { kind: 'user', id: user.id, name: EMAIL };
}

async function generatePassword(): Promise<string> {
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  return `${password}\n${await hashPassword(password)}`;
}

async function findHash(companyId: string): Promise<string | null> {
  const user = await queryOne<{ hash: string }>(
    `SELECT password_hash AS hash
     FROM users
     WHERE company_id = $1 AND email = $2 AND disabled_at IS NULL`,
    [companyId, EMAIL],
  );
  return user?.hash ?? null;
}
