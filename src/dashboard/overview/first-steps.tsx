// The first steps of a company, with ticks, until they are done and an owner hides the list.
import { listKeyViews } from '../../api-keys/queries.js';
import { hideFirstSteps, readProgress } from '../../companies/first-steps.js';
import { listInvitations } from '../../users/invitations.js';
import { listMembers } from '../../users/members.js';
import { NEW_KEY } from '../keys/key-parts.js';
import { buttonForm } from '../kit/forms/plain-form.js';
import type { PageRequest } from '../kit/page.js';
import { ButtonLink, Panel } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import { MEMBERS } from '../settings/member-tables.js';

const HIDE_STEPS = '/overview/hide-first-steps';
const SETTINGS = '/settings';
const DOCUMENTS = '/settings/documents';
const NEW_CUSTOMER = '/customers/new';
const NEW_ITEM = '/inventory/new';
const NEW_INVOICE = '/invoices/new';

export interface FirstStep {
  readonly title: string;
  /** Follows the title and a colon. */
  readonly hint?: string;
  readonly href: string;
  readonly isDone: boolean;
  readonly isOptional?: true;
}

/** The steps that this visitor may take; null if there are none, or once the list is hidden. */
export async function readFirstSteps({
  session: { companyId, currency, customerCount },
  canSee,
}: PageRequest): Promise<FirstStep[] | null> {
  const progress = await readProgress(companyId);
  if (!progress || progress.isHidden) return null;
  const [keys, members, invitations] = await Promise.all([
    listKeyViews(companyId, null, 1),
    listMembers(companyId),
    listInvitations(companyId),
  ]);
  const steps: FirstStep[] = [
    {
      title: 'Set your tax rate and payment terms',
      hint: 'issued invoices keep theirs. If you need neither, save the settings as they are.',
      href: SETTINGS,
      isDone: progress.hasSettings,
    },
    {
      title: 'Enter your company’s address',
      hint: 'invoices show it, with your tax number and bank account.',
      href: DOCUMENTS,
      isDone: progress.hasAddress,
    },
    {
      title: 'Add your customers',
      hint: 'their addresses, terms and limits, or import a CSV.',
      href: NEW_CUSTOMER,
      isDone: customerCount > 0,
      isOptional: true,
    },
    {
      title: 'Add an item',
      hint: 'opening stock and reorder point, or import a CSV.',
      href: NEW_ITEM,
      isDone: progress.hasItems,
    },
    {
      title: 'Create an invoice',
      hint: `in ${currency}. Its lines take the items out of stock.`,
      href: NEW_INVOICE,
      isDone: progress.hasInvoices,
    },
    {
      title: 'Create an API key',
      hint: 'your shop or till can then create invoices.',
      href: NEW_KEY,
      isDone: keys.keys.length > 0,
    },
    {
      title: 'Invite a teammate',
      href: MEMBERS,
      isDone: members.length > 1 || invitations.length > 0,
      isOptional: true,
    },
  ];
  const own = steps.filter(({ href }) => canSee(href));
  return own.length === 0 ? null : own;
}

/** True as long as there are no items and no invoices, so the overview has no figures. */
export function areNew(steps: readonly FirstStep[]): boolean {
  return steps.every(({ href, isDone }) => !isDone || (href !== NEW_ITEM && href !== NEW_INVOICE));
}

/** True once every step is done, except for optional ones. */
export function areDone(steps: readonly FirstStep[]): boolean {
  return steps.every(({ isDone, isOptional }) => isDone || isOptional);
}

/** `canHide` is true for an owner, who hides the list for everyone in the company. */
export function FirstSteps({ steps, canHide }: { steps: readonly FirstStep[]; canHide: boolean }) {
  const isDone = areDone(steps);
  const next = steps.find(step => !step.isDone);
  const done = steps.filter(step => step.isDone).length;
  return (
    <Panel title="First steps" note={`${done} of ${steps.length} done`} class="first-steps">
      <ol>
        {steps.map(step => (
          <li key={step.href} class={step.isDone ? 'is-done' : undefined}>
            <Tick isDone={step.isDone} />
            {step.isDone ? (
              <span>
                <span class="unseen">Done: </span>
                {step.title}
              </span>
            ) : (
              <OpenStep step={step} isNext={step === next && !isDone} />
            )}
          </li>
        ))}
      </ol>
      {isDone && canHide && (
        <Form action={HIDE_STEPS} inline label="First steps">
          <Button quiet>Hide</Button>
        </Form>
      )}
    </Panel>
  );
}

function OpenStep({ step, isNext }: { step: FirstStep; isNext: boolean }) {
  const { title, hint, href, isOptional } = step;
  return (
    <>
      <span>
        <a href={href}>{title}</a>
        <span class="note">
          {hint && `: ${hint}`}
          {isOptional && ' (optional)'}
        </span>
      </span>
      {isNext && (
        <ButtonLink href={href}>
          Start<span class="unseen">: {title}</span>
        </ButtonLink>
      )}
    </>
  );
}

export const hideStepsButton = buttonForm(HIDE_STEPS, 'change-settings', async ({ session }) => {
  await hideFirstSteps(session.companyId);
  return { to: '/' };
});

function Tick({ isDone }: { isDone: boolean }) {
  return (
    <svg class="tick" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <circle cx="10" cy="10" r="9" />
      {isDone && <path d="M6 10.5l2.7 2.7L14 7.5" />}
    </svg>
  );
}
