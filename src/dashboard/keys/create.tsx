// API access → Create API key: the form for a new key.
import Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import { DEFAULT_SCOPES } from '../../api-keys/model.js';
import { endOfDay, issueKey, MAX_KEY_NAME } from '../../api-keys/service.js';
import { invalidField } from '../../platform/field-errors.js';
import { uuid } from '../../platform/http/input/uuid.js';
import { calendarDate, text } from '../../platform/http/input/validate.js';
import type { FormState } from '../kit/forms/form-state.js';
import { plainForm } from '../kit/forms/plain-form.js';
import type { PageAnswer } from '../kit/page.js';
import { PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Field, Form, Hidden } from '../kit/ui/fields.js';
import {
  chooseScopes,
  KEYS,
  NEW_KEY,
  PermissionFields,
  type Permissions,
  permissionFields,
  permissionsForm,
} from './key-parts.js';
import { newKeyPage } from './new-key.js';

interface KeyBody extends Permissions {
  readonly once: string;
  readonly name: string;
  readonly expiresOn?: string;
}

const keyBody = Joi.object({
  once: uuid().required(),
  name: text(MAX_KEY_NAME).required(),
  ...permissionFields,
  expiresOn: calendarDate(),
});

/** Only this response contains the secret; submitting the same form again is refused. */
export const createKeyForm = plainForm<KeyBody, 'manage-keys'>({
  path: NEW_KEY,
  guard: 'manage-keys',
  initial: () => permissionsForm(DEFAULT_SCOPES),
  schema: keyBody,
  save: async (body, request) => {
    const { companyId, userId, timeZone } = request.session;
    const key = await issueKey(companyId, {
      once: body.once,
      name: body.name,
      scopes: chooseScopes(body),
      expiresAt: await readExpiry(body.expiresOn, timeZone),
      createdBy: userId,
    });
    return newKeyPage(request, key, 'Your new key');
  },
  page: formPage,
});

/** The end of the day in the company's zone. Throws Problem `validation_failed` if it is past. */
async function readExpiry(day: string | undefined, timeZone: string): Promise<Date | null> {
  if (day === undefined) return null;
  const end = await endOfDay(day, timeZone);
  if (end <= new Date()) throw invalidField('expiresOn', 'Choose a future date.');
  return end;
}

function formPage(state: FormState): PageAnswer {
  const body = (
    <>
      <PageHead
        title="Create API key"
        note="Create one key per app so you can revoke them separately."
      />
      <Panel title="Key" split note={<HowTo />}>
        <Form action={NEW_KEY} state={state} label="Create API key" focusFirst>
          <Hidden name="once" value={uuidv7()} />
          <Field name="name" label="Name" hint="Where the key is used, e.g. “Web shop”." />
          <PermissionFields />
          <Field
            name="expiresOn"
            label="Expires on"
            type="date"
            hint="Valid through this day. Leave empty for no expiry."
          />
          <FormActions submit="Create API key" cancel={KEYS} />
        </Form>
      </Panel>
    </>
  );
  return { title: 'Create API key', body };
}

function HowTo() {
  return (
    <>
      How to use a key: <a href="/docs/authentication">authentication</a>,{' '}
      <a href="/docs/rate-limits">rate limits</a>, <a href="/docs/errors">errors</a>.
    </>
  );
}
