// Changing a company's profile. Documents follow it at once.
import { queryOne, type Transaction } from '../../platform/db/connection.js';
import { notFound } from '../../platform/errors.js';
import { fieldError, invalidField } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import type { Actor } from '../actor.js';
import { lockCompanies } from '../lock.js';
import { wholeAddress } from '../parties/party.js';
import { withStoredParts } from '../parties/party-fields.js';
import { inCompanyTransaction } from '../write-turns.js';
import { type Logo, MAX_LOGO_BYTES, readLogo } from './logo/logo.js';
import { EMPTY_PROFILE, type LogoRef, type Profile, renderProfile } from './profile.js';
import { checkUntaxed, MERGED_MEMBERS, type ProfilePatch, profilePatch } from './schema.js';
import { appendProfile, type CurrentProfile, findProfile } from './versions.js';

/** Throws Problem `not_found`. */
export async function getProfile(companyId: string): Promise<CurrentProfile> {
  const found = await findProfile(companyId);
  if (!found) throw notFound('company');
  return found;
}

/**
 * Applies a JSON Merge Patch, with a logo in base64, for a person or (null) by an operator's
 * command. A patch that changes nothing appends no version. `check` gets the profile before and
 * after, and may throw. Throws Problem `validation_failed` or `not_found`.
 */
export async function changeProfile(
  companyId: string,
  body: unknown,
  changedBy: Actor | null,
  check: (before: Profile, after: Profile) => void = () => undefined,
): Promise<Profile> {
  // Pictures are unpacked before the company is locked.
  const logo = await sentLogo(body);
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    const found = await findProfile(companyId, tx);
    if (!found) throw notFound('company');
    const before = found.profile;
    const whole = withStoredParts(MERGED_MEMBERS, { ...before }, body);
    const errors = typeof logo === 'string' ? [fieldError(['logo'], 'invalid_value', logo)] : [];
    const patch = validateBody<ProfilePatch>(profilePatch, whole, sent => [
      ...checkUntaxed(sent),
      ...errors,
    ]);
    const after = patched(before, patch, logo as Logo | null | undefined);
    check(before, after);
    if (renderProfile(after) === renderProfile(before)) return before;
    if (logo) await storeLogo(companyId, logo as Logo, tx);
    await appendProfile(companyId, after, changedBy, tx);
    return after;
  });
}

/** Null removes the logo, undefined leaves it, and a sentence refuses it. */
async function sentLogo(body: unknown): Promise<Logo | string | null | undefined> {
  const { logo } = (body ?? {}) as ProfilePatch;
  if (typeof logo !== 'string') return logo === null ? null : undefined;
  // Four characters stand for three bytes.
  if (logo.length > 2 * MAX_LOGO_BYTES) return readLogo(Buffer.alloc(MAX_LOGO_BYTES + 1));
  return readLogo(Buffer.from(logo, 'base64'));
}

function patched(before: Profile, patch: ProfilePatch, logo: Logo | null | undefined): Profile {
  const { logo: _sent, ...members } = patch;
  const values = Object.entries(members).map(([member, value]) => [
    member,
    value ?? EMPTY_PROFILE[member as keyof typeof EMPTY_PROFILE],
  ]);
  const merged: Profile = { ...before, ...Object.fromEntries(values) };
  const { address, untaxed } = merged;
  const changed = {
    ...merged,
    address: address && wholeAddress(address),
    untaxed: { category: untaxed.category, reason: untaxed.reason ?? null },
  };
  return logo === undefined ? changed : { ...changed, logo: logo && refOf(logo) };
}

function refOf({ hash, type, width, height }: Logo): LogoRef {
  return { hash, type, width, height };
}

async function storeLogo(companyId: string, { hash, bytes }: Logo, tx: Transaction) {
  await queryOne(
    `INSERT INTO company_logos (company_id, hash, bytes)
     VALUES ($1, decode($2, 'hex'), $3)
     ON CONFLICT DO NOTHING`,
    [companyId, hash, bytes],
    tx,
  );
}

/** The bytes of a logo that a profile has or had. */
export async function readLogoBytes(companyId: string, { hash }: LogoRef): Promise<Buffer> {
  const row = await queryOne<{ bytes: Buffer }>(
    `SELECT bytes FROM company_logos WHERE company_id = $1 AND hash = decode($2, 'hex')`,
    [companyId, hash],
  );
  if (!row) throw invalidField('logo', 'The logo is missing.');
  return row.bytes;
}

/** The profile as a patch has it, with the logo in base64: sent back, it changes nothing. */
export async function profileAsSent(companyId: string, { name: _name, ...profile }: Profile) {
  const { logo } = profile;
  const bytes = logo && (await readLogoBytes(companyId, logo));
  return { ...profile, logo: bytes?.toString('base64') ?? null };
}
