// The addresses of e-mails: one plain address each, without the quotes, comments and lists of RFC
// 5322, so that no text can add another recipient or a header.
import { domainToASCII } from 'node:url';
import type { FieldError } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';
import { possibleCode } from '../platform/values/text.js';
import type { Recipients } from './email.js';

export const MAX_ADDRESSES = 10;
export const MAX_ADDRESS = 254;
/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_PART = 64;

/** A dot-atom of RFC 5322, of ASCII. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

const NO_ADDRESS =
  'Must be one e-mail address, such as ann@example.com: letters without accents before the @, no ' +
  'quotes, commas or spaces.';

/** True for local@domain, where the domain may have letters of any script. */
export function isPlainAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const labels = domain.split('.');
  return (
    at > 0 &&
    local.length <= MAX_LOCAL_PART &&
    address.length <= MAX_ADDRESS &&
    LOCAL_PART.test(local) &&
    labels.length > 1 &&
    labels.every(label => LABEL.test(label)) &&
    domainToASCII(domain) !== ''
  );
}

/** The address as it is sent over SMTP. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + domainToASCII(address.slice(at));
}

/** The addresses that a customer's record has. */
export interface KnownAddresses {
  readonly email: string | null;
  readonly emailCc: readonly string[];
}

/** The members of a request that name recipients. They may be invalid. */
interface SentRecipients {
  readonly to?: unknown;
  readonly cc?: unknown;
}

export interface CheckedRecipients {
  readonly recipients: Recipients;
  /** At `/to` and `/cc`. The schema finds the values of other types. */
  readonly errors: readonly FieldError[];
}

/**
 * The recipients of a request: its own, else those of the record. `to` alone has no cc. Each
 * address is listed once.
 */
export function readRecipients(
  request: SentRecipients,
  contact: KnownAddresses | null,
): CheckedRecipients {
  const own = { to: sentList(request.to), cc: sentList(request.cc) };
  const ofRecord = {
    to: contact?.email == null ? [] : [contact.email],
    cc: own.to ? [] : (contact?.emailCc ?? []),
  };
  const recipients = onlyOnce({ to: own.to ?? ofRecord.to, cc: own.cc ?? ofRecord.cc });
  const errors = (['to', 'cc'] as const).flatMap(member => {
    if (own[member]) return brokenOf(member, request[member]);
    return request[member] == null ? brokenOfRecord(member, ofRecord[member]) : [];
  });
  if (request.to == null && ofRecord.to.length === 0)
    errors.push(fieldError(['to'], 'required', 'The customer has no e-mail address: send one.'));
  return { recipients, errors: [...errors, ...tooMany(recipients)] };
}

function sentList(sent: unknown): string[] | null {
  if (!Array.isArray(sent)) return null;
  return sent.flatMap(address => possibleCode(address, MAX_ADDRESS) ?? []);
}

function brokenOf(member: string, sent: unknown): FieldError[] {
  return (sent as readonly unknown[]).flatMap((value, index) => {
    const address = possibleCode(value, MAX_ADDRESS);
    if (address === null || isPlainAddress(address)) return [];
    return [fieldError([member, index], 'invalid_value', NO_ADDRESS)];
  });
}

function brokenOfRecord(member: string, addresses: readonly string[]): FieldError[] {
  if (addresses.every(isPlainAddress)) return [];
  const sentence = `An address of the customer's record cannot be used. ${NO_ADDRESS}`;
  return [fieldError([member], 'invalid_value', sentence)];
}

function tooMany({ to, cc }: Recipients): FieldError[] {
  if (to.length + cc.length <= MAX_ADDRESSES) return [];
  const member = to.length > MAX_ADDRESSES ? 'to' : 'cc';
  return [fieldError([member], 'too_many_items', `At most ${MAX_ADDRESSES} addresses in all.`)];
}

function onlyOnce({ to, cc }: Recipients): Recipients {
  const seen = new Set<string>();
  const isNew = (address: string) => {
    const key = asciiAddress(address).toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  return { to: to.filter(isNew), cc: cc.filter(isNew) };
}
