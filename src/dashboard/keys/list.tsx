// Integrations → API access: the company's keys, how much of the hour's requests is used, and making a key.
import Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import { SCOPES } from '../../api-keys/model.js';
import { type KeyState, type KeyView, listKeyViews } from '../../api-keys/queries.js';
import { endOfDay, type IssuedKey, issueKey, MAX_NAME } from '../../api-keys/service.js';
import { getCompany } from '../../companies/service.js';
import { invalidField } from '../../platform/field-errors.js';
import { calendarDate, text } from '../../platform/http/validate.js';
import { isUuid } from '../../platform/values/ids.js';
import { listMembers } from '../../users/members.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import {
  Badge,
  ButtonLink,
  Empty,
  PageHead,
  Pager,
  Panel,
  Table,
  Time,
  type Tone,
} from '../kit/ui/components.js';
import { Checkboxes, Choice } from '../kit/ui/field-groups.js';
import { Button, Field, Form, Hidden } from '../kit/ui/fields.js';
import { newKeyPage } from './new-key.js';
import type { UsageOf } from './usage.js';
import { UsagePanel } from './usage-panel.js';

export const KEYS = '/integrations/api-access';
const PAGE = 50;
const READ_ONLY = SCOPES.filter(scope => scope.endsWith(':read'));

interface KeyBody {
  readonly once: string;
  readonly name: string;
  readonly access: 'all' | 'read' | 'chosen';
  readonly scopes: readonly string[];
  readonly expiresOn?: string;
}

const keyBody = Joi.object({
  once: Joi.string().guid().required(),
  name: text(MAX_NAME).required(),
  access: Joi.string().valid('all', 'read', 'chosen').required(),
  scopes: Joi.array().items(Joi.string()).default([]),
  expiresOn: calendarDate(),
});

export function showKeys(request: PageRequest, usageOf: UsageOf): Promise<PageAnswer> {
  return keysPage(request, usageOf, newForm({ access: 'all' }));
}

/** The secret stands in this answer and nowhere else: sent again, the same form is refused. */
export async function makeKey(request: PageRequest, usageOf: UsageOf): Promise<Answer> {
  const { companyId, userId } = request.session;
  const outcome = await submitForm<KeyBody, IssuedKey>(request.form, keyBody, async body =>
    issueKey(companyId, {
      keyId: body.once,
      name: body.name,
      scopes: scopesOf(body),
      expiresAt: await expiryOf(body.expiresOn, request.session.timeZone),
      createdBy: userId,
    }),
  );
  if (!outcome.done)
    return { ...(await keysPage(request, usageOf, outcome.state)), ...outcome.answer };
  return newKeyPage(request, outcome.result, 'Your new key');
}

function scopesOf({ access, scopes }: KeyBody): readonly string[] {
  if (access === 'chosen') return scopes;
  return access === 'read' ? READ_ONLY : SCOPES;
}

async function expiryOf(day: string | undefined, timeZone: string): Promise<Date | null> {
  if (day === undefined) return null;
  const end = await endOfDay(day, timeZone);
  if (end <= new Date())
    throw invalidField('expiresOn', 'This day is over. Choose one to come, or leave it empty.');
  return end;
}

