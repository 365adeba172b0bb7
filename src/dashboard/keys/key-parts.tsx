// The parts that several API access pages share: their path, a key's status, and its permissions.
import Joi from 'joi';
import { DEFAULT_SCOPES, SCOPES } from '../../api-keys/model.js';
import type { KeyState, KeyView } from '../../api-keys/queries.js';
import { listMembers } from '../../users/members.js';
import { displayName } from '../../users/model.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { Badge, Time, type Tone } from '../kit/ui/components.js';
import { Checkboxes, Choice } from '../kit/ui/field-groups.js';

export const KEYS = '/integrations/api-access';
export const NEW_KEY = `${KEYS}/new`;
const READ_ONLY = DEFAULT_SCOPES.filter(scope => scope.endsWith(':read'));

const SCOPE_LABELS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'summary:read': 'summary:read – read the monthly figures',
  'invoices:read': 'invoices:read – list and read invoices',
  'invoices:write': 'invoices:write – create invoices',
  'inventory:read': 'inventory:read – list items and stock',
  'inventory:write': 'inventory:write – adjust stock',
  'payments:read': 'payments:read – list and read payments and refunds',
  'payments:write': 'payments:write – record payments and refunds',
  'credits:write': 'credits:write – create credit notes and void invoices',
  'customers:read': 'customers:read – list and read customers',
  'customers:write': 'customers:write – create and change customers, and ignore credit limits',
  'documents:send': 'documents:send – e-mail invoices and credit notes, and read these e-mails',
  'events:read': 'events:read – read every change, with the data of customers, payments and keys',
  'webhooks:write': 'webhooks:write – create and change webhooks, which send every change',
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

/** The sets of scopes that a form offers with one click, by the value of their button. */
const PRESETS = {
  all: { label: 'Read and write invoices and inventory', scopes: DEFAULT_SCOPES },
  read: { label: 'Read invoices and inventory', scopes: READ_ONLY },
  everything: {
    label: 'Everything, with payments, customers, documents and events',
    scopes: SCOPES,
  },
} as const;
type Preset = keyof typeof PRESETS;
const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

/** The fields of `PermissionFields`. `scopes` counts only if the access is 'chosen'. */
export interface Permissions {
  readonly access: Preset | 'chosen';
  readonly scopes: readonly string[];
}

export const permissionFields = {
  access: Joi.string()
    .valid(...PRESET_NAMES, 'chosen')
    .required(),
  scopes: Joi.array().items(Joi.string()).default([]),
};

export function chooseScopes({ access, scopes }: Permissions): readonly string[] {
  return access === 'chosen' ? scopes : PRESETS[access].scopes;
}

/** A form whose permissions are these scopes. */
export function permissionsForm(scopes: readonly string[]): FormState {
  const state = newForm({ access: presetOf(scopes) ?? 'chosen' });
  for (const scope of scopes) state.values.append('scopes[]', scope);
  return state;
}

/** The preset that has exactly these scopes, which are in the order of SCOPES. */
function presetOf(scopes: readonly string[]): Preset | undefined {
  return PRESET_NAMES.find(name => PRESETS[name].scopes.join() === scopes.join());
}

/** A key's permissions: a short phrase for the common sets, otherwise its scopes. */
export function describeScopes(scopes: readonly string[]): string {
  const preset = presetOf(scopes);
  return preset === undefined ? scopes.join(', ') : PRESETS[preset].label;
}

/** The choice of a preset or of single scopes. */
export function PermissionFields() {
  return (
    <>
      <Choice
        name="access"
        label="Permissions"
        options={[
          ...PRESET_NAMES.map(value => ({ value, label: PRESETS[value].label })),
          { value: 'chosen', label: 'Custom' },
        ]}
      />
      <Checkboxes
        name="scopes"
        label="Scopes"
        options={SCOPES.map(scope => ({ value: scope, label: SCOPE_LABELS[scope] }))}
      />
    </>
  );
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
