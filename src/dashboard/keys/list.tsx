// Integrations → API access: the company's keys, its usage this hour, and the form for a new key.
import Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import { DEFAULT_SCOPES, SCOPES } from '../../api-keys/model.js';
import { type KeyView, listKeyViews } from '../../api-keys/queries.js';
import { endOfDay, type IssuedKey, issueKey, MAX_NAME } from '../../api-keys/service.js';
import { getCompany } from '../../companies/service.js';
import { invalidField } from '../../platform/field-errors.js';
import { calendarDate, text } from '../../platform/http/input/validate.js';
import { isUuid } from '../../platform/values/ids.js';
import { type FormState, formId, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, PageHead, Pager, Panel, Table, Time } from '../kit/ui/components.js';
import { Checkboxes, Choice } from '../kit/ui/field-groups.js';
import { Button, Field, Form, Hidden } from '../kit/ui/fields.js';
import {
  type CreatorNames,
  creatorNames,
  describeScopes,
  KEYS,
  KeyBadge,
  READ_ONLY,
  SCOPE_LABELS,
  TimeOrNever,
} from './key-parts.js';
import { newKeyPage } from './new-key.js';
import { type UsageOf, UsagePanel } from './usage.js';

const PAGE_SIZE = 50;

interface KeyBody {
  readonly once: string;
  readonly name: string;
  readonly access: 'all' | 'read' | 'chosen';
  readonly scopes: readonly string[];
  readonly expiresOn?: string;
}

const keyBody = Joi.object({
  once: formId().required(),
  name: text(MAX_NAME).required(),
  access: Joi.string().valid('all', 'read', 'chosen').required(),
  scopes: Joi.array().items(Joi.string()).default([]),
  expiresOn: calendarDate(),
});

export function showKeys(request: PageRequest, usageOf: UsageOf): Promise<PageAnswer> {
  return keysPage(request, usageOf, newForm({ access: 'all' }));
}

/** Only this response contains the secret; submitting the same form again is refused. */
export async function createKey(request: PageRequest, usageOf: UsageOf): Promise<Answer> {
  const { companyId, userId } = request.session;
  const outcome = await submitForm<KeyBody, IssuedKey>(request.form, keyBody, async body =>
    issueKey(companyId, {
      once: body.once,
      name: body.name,
      scopes: chooseScopes(body),
      expiresAt: await readExpiry(body.expiresOn, request.session.timeZone),
      createdBy: userId,
    }),
  );
  if (!outcome.done)
    return { ...(await keysPage(request, usageOf, outcome.state)), ...outcome.answer };
  return newKeyPage(request, outcome.result, 'Your new key');
}

function chooseScopes({ access, scopes }: KeyBody): readonly string[] {
  if (access === 'chosen') return scopes;
  return access === 'read' ? READ_ONLY : DEFAULT_SCOPES;
}

/** The end of the day in the company's zone. Throws Problem `validation_failed` if it is past. */
async function readExpiry(day: string | undefined, timeZone: string): Promise<Date | null> {
  if (day === undefined) return null;
  const end = await endOfDay(day, timeZone);
  if (end <= new Date()) throw invalidField('expiresOn', 'Choose a future date.');
  return end;
}

async function keysPage(
  request: PageRequest,
  usageOf: UsageOf,
  state: FormState,
): Promise<PageAnswer> {
  const { companyId } = request.session;
  const after = request.query.get('after');
  const [{ keys, next }, nameOf, usage] = await Promise.all([
    listKeyViews(companyId, after !== null && isUuid(after) ? after : null, PAGE_SIZE),
    creatorNames(companyId),
    getCompany(companyId).then(company => usageOf(companyId, company.rateLimitPerHour)),
  ]);
  const body = (
    <>
      <PageHead
        title="API access"
        note="API keys let your shop, till or accounting software create invoices and read stock."
      >
        <ButtonLink href="/docs" quiet>
          API reference
        </ButtonLink>
        <ButtonLink href="#create">Create API key</ButtonLink>
      </PageHead>
      <UsagePanel usage={usage} />
      {keys.length === 0 ? (
        <Empty title="No API keys yet.">
          <p>Create one below, then paste its example into a terminal to see your own figures.</p>
        </Empty>
      ) : (
        <Panel title="Keys">
          <KeyTable keys={keys} nameOf={nameOf} />
          <Pager first={after === null ? null : KEYS} next={next && `${KEYS}?after=${next}`} />
        </Panel>
      )}
      <div id="create">
        <NewKeyPanel state={state} />
      </div>
    </>
  );
  return { title: 'API access', body };
}

function KeyTable({ keys, nameOf }: { keys: readonly KeyView[]; nameOf: CreatorNames }) {
  return (
    <Table
      caption="API keys, newest first"
      rows={keys}
      columns={[
        {
          head: 'Key',
          cell: ({ keyId, name, publicId }) => (
            <>
              <a href={`${KEYS}/${keyId}`}>{name}</a>
              <code class="key-id">tpk_{publicId}…</code>
            </>
          ),
        },
        { head: 'Status', cell: key => <KeyBadge {...key} /> },
        { head: 'Permissions', cell: ({ scopes }) => describeScopes(scopes) },
        { head: 'Last used', cell: ({ lastUsedAt }) => <TimeOrNever at={lastUsedAt} /> },
        { head: 'Expires', cell: ({ expiresAt }) => <TimeOrNever at={expiresAt} /> },
        {
          head: 'Created by',
          cell: ({ createdAt, createdBy }) => (
            <>
              {nameOf(createdBy)}
              <span class="by">
                <Time at={createdAt} />
              </span>
            </>
          ),
        },
      ]}
    />
  );
}

function NewKeyPanel({ state }: { state: FormState }) {
  return (
    <Panel title="Create API key">
      <Form action={KEYS} state={state} label="Create API key">
        <Hidden name="once" value={uuidv7()} />
        <Field
          name="name"
          label="Name"
          hint="Where the key is used, e.g. “Web shop”."
          maxLength={MAX_NAME}
        />
        <Choice
          name="access"
          label="Permissions"
          options={[
            { value: 'all', label: 'Read and write invoices and inventory' },
            { value: 'read', label: 'Read invoices and inventory' },
            { value: 'chosen', label: 'Custom' },
          ]}
        />
        <Checkboxes
          name="scopes"
          label="Scopes"
          options={SCOPES.map(scope => ({ value: scope, label: SCOPE_LABELS[scope] }))}
        />
        <Field
          name="expiresOn"
          label="Expires on"
          type="date"
          hint="Valid through this day. Leave empty for no expiry."
          optional
        />
        <Button>Create API key</Button>
      </Form>
      <p class="note">
        How to use a key: <a href="/docs/authentication">authentication</a>,{' '}
        <a href="/docs/rate-limits">rate limits</a>, <a href="/docs/errors">errors</a>.
      </p>
    </Panel>
  );
}
