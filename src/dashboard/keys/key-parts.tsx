// The parts that several API access pages share: their path, a key's status, and its permissions.
import { DEFAULT_SCOPES, SCOPES } from '../../api-keys/model.js';
import type { KeyState, KeyView } from '../../api-keys/queries.js';
import { listMembers } from '../../users/members.js';
import { displayName } from '../../users/model.js';
import { Badge, Time, type Tone } from '../kit/ui/components.js';

export const KEYS = '/integrations/api-access';
export const NEW_KEY = `${KEYS}/new`;
export const READ_ONLY = DEFAULT_SCOPES.filter(scope => scope.endsWith(':read'));

export const SCOPE_LABELS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'summary:read': 'summary:read – read the monthly figures',
  'invoices:read': 'invoices:read – list and read invoices',
  'invoices:write': 'invoices:write – create invoices',
  'inventory:read': 'inventory:read – list items and stock',
  'inventory:write': 'inventory:write – adjust stock',
  'payments:read': 'payments:read – list and read payments and refunds',
  'payments:write': 'payments:write – record payments and refunds',
  'credits:write': 'credits:write – create credit notes and void invoices',
};

const STATES: Readonly<Record<KeyState, { label: string; tone: Tone }>> = {
  active: { label: 'Active', tone: 'good' },
  expiring: { label: 'Expiring', tone: 'warn' },
  rotating: { label: 'Rotating', tone: 'warn' },
  expired: { label: 'Expired', tone: 'plain' },
  revoked: { label: 'Revoked', tone: 'bad' },
};

export function KeyBadge({ state, overlapUntil }: Pick<KeyView, 'state' | 'overlapUntil'>) {
  return (
    <>
      <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
      {state === 'rotating' && overlapUntil && (
        <span class="by">
          old secret valid until <Time at={overlapUntil} />
        </span>
      )}
    </>
  );
}

/** A key's permissions: a short phrase for the common sets, otherwise its scopes. */
export function describeScopes(scopes: readonly string[]): string {
  if (scopes.length === SCOPES.length) return 'Read and write everything';
  if (scopes.join() === DEFAULT_SCOPES.join()) return 'Read and write invoices and inventory';
  return scopes.join() === READ_ONLY.join() ? 'Read invoices and inventory' : scopes.join(', ');
}

export function TimeOrNever({ at }: { at: string | null }) {
  return at === null ? 'Never' : <Time at={at} />;
}

export type CreatorNames = (createdBy: KeyView['createdBy']) => string;

/** Names the users who created, rotated or revoked a company's keys. */
export async function creatorNames(companyId: string): Promise<CreatorNames> {
  const members = await listMembers(companyId);
  const names = new Map(members.map(member => [member.userId, displayName(member)]));
  return createdBy => (createdBy && names.get(createdBy)) ?? 'An operator';
}
