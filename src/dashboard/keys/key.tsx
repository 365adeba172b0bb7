// One API key: its permissions and status, with forms to change, rotate and revoke it.
import Joi from 'joi';
import { findKeyView, type KeyView } from '../../api-keys/queries.js';
import {
  DEFAULT_OVERLAP_HOURS,
  MAX_OVERLAP_HOURS,
  revokeKey,
  rotateKey,
  updateKeyScopes,
} from '../../api-keys/service.js';
import { invalidField } from '../../platform/field-errors.js';
import { decimal } from '../../platform/http/input/validate.js';
import { cleanCode } from '../../platform/values/text.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { type FormRequest, plainForm } from '../kit/forms/plain-form.js';
import { type Answer, getOr404, type PageAnswer, type PageRequest } from '../kit/page.js';
import { ButtonLink, PageHead, Panel, Time } from '../kit/ui/components.js';
import { type Fact, Facts } from '../kit/ui/facts.js';
import { Button, Field, Form, Hidden } from '../kit/ui/fields.js';
import {
  chooseScopes,
  creatorNames,
  describeScopes,
  KEYS,
  KeyBadge,
  PermissionFields,
  type Permissions,
  permissionFields,
  permissionsForm,
  TimeOrNever,
} from './key-parts.js';
import { newKeyPage } from './new-key.js';

interface Forms {
  readonly scopes?: FormState;
  readonly rotate?: FormState;
  readonly revoke?: FormState;
}

const scopesBody = Joi.object({ from: Joi.string().required(), ...permissionFields });
const rotateBody = Joi.object({
  from: Joi.string().required(),
  overlapHours: decimal(0, MAX_OVERLAP_HOURS).required(),
});
const revokeBody = Joi.object({ confirmation: Joi.string().required() });

export async function showKey(request: PageRequest): Promise<Answer> {
  return keyPage({ ...request, loaded: await getKey(request) });
}

/** `from` has the scopes that the page showed. */
export const scopesForm = plainForm<Permissions & { from: string }, 'manage-keys', KeyView>({
  path: `${KEYS}/:id/scopes`,
  guard: 'manage-keys',
  load: getKey,
  schema: scopesBody,
  save: async ({ from, ...permissions }, { session, loaded: { keyId, name } }) => {
    const options = { from, by: session.userId };
    await updateKeyScopes(session.companyId, keyId, chooseScopes(permissions), options);
    return {
      to: `${KEYS}/${keyId}`,
      flash: `Permissions of “${name}” saved. They take effect within a second.`,
    };
  },
  page: (scopes, request) => keyPage(request, { scopes }),
});

/** Only this response contains the secret; submitting the same form again is refused. */
export const rotateForm = plainForm<{ from: string; overlapHours: number }, 'manage-keys', KeyView>(
  {
    path: `${KEYS}/:id/rotate`,
    guard: 'manage-keys',
    load: getKey,
    schema: rotateBody,
    save: async ({ from, overlapHours }, request) => {
      const { session, loaded } = request;
      const options = { from, overlapHours, by: session.userId };
      const key = await rotateKey(session.companyId, loaded.keyId, options);
      return newKeyPage(request, key, 'Your new secret');
    },
    page: (rotate, request) => keyPage(request, { rotate }),
  },
);

export const revokeForm = plainForm<{ confirmation: string }, 'manage-keys', KeyView>({
  path: `${KEYS}/:id/revoke`,
  guard: 'manage-keys',
  load: getKey,
  schema: revokeBody,
  save: async ({ confirmation }, { session, loaded: { keyId, name } }) => {
    if (cleanCode(confirmation) !== cleanCode(name))
      throw invalidField('confirmation', `Enter the key’s name: ${name}`);
    await revokeKey(session.companyId, keyId, session.userId);
    return {
      to: KEYS,
      flash: `“${name}” revoked. Requests that use it are refused within a second.`,
    };
  },
  page: (revoke, request) => keyPage(request, { revoke }),
});