async function keysPage(
  request: PageRequest,
  usageOf: UsageOf,
  state: FormState,
): Promise<PageAnswer> {
  const { companyId } = request.session;
  const after = request.query.get('after');
  const [{ keys, next }, members, usage] = await Promise.all([
    listKeyViews(companyId, after !== null && isUuid(after) ? after : null, PAGE),
    listMembers(companyId),
    getCompany(companyId).then(company => usageOf(companyId, company.rateLimitPerHour)),
  ]);
  const emails = new Map(members.map(({ userId, email }) => [userId, email]));
  const body = (
    <>
      <PageHead
        title="API access"
        note="Keys let your shop, till or bookkeeping create invoices and read stock for this company."
      >
        <ButtonLink href="/docs" quiet>
          API reference
        </ButtonLink>
        <ButtonLink href="#make">Make a key</ButtonLink>
      </PageHead>
      <UsagePanel usage={usage} />
      {keys.length === 0 ? (
        <Empty title="No keys yet.">
          <p>
            Make one below, paste its example into a terminal, and the API answers with your own
            figures.
          </p>
        </Empty>
      ) : (
        <Panel title="Keys">
          <KeyTable keys={keys} emails={emails} />
          <Pager first={after === null ? null : KEYS} next={next && `${KEYS}?after=${next}`} />
        </Panel>
      )}
      <div id="make">
        <NewKeyPanel state={state} />
      </div>
    </>
  );
  return { title: 'API access', body };
}

function KeyTable({
  keys,
  emails,
}: {
  keys: readonly KeyView[];
  emails: ReadonlyMap<string, string>;
}) {
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
        { head: 'State', cell: key => <KeyBadge {...key} /> },
        { head: 'May', cell: ({ scopes }) => describeScopes(scopes) },
        {
          head: 'Last used',
          cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'never'),
        },
        {
          head: 'Expires',
          cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'never'),
        },
        {
          head: 'Made',
          cell: ({ createdAt, createdBy }) => (
            <>
              <Time at={createdAt} />
              <span class="by">
                {createdBy === null ? 'by an operator' : `by ${emails.get(createdBy) ?? 'nobody'}`}
              </span>
            </>
          ),
        },
      ]}
    />
  );
}

const TONES: Readonly<Record<KeyState, Tone>> = {
  active: 'good',
  expiring: 'warn',
  rotating: 'warn',
  expired: 'plain',
  revoked: 'bad',
};

export function KeyBadge({ state, overlapUntil }: Pick<KeyView, 'state' | 'overlapUntil'>) {
  return (
    <>
      <Badge tone={TONES[state]}>{state}</Badge>
      {state === 'rotating' && overlapUntil && (
        <span class="by">
          old secret until <Time at={overlapUntil} />
        </span>
      )}
    </>
  );
}

/** What a key may do, in few words where there are some. */
export function describeScopes(scopes: readonly string[]): string {
  if (scopes.length === SCOPES.length) return 'read and write all';
  return scopes.join() === READ_ONLY.join() ? 'read all' : scopes.join(', ');
}

function NewKeyPanel({ state }: { state: FormState }) {
  return (
    <Panel title="Make a key">
      <Form action={KEYS} state={state} label="Make a key">
        <Hidden name="once" value={uuidv7()} />
        <Field
          name="name"
          label="Name"
          hint="Where it is used, such as “Web shop”."
          maxLength={MAX_NAME}
        />
        <Choice
          name="access"
          label="It may"
          options={[
            { value: 'all', label: 'Read and write everything' },
            { value: 'read', label: 'Read only' },
            { value: 'chosen', label: 'Only what I choose' },
          ]}
        />
        <Checkboxes
          name="scopes"
          label="Scopes"
          options={SCOPES.map(scope => ({ value: scope, label: SCOPE_LABELS[scope] }))}
        />
        <Field
          name="expiresOn"
          label="Last day"
          type="date"
          hint="Until the end of this day. Without one it is valid until you revoke it."
          optional
        />
        <Button>Make key</Button>
      </Form>
      <p class="note">
        How keys are sent and what they may do: <a href="/docs/authentication">authentication</a>,{' '}
        <a href="/docs/rate-limits">rate limits</a>, <a href="/docs/errors">errors</a>.
      </p>
    </Panel>
  );
}

const SCOPE_LABELS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'summary:read': 'summary:read – the month’s figures',
  'invoices:read': 'invoices:read – list and read invoices',
  'invoices:write': 'invoices:write – create invoices',
  'inventory:read': 'inventory:read – list stock',
  'inventory:write': 'inventory:write – adjust stock',
};
