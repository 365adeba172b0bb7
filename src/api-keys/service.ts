// Issuing, rotating, changing and revoking API keys. All of it holds on every process within a second: see authenticate.
import { v7 as uuidv7 } from 'uuid';
import { inTransaction, query, queryOne, type Transaction } from '../platform/db/connection.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { violatedConstraint } from '../platform/postgres-errors.js';
import { cleanText, codePointLength, hasForbiddenCharacter } from '../platform/values/text.js';
import { makeKey } from './key.js';
import { ApiKey, SCOPES, type Scope } from './model.js';

export interface IssuedKey {
  readonly keyId: string;
  /** The only time it is seen. */
  readonly key: string;
}

export interface KeyOptions {
  /** Chosen by an asker who may ask twice: the key is made once. */
  readonly keyId?: string | undefined;
  readonly name?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly createdBy?: string | null | undefined;
}

export const MAX_NAME = 100;
export const MAX_OVERLAP_HOURS = 168;
export const DEFAULT_OVERLAP_HOURS = 24;

/** Makes a key of the company with all scopes unless fewer are named. Throws Problem `validation_failed`. */
export async function issueKey(companyId: string, options: KeyOptions = {}): Promise<IssuedKey> {
  const name = cleanText(options.name ?? 'API key');
  if (name === '' || codePointLength(name) > MAX_NAME || hasForbiddenCharacter(name)) {
    throw invalidField(
      'name',
      `A key's name has 1 to ${MAX_NAME} characters and no control characters.`,
    );
  }
  const scopes = checkScopes(options.scopes ?? SCOPES);
  const keyId = options.keyId ?? uuidv7();
  const { createdBy = null, expiresAt = null } = options;
  return inTransaction(async tx => {
    await ApiKey.create(
      { companyId, id: keyId, name, scopes, createdBy, expiresAt },
      { transaction: tx },
    );
    return { keyId, key: await addSecret(companyId, keyId, tx) };
  }).catch(error => {
    if (violatedConstraint(error) !== 'api_keys_pkey') throw error;
    throw new Problem('validation_failed', 'This key is made already, and was shown once.');
  });
}

/**
 * Gives the key a new secret; the old ones stay valid for the overlap at most. Where `from` is given (the public id of
 * the current secret) only while it is current: asked for twice, it happens once. Throws Problem `not_found` or
 * `validation_failed`.
 */
export async function rotateKey(
  companyId: string,
  keyId: string,
  overlapHours = DEFAULT_OVERLAP_HOURS,
  from?: string,
): Promise<IssuedKey> {
  if (!(overlapHours >= 0 && overlapHours <= MAX_OVERLAP_HOURS)) {
    throw invalidField('overlapHours', `The overlap is 0 to ${MAX_OVERLAP_HOURS} hours.`);
  }
  return inTransaction(async tx => {
    const record = await ApiKey.findOne({
      where: { companyId, id: keyId },
      transaction: tx,
      lock: true,
    });
    if (!record) throw missing(keyId);
    if (record.revokedAt)
      throw new Problem('validation_failed', 'The key is revoked; make a new one.');
    const current = await query<{ id: string }>(
      'SELECT id FROM api_key_secrets WHERE company_id = $1 AND api_key_id = $2 AND valid_until IS NULL',
      [companyId, keyId],
      tx,
    );
    if (from !== undefined && current[0]?.id !== from) {
      throw new Problem(
        'validation_failed',
        'The key was rotated meanwhile, and the new one was shown once.',
      );
    }
    await query(
      `UPDATE api_key_secrets SET valid_until = LEAST(valid_until, now() + $3 * interval '1 hour')
       WHERE company_id = $1 AND api_key_id = $2`,
      [companyId, keyId, overlapHours],
      tx,
    );
    return { keyId, key: await addSecret(companyId, keyId, tx) };
  });
}

/** Ends the key. Revoking a revoked one changes nothing. */
export async function revokeKey(companyId: string, keyId: string): Promise<ApiKey> {
  const record = await getKey(companyId, keyId);
  return record.revokedAt ? record : record.update({ revokedAt: new Date() });
}

export async function updateKeyScopes(
  companyId: string,
  keyId: string,
  scopes: readonly string[],
): Promise<ApiKey> {
  const record = await getKey(companyId, keyId);
  return record.update({ scopes: checkScopes(scopes) });
}

/** The company's keys, newest first; never a secret. */
export async function listKeys(companyId: string): Promise<ApiKey[]> {
  return ApiKey.findAll({ where: { companyId }, order: [['id', 'DESC']] });
}

/** The first instant after a calendar day (YYYY-MM-DD) of the zone: when a key that is valid through that day ends. */
export async function endOfDay(day: string, timeZone: string): Promise<Date> {
  const row = await queryOne<{ at: Date }>(
    'SELECT ($1::date + 1)::timestamp AT TIME ZONE $2 AS at',
    [day, timeZone],
  );
  return row?.at as Date;
}

/** Which company a key belongs to, for operators who name a key alone. Throws Problem `not_found`. */
export async function findKeyOwner(keyId: string): Promise<string> {
  const record = await ApiKey.findOne({ where: { id: keyId } });
  if (!record) throw missing(keyId);
  return record.companyId;
}

async function getKey(companyId: string, keyId: string): Promise<ApiKey> {
  const record = await ApiKey.findOne({ where: { companyId, id: keyId } });
  if (!record) throw missing(keyId);
  return record;
}

async function addSecret(companyId: string, keyId: string, tx: Transaction): Promise<string> {
  const { key, id, hash } = makeKey();
  await query(
    'INSERT INTO api_key_secrets (company_id, id, api_key_id, hash) VALUES ($1, $2, $3, $4)',
    [companyId, id, keyId, hash],
    tx,
  );
  return key;
}

function checkScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.filter(scope => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0 || scopes.length === 0) {
    throw invalidField('scopes', `Scopes are one or more of ${SCOPES.join(', ')}.`);
  }
  return SCOPES.filter(scope => scopes.includes(scope));
}

function missing(keyId: string): Problem {
  return new Problem('not_found', `There is no key ${keyId}.`);
}
