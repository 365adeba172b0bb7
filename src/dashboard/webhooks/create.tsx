// Webhooks → Add webhook: the form for a new endpoint, and the page that shows a secret once.
import Joi from 'joi';
import { matchTypes } from '../../events/types.js';
import { text } from '../../platform/http/input/validate.js';
import { findTargetErrors } from '../../webhooks/endpoints/check-target.js';
import { createEndpoint } from '../../webhooks/endpoints/service.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { plainForm } from '../kit/forms/plain-form.js';
import type { PageAnswer } from '../kit/page.js';
import { ButtonLink, Copyable, PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Checkbox, Field, Form } from '../kit/ui/fields.js';
import { NEW_WEBHOOK, WEBHOOK_PAGES } from './parts.js';

interface WebhookBody {
  readonly url: string;
  readonly types: string;
  readonly description?: string;
  readonly ordered?: string;
}

const webhookBody = Joi.object({
  url: text(2_000).required(),
  types: text(1_000)
    .required()
    .custom((typed: string, helpers) => {
      const sentence = 'There is no such type of event.';
      return matchTypes(typesOf(typed)) ? typed : helpers.error('invalid_value', { sentence });
    }),
  description: text(255),
  ordered: Joi.string().valid('true'),
});

/** Only this response contains the secret. The same form again is refused: the URL exists. */
export const createWebhookForm = plainForm<WebhookBody, 'manage-keys'>({
  path: NEW_WEBHOOK,
  guard: 'manage-keys',
  initial: () => newForm({ types: '*' }, webhookBody),
  schema: webhookBody,
  find: (body, { session }) => findTargetErrors(body, session.companyId),
  save: async ({ url, types, description, ordered }, { session }) => {
    const { body } = await createEndpoint(session.companyId, {
      url,
      types: typesOf(types),
      ordered: ordered === 'true',
      ...(description === undefined ? {} : { description }),
    });
    return secretPage('Your new webhook', JSON.parse(body));
  },
  page: formPage,
});

function typesOf(typed: string): string[] {
  return typed.split(/[\s,]+/u).filter(Boolean);
}

function formPage(state: FormState): PageAnswer {
  const body = (
    <>
      <PageHead title="Add webhook" note="Each event is sent to this address as it happens." />
      <Panel
        title="Webhook"
        split
        note={
          <>
            How to receive one: <a href="/docs/webhooks">webhooks</a>, and the{' '}
            <a href="/docs/events">types of events</a>.
          </>
        }
      >
        <Form action={NEW_WEBHOOK} state={state} label="Add webhook" focusFirst>
          <Field name="url" label="Address" hint="https://, with a public host." />
          <Field
            name="types"
            label="Events"
            hint="Types with commas between them, groups such as invoice.*, or * for all."
          />
          <Field name="description" label="Description" />
          <Checkbox
            name="ordered"
            label="One at a time, in order"
            hint="An event that fails holds up the next one."
          />
          <FormActions submit="Add webhook" cancel={WEBHOOK_PAGES} />
        </Form>
      </Panel>
    </>
  );
  return { title: 'Add webhook', body };
}

/** The direct response to a form, so no URL, cookie or store ever holds the secret. */
export function secretPage(
  title: string,
  { id, url, secret }: { id: string; url: string; secret: string },
): PageAnswer {
  const snippet = [
    "import { Webhook } from 'standardwebhooks';",
    '',
    'const webhook = new Webhook(secret);',
    'const event = webhook.verify(rawBody, headers);',
  ].join('\n');
  const body = (
    <>
      <PageHead title={title} note={url} />
      <p class="message warn" role="status">
        Copy the secret now and store it like a password. You won’t see it again. If you lose it,
        rotate the secret.
      </p>
      <Panel title="Secret">
        <Copyable label="Secret" text={secret} />
      </Panel>
      <Panel title="Verify" note="In JavaScript, with npm’s standardwebhooks">
        <Copyable label="Example program" text={snippet} block />
      </Panel>
      <p>
        <ButtonLink href={`${WEBHOOK_PAGES}/${id}`}>Done</ButtonLink>
      </p>
    </>
  );
  return { title, body, isDone: true };
}
