// Issuing, rotating, changing and revoking API keys. Every process follows a change within a
// second: see authenticate.ts.
import { v7 as uuidv7 } from 'uuid';
import { lockCompanies } from '../companies/lock.js';
import { companyModel } from '../companies/model.js';
import { inCompanyTransaction } from '../companies/write-turns.js';
import { appendEvents } from '../feed/append.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { afterNow, joining, loadSequelize, NO_KEY_UPDATE, nowPlus } from '../platform/db/models.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { violatedConstraint } from '../platform/postgres-errors.js';
import { cleanText, codePointLength, hasForbiddenCharacter } from '../platform/values/text.js';
import { makeKey } from './key.js';
import {
  type ApiKey,
  apiKeyModel,
  DEFAULT_SCOPES,
  SCOPES,
  type Scope,
  secretModel,
} from './model.js';

export interface IssuedKey {
  readonly keyId: string;
  /** Shown only here. */
  readonly key: string;
}

export interface KeyOptions {
  /** A UUID of the caller's request, which may be repeated: the key is created once. */
  readonly once?: string | undefined;
  readonly name?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly createdBy?: string | null | undefined;
}

/** Active keys of one company, far more than it has integrations. */
const MAX_KEYS = 100;
/** Valid secrets of one key, while overlaps of rotations last. */
const MAX_VALID_SECRETS = 10;
/** A rotated secret is answered as expired for this time after its end, then as unknown. */
const EXPIRED_SECRET_DAYS = 90;
export const MAX_KEY_NAME = 100;
export const MAX_OVERLAP_HOURS = 168;
export const DEFAULT_OVERLAP_HOURS = 24;

