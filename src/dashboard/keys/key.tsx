// One API key: its permissions and status, with forms to rotate and revoke it.
import Joi from 'joi';
import type { ComponentChildren } from 'preact';
import { findKeyView, type KeyView } from '../../api-keys/queries.js';
import {
  DEFAULT_OVERLAP_HOURS,
  type IssuedKey,
  MAX_OVERLAP_HOURS,
  revokeKey,
  rotateKey,
} from '../../api-keys/service.js';
import { invalidField } from '../../platform/field-errors.js';
import { decimal } from '../../platform/http/input/validate.js';
import { cleanText } from '../../platform/values/text.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import { type Answer, getOr404, type PageAnswer, type PageRequest } from '../kit/page.js';
import { ButtonLink, PageHead, Panel, Time } from '../kit/ui/components.js';
import { Button, Field, Form, Hidden } from '../kit/ui/fields.js';
import { creatorNames, describeScopes, KEYS, KeyBadge, TimeOrNever } from './key-parts.js';
import { newKeyPage } from './new-key.js';

interface Forms {
  readonly rotate?: FormState;
  readonly revoke?: FormState;
}

const rotateBody = Joi.object({
  from: Joi.string().required(),
  overlapHours: decimal(0, MAX_OVERLAP_HOURS).required(),
});
const revokeBody = Joi.object({ confirmation: Joi.string().required() });

export async function showKey(request: PageRequest): Promise<Answer> {
  return keyPage(request, await getKey(request));
}

/** Only this response contains the secret; submitting the same form again is refused. */
export async function rotate(request: PageRequest): Promise<Answer> {
  const { companyId, userId } = request.session;
  const key = await getKey(request);
  const outcome = await submitForm<{ from: string; overlapHours: number }, IssuedKey>(
    request.form,
    rotateBody,
    ({ from, overlapHours }) => rotateKey(companyId, key.keyId, { from, overlapHours, by: userId }),
    { numbers: ['overlapHours'] },
  );
  if (!outcome.done)
    return {
      ...(await keyPage(request, key, { rotate: outcome.state })),
      ...outcome.answer,
    };
  return newKeyPage(request, outcome.result, 'Your new secret');
}

export async function revoke(request: PageRequest): Promise<Answer> {
  const { companyId, userId } = request.session;
  const key = await getKey(request);
  const outcome = await submitForm<{ confirmation: string }, unknown>(
    request.form,
    revokeBody,
    async body => {
      if (cleanText(body.confirmation) !== key.name)
        throw invalidField('confirmation', `Enter the key’s name: ${key.name}`);
      return revokeKey(companyId, key.keyId, userId);
    },
  );
  if (!outcome.done)
    return {
      ...(await keyPage(request, key, { revoke: outcome.state })),
      ...outcome.answer,
    };
  return {
    to: KEYS,
    flash: `“${key.name}” revoked. Requests that use it are refused within a second.`,
  };
}

/** Throws Problem `not_found` unless the company has the key. */
function getKey({ session, params }: PageRequest): Promise<KeyView> {
  return getOr404('key', params.id, id => findKeyView(session.companyId, id));
}

async function keyPage(
  { session }: PageRequest,
  key: KeyView,
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
        <dl class="key-facts">
          <Fact name="Status">
            <KeyBadge {...key} />
          </Fact>
          <Fact name="Permissions">{describeScopes(key.scopes)}</Fact>
          <Fact name="Created">
            <Time at={key.createdAt} />
          </Fact>
          <Fact name="Created by">{nameOf(key.createdBy)}</Fact>
          <Fact name="Last used">
            <TimeOrNever at={key.lastUsedAt} />
          </Fact>
          <Fact name="Expires">
            <TimeOrNever at={key.expiresAt} />
          </Fact>
          <Event name="Rotated" at={key.rotatedAt} by={nameOf(key.rotatedBy)} />
          <Event name="Revoked" at={key.revokedAt} by={nameOf(key.revokedBy)} />
        </dl>
      </Panel>
      {isUsable && <RotatePanel keyView={key} state={forms.rotate} />}
      {key.state !== 'revoked' && <RevokePanel keyView={key} state={forms.revoke} />}
    </>
  );
  return { title: key.name, body };
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** When a change was made and by whom; nothing if it was not made. */
function Event({ name, at, by }: { name: string; at: string | null; by: string }) {
  if (at === null) return null;
  return (
    <>
      <Fact name={name}>
        <Time at={at} />
      </Fact>
      <Fact name={`${name} by`}>{by}</Fact>
    </>
  );
}

function RotatePanel({ keyView, state }: { keyView: KeyView; state: FormState | undefined }) {
  const shown = state ?? newForm({ overlapHours: String(DEFAULT_OVERLAP_HOURS) });
  return (
    <Panel title="Rotate" note="Issue a new secret; the old one keeps working for a while." split>
      <Form action={`${KEYS}/${keyView.keyId}/rotate`} state={shown} label="Rotate">
        <Hidden name="from" value={keyView.publicId} />
        <Field
          name="overlapHours"
          label="Hours until the old secret expires"
          hint={`0 to ${MAX_OVERLAP_HOURS}. 0 ends the old secret at once.`}
          decimal
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