/** Throws Problem `not_found` unless the company has the key. */
function getKey({ session, params }: PageRequest): Promise<KeyView> {
  return getOr404('key', params.id, id => findKeyView(session.companyId, id));
}

async function keyPage(
  { session, loaded: key }: FormRequest<KeyView>,
  forms: Forms = {},
): Promise<PageAnswer> {
  const nameOf = await creatorNames(session.companyId);
  const isUsable = key.state !== 'revoked' && key.state !== 'expired';
  const body = (
    <>
      <PageHead title={key.name} note={`tpk_${key.publicId}…`}>
        <ButtonLink href={KEYS} quiet>
          All keys
        </ButtonLink>
      </PageHead>
      <Panel title="Key">
        <Facts
          class="key-facts"
          facts={[
            ['Status', <KeyBadge key="status" {...key} />],
            ['Permissions', describeScopes(key.scopes)],
            ['Created', <Time key="created" at={key.createdAt} />],
            ['Created by', nameOf(key.createdBy)],
            ['Last used', <TimeOrNever key="used" at={key.lastUsedAt} />],
            ['Expires', <TimeOrNever key="expires" at={key.expiresAt} />],
            ...eventFacts('Permissions changed', key.scopesChangedAt, nameOf(key.scopesChangedBy)),
            ...eventFacts('Rotated', key.rotatedAt, nameOf(key.rotatedBy)),
            ...eventFacts('Revoked', key.revokedAt, nameOf(key.revokedBy)),
          ]}
        />
      </Panel>
      {isUsable && <ScopesPanel keyView={key} state={forms.scopes} />}
      {isUsable && <RotatePanel keyView={key} state={forms.rotate} />}
      {key.state !== 'revoked' && <RevokePanel keyView={key} state={forms.revoke} />}
    </>
  );
  return { title: key.name, body };
}

/** The time and the author of a change; empty if it was not made. */
function eventFacts(name: string, at: string | null, by: string): Fact[] {
  if (at === null) return [];
  return [
    [name, <Time key="at" at={at} />],
    [`${name} by`, by],
  ];
}

function ScopesPanel({ keyView, state }: { keyView: KeyView; state: FormState | undefined }) {
  const { keyId, scopes } = keyView;
  return (
    <Panel title="Change permissions" note="The key’s next requests follow them." split>
      <Form
        action={`${KEYS}/${keyId}/scopes`}
        state={state ?? permissionsForm(scopes)}
        label="Change permissions"
      >
        <Hidden name="from" value={scopes.join()} />
        <PermissionFields />
        <Button quiet>Save permissions</Button>
      </Form>
    </Panel>
  );
}

function RotatePanel({ keyView, state }: { keyView: KeyView; state: FormState | undefined }) {
  const shown = state ?? newForm({ overlapHours: String(DEFAULT_OVERLAP_HOURS) }, rotateBody);
  return (
    <Panel title="Rotate" note="Issue a new secret; the old one keeps working for a while." split>
      <Form action={`${KEYS}/${keyView.keyId}/rotate`} state={shown} label="Rotate">
        <Hidden name="from" value={keyView.publicId} />
        <Field
          name="overlapHours"
          label="Hours until the old secret expires"
          hint={`0 to ${MAX_OVERLAP_HOURS}. 0 stops the old secret immediately.`}
        />
        <Button quiet>Rotate</Button>
      </Form>
    </Panel>
  );
}

function RevokePanel({ keyView, state }: { keyView: KeyView; state: FormState | undefined }) {
  return (
    <Panel
      title="Revoke"
      note="Anything using this key stops working immediately. This can’t be undone."
      class="danger-zone"
      split
    >
      <Form action={`${KEYS}/${keyView.keyId}/revoke`} {...(state ? { state } : {})} label="Revoke">
        <Field
          name="confirmation"
          label={`Enter the key’s name to confirm: ${keyView.name}`}
          autocomplete="off"
        />
        <Button danger>Revoke</Button>
      </Form>
    </Panel>
  );
}