/** Creates a key, with DEFAULT_SCOPES unless some are named. Throws Problem `validation_failed`. */
export async function issueKey(companyId: string, options: KeyOptions = {}): Promise<IssuedKey> {
  const name = cleanText(options.name ?? 'API key');
  if (name === '' || codePointLength(name) > MAX_KEY_NAME || hasForbiddenCharacter(name)) {
    throw invalidField(
      'name',
      `A key name must have 1 to ${MAX_KEY_NAME} characters and no control characters.`,
    );
  }
  const scopes = checkScopes(options.scopes ?? DEFAULT_SCOPES);
  const keyId = uuidv7();
  const { once = null, createdBy = null, expiresAt = null } = options;
  try {
    return await inCompanyTransaction(companyId, async tx => {
      await refuseManyKeys(companyId, tx);
      const record = { companyId, id: keyId, once, name, scopes, createdBy, expiresAt };
      const created = await apiKeyModel().create(record, joining(tx));
      await appendKeyEvent('key.created', created, createdBy, tx);
      return { keyId, key: await addSecret({ companyId, keyId, createdBy }, tx) };
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'api_keys_once') throw error;
    throw new Problem(
      'validation_failed',
      "This key was already created and can't be shown again.",
    );
  }
}

export interface RotateOptions {
  readonly overlapHours?: number | undefined;
  /** The public id of the current secret: a repeated request then rotates once. */
  readonly from?: string;
  /** The user; none for an operator's command. */
  readonly by?: string;
}

/**
 * Gives the key a new secret. Its other secrets stay valid for at most the overlap. Throws Problem
 * `not_found`, or `validation_failed`, which includes a secret `from` that is not current.
 */
export async function rotateKey(
  companyId: string,
  keyId: string,
  { overlapHours = DEFAULT_OVERLAP_HOURS, from, by }: RotateOptions = {},
): Promise<IssuedKey> {
  if (!(overlapHours >= 0 && overlapHours <= MAX_OVERLAP_HOURS)) {
    throw invalidField('overlapHours', `The overlap must be 0 to ${MAX_OVERLAP_HOURS} hours.`);
  }
  const { fn, col } = loadSequelize();
  const overlapEnd = nowPlus(`${Math.round(overlapHours * 3600)} s`);
  const validUntil = fn('least', col('valid_until'), overlapEnd);
  return inCompanyTransaction(companyId, async tx => {
    const record = await getKey(companyId, keyId, tx);
    if (record.revokedAt)
      throw new Problem('validation_failed', 'The key is revoked. Create a new one.');
    const secrets = { companyId, apiKeyId: keyId };
    const where = { ...secrets, validUntil: null };
    const current = await secretModel().findOne({ where, ...joining(tx) });
    if (from !== undefined && current?.id !== from) {
      throw new Problem(
        'validation_failed',
        "The key was rotated in the meantime, and its new secret can't be shown again.",
      );
    }
    if (overlapHours > 0) await refuseManySecrets(companyId, keyId, tx);
    await secretModel().update({ validUntil }, { where: secrets, ...joining(tx) });
    await appendKeyEvent('key.rotated', record, by, tx);
    const createdBy = by ?? null;
    return { keyId, key: await addSecret({ companyId, keyId, createdBy }, tx) };
  });
}

/**
 * Ends the key, for a user or an operator's command. Revoking it again changes nothing. Throws
 * Problem `not_found`.
 */
export async function revokeKey(companyId: string, keyId: string, by?: string): Promise<ApiKey> {
  return inCompanyTransaction(companyId, async tx => {
    const record = await getKey(companyId, keyId, tx);
    // The first of several concurrent callers is recorded.
    if (record.revokedAt) return record;
    await record.update({ revokedAt: new Date(), revokedBy: by ?? null }, joining(tx));
    await appendKeyEvent('key.revoked', record, by, tx);
    return record;
  });
}

/**
 * Replaces the key's scopes. With `from`, only if they are the key's scopes: otherwise two owners
 * could undo each other's change unseen. Saving the current scopes again changes nothing. Throws
 * Problem `not_found` or `validation_failed`.
 */
export async function updateKeyScopes(
  companyId: string,
  keyId: string,
  scopes: readonly string[],
  { from, by = null }: { from?: string; by?: string | null } = {},
): Promise<ApiKey> {
  const checked = checkScopes(scopes);
  return inCompanyTransaction(companyId, async tx => {
    const record = await getKey(companyId, keyId, tx);
    const current = record.scopes.join();
    if (from !== undefined && from !== current && checked.join() !== current)
      throw new Problem(
        'validation_failed',
        'The permissions were changed in the meantime. Check them and save again.',
      );
    if (checked.join() === current) return record;
    await record.update(
      { scopes: checked, scopesChangedAt: new Date(), scopesChangedBy: by },
      joining(tx),
    );
    await appendKeyEvent('key.updated', record, by, tx);
    return record;
  });
}

/** The event of a change that a user made, or an operator's command. */
async function appendKeyEvent(
  type: `key.${'created' | 'rotated' | 'updated' | 'revoked'}`,
  { companyId, id, name, scopes, expiresAt = null, revokedAt = null }: ApiKey,
  by: string | null | undefined,
  tx: Transaction,
): Promise<void> {
  const actor = by == null ? null : ({ kind: 'user', id: by } as const);
  const data = { id, name, scopes, expiresAt, revokedAt };
  await appendEvents(companyId, [{ type, subjectId: id, actor, data }], tx);
}

/** The company's keys without their secrets, newest first. */
export async function listKeys(companyId: string): Promise<ApiKey[]> {
  return apiKeyModel().findAll({ where: { companyId }, order: [['id', 'DESC']] });
}

/** The end of a day (YYYY-MM-DD) in the zone: when a key valid through that day expires. */
export async function endOfDay(day: string, timeZone: string): Promise<Date> {
  const row = await queryOne<{ end: Date }>(
    'SELECT ($1::date + 1)::timestamp AT TIME ZONE $2 AS "end"',
    [day, timeZone],
  );
  return row?.end as Date;
}

/** The company of a key, for operators, who name only the key. Throws Problem `not_found`. */
export async function findKeyOwner(keyId: string): Promise<string> {
  const record = await apiKeyModel().findOne({ where: { id: keyId } });
  if (!record) throw missing(keyId);
  return record.companyId;
}

/** Locks the company, like every write, and the key's row. Throws Problem `not_found`. */
async function getKey(companyId: string, keyId: string, tx: Transaction): Promise<ApiKey> {
  await lockCompanies([companyId], {}, tx);
  const where = { companyId, id: keyId };
  const record = await apiKeyModel().findOne({ where, lock: true, ...joining(tx) });
  if (!record) throw missing(keyId);
  return record;
}

/** Locks the company, so that concurrent creations are counted one after the other. */
async function refuseManyKeys(companyId: string, tx: Transaction): Promise<void> {
  const lockOnly = { attributes: ['id'], lock: NO_KEY_UPDATE, ...joining(tx) };
  await companyModel().findByPk(companyId, lockOnly);
  const where = { companyId, revokedAt: null, expiresAt: nullOrAfterNow() };
  if ((await apiKeyModel().count({ where, ...joining(tx) })) < MAX_KEYS) return;
  throw new Problem(
    'validation_failed',
    `A company can have at most ${MAX_KEYS} active keys. Revoke one first.`,
  );
}

/** A rotation without an overlap ends all other secrets, so it is never refused. */
async function refuseManySecrets(companyId: string, keyId: string, tx: Transaction): Promise<void> {
  const where = { companyId, apiKeyId: keyId, validUntil: nullOrAfterNow() };
  if ((await secretModel().count({ where, ...joining(tx) })) < MAX_VALID_SECRETS) return;
  throw new Problem(
    'validation_failed',
    'Too many former secrets of this key are still valid. Rotate it without an overlap.',
  );
}

/** The condition that a column's time has not come, or that it has none. */
function nullOrAfterNow() {
  return { [loadSequelize().Op.or]: [null, afterNow()] };
}

/** Deletes the secrets of all companies that expired long ago. */
export async function deleteExpiredSecrets(): Promise<void> {
  await query(`DELETE FROM api_key_secrets WHERE valid_until < now() - $1 * interval '1 day'`, [
    EXPIRED_SECRET_DAYS,
  ]);
}

async function addSecret(
  { companyId, keyId, createdBy }: SecretOwner,
  tx: Transaction,
): Promise<string> {
  const { key, id, hash } = makeKey();
  const secret = { companyId, id, apiKeyId: keyId, hash, createdBy };
  await secretModel().create(secret, joining(tx));
  return key;
}

interface SecretOwner {
  readonly companyId: string;
  readonly keyId: string;
  readonly createdBy: string | null;
}

function checkScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.filter(scope => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0 || scopes.length === 0) {
    throw invalidField('scopes', `Scopes must be one or more of ${SCOPES.join(', ')}.`);
  }
  return SCOPES.filter(scope => scopes.includes(scope));
}

function missing(keyId: string): Problem {
  return new Problem('not_found', `There is no key ${keyId}.`);
}
