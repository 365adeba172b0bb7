// The demo company's API key and its owner's password: made once, kept in the data directory, shown at every start for as
// long as they are valid. The database has their hashes only.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { hashKey, keyId } from '../api-keys/key.js';
import { issueKey } from '../api-keys/service.js';
import { query, queryOne } from '../platform/db/connection.js';
import { readOrCreate } from '../platform/process/secret.js';
import { hashPassword } from '../users/passwords.js';

const EMAIL = 'owner@harbour-street.example';
const PASSWORD_BYTES = 12;

export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
}

export async function ensureDemoKey(companyId: string, dataDir: string): Promise<string> {
  const path = join(dataDir, 'demo-key');
  const kept = await readFile(path, 'utf8').catch(() => '');
  const known = await queryOne(
    `SELECT 1 FROM api_key_secrets s JOIN api_keys k ON k.company_id = s.company_id AND k.id = s.api_key_id
     WHERE s.id = $1 AND s.hash = $2 AND s.company_id = $3 AND k.revoked_at IS NULL AND s.valid_until IS NULL`,
    [keyId(kept), hashKey(kept), companyId],
  );
  if (known) return kept;
  const { key } = await issueKey(companyId, { name: 'Demo' });
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, key, { mode: 0o600 });
  return key;
}

/**
 * How the owner signs in; null once the password is another one. Beside the password stands the hash that the database
 * got, which tells without hashing whether it is still the one; two starts at once use the same.
 */
export async function ensureDemoSignIn(
  companyId: string,
  dataDir: string,
): Promise<DemoSignIn | null> {
  const path = join(dataDir, 'demo-password');
  const before = await findHash(companyId);
  if (before === null) {
    await query(
      `INSERT INTO users (company_id, id, email, password_hash, role, operator) VALUES ($1, $2, $3, $4, 'owner', true)
       ON CONFLICT DO NOTHING`,
      [companyId, uuidv7(), EMAIL, (await readOrCreate(path, makePassword)).split('\n')[1]],
    );
  }
  const [password = '', hash = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  return hash !== '' && (await findHash(companyId)) === hash ? { email: EMAIL, password } : null;
}

async function makePassword(): Promise<string> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  return `${password}\n${await hashPassword(password)}`;
}

async function findHash(companyId: string): Promise<string | null> {
  const user = await queryOne<{ hash: string }>(
    'SELECT password_hash AS hash FROM users WHERE company_id = $1 AND email = $2 AND disabled_at IS NULL',
    [companyId, EMAIL],
  );
  return user?.hash ?? null;
}
