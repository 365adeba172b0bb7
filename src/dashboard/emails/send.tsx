// Sending an invoice or a credit note by e-mail. The form starts with the addresses of the
// customer's record and the built-in text, or with those of an earlier e-mail.
import { findProfile } from '../../companies/profile/versions.js';
import { findContact } from '../../customers/names/contacts.js';
import type { SentDocument } from '../../documents/emails/make-email.js';
import { builtInTextOf, findDocument, VOIDED } from '../../documents/emails/make-email.js';
import { emailRequest } from '../../documents/emails/schema.js';
import { createEmail } from '../../documents/emails/service.js';
import type { DocumentKind } from '../../documents/model/load.js';
import { readRecipients } from '../../emails/addresses.js';
import type { EmailContent } from '../../emails/email.js';
import { mailSettings } from '../../emails/mail-settings.js';
import { findEmailText } from '../../emails/queries.js';
import { Problem } from '../../platform/errors.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import { isUuid } from '../../platform/values/ids.js';
import type { Permission } from '../../users/roles.js';
import { isRefusal, refusalPage } from '../documents/routes.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { directForm } from '../kit/forms/plain-form.js';
import { idempotencyKeyOf, problemOf, REUSED } from '../kit/forms/submit-write.js';
import {
  actorOf,
  get,
  getOr404,
  type PageAnswer,
  type PageRequest,
  type PageRoute,
} from '../kit/page.js';
import { ButtonLink, PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Checkbox, Field, Form, TextArea } from '../kit/ui/fields.js';
import { FAILED_EMAILS, showFailed } from './failed.js';
import { DOCUMENT_PATHS } from './panel.js';

const NOUNS = { invoice: 'invoice', creditNote: 'credit note' } as const;
const MEMBERS = { invoice: 'invoiceId', creditNote: 'creditNoteId' } as const;
/** The address of a list is at its line. */
const LIST_LINES = { 'to.*': 'to', 'cc.*': 'cc' };
const GUARD = 'change-sales';

/** The page that sends a document; null for visitors who may not, or without a mail server. */
export function sendPathOf(
  type: DocumentKind,
  id: string,
  canSee: PageRequest['canSee'],
): string | null {
  const isPossible = mailSettings() !== null && canSee(`${DOCUMENT_PATHS[type]}/:id/send`);
  return isPossible ? `${DOCUMENT_PATHS[type]}/${id}/send` : null;
}

export function emailPages(): PageRoute[] {
  return [
    get(FAILED_EMAILS, 'see-sales', showFailed),
    ...sendForm('invoice'),
    ...sendForm('creditNote'),
  ];
}

function sendForm(type: DocumentKind): PageRoute[] {
  return directForm<PageAnswer | null, Permission, SentDocument>({
    path: `${DOCUMENT_PATHS[type]}/:id/send`,
    guard: GUARD,
    schema: emailRequest,
    at: LIST_LINES,
    once: true,
    load: ({ session, params }) =>
      getOr404(NOUNS[type], params.id, id => findDocument(session.companyId, type, id)),
    initial: async request => {
      const { document, isVoid } = request.loaded;
      return isVoid
        ? { to: `${DOCUMENT_PATHS[type]}/${document.id}`, flash: VOIDED }
        : newForm(await startOf(request, request.loaded));
    },
    send: request => send(request, request.loaded),
    done: (refusal, { loaded: { document } }) =>
      refusal ?? {
        to: `${DOCUMENT_PATHS[type]}/${document.id}`,
        flash: `${document.number} is being sent by e-mail.`,
      },
    page: (state, { loaded }) => sendPage(state, loaded),
  });
}

/** Null, or the page that says which data the document lacks. */
async function send(request: PageRequest, sent: SentDocument): Promise<PageAnswer | null> {
  const { companyId } = request.session;
  const { document, customerName } = sent;
  const response = await createEmail({
    companyId,
    createdBy: actorOf(request.session),
    body: { [MEMBERS[document.type]]: document.id, ...bodyOf(request.form) },
    idempotencyKey: idempotencyKeyOf(request.form),
  });
  if (!('problem' in response)) return null;
  const problem = problemOf(response.problem);
  if (problem.code === 'idempotency_key_reused') throw new Problem('validation_failed', REUSED);
  if (!isRefusal(problem)) throw problem;
  return refusalPage(
    problem,
    `${DOCUMENT_PATHS[document.type]}/${document.id}`,
    customerName,
    request,
  );
}

function bodyOf(form: FormFields): Record<string, unknown> {
  const lines = (name: string) =>
    (form.get(name) ?? '').split(/[\r\n]+/u).filter(line => line.trim() !== '');
  const texts = (['subject', 'message'] as const).flatMap(name => {
    const text = form.get(name) ?? '';
    return text.trim() === '' ? [] : [[name, text]];
  });
  return {
    to: lines('to'),
    cc: lines('cc'),
    ...Object.fromEntries(texts),
    attach: form.get('ubl') === 'true' ? ['pdf', 'ubl'] : ['pdf'],
  };
}

/** The fields of a new form. With ?email= it starts like that e-mail. */
async function startOf(
  { session: { companyId }, query }: PageRequest,
  { document, customerName }: SentDocument,
): Promise<Record<string, string>> {
  const earlier = query.get('email') ?? '';
  const content =
    (isUuid(earlier) ? await findEmailText(companyId, earlier) : null) ??
    (await newContent(companyId, document, customerName));
  const { recipients, subject, message } = content;
  return { to: recipients.to.join('\n'), cc: recipients.cc.join('\n'), subject, message };
}

async function newContent(
  companyId: string,
  document: SentDocument['document'],
  customerName: string,
): Promise<EmailContent> {
  const [contact, profile] = await Promise.all([
    findContact(companyId, customerName),
    findProfile(companyId),
  ]);
  const { name = '', legalName = null } = profile?.profile ?? {};
  const text = await builtInTextOf(companyId, document, legalName ?? name);
  return { recipients: readRecipients({}, contact).recipients, ...text };
}

function sendPage(state: FormState, { document, customerName }: SentDocument): PageAnswer {
  const { type, id, number } = document;
  const path = `${DOCUMENT_PATHS[type]}/${id}`;
  const title = `Send ${number}`;
  const body = (
    <>
      <PageHead title={title} note={customerName}>
        <ButtonLink href={`${path}/pdf`} quiet>
          PDF
        </ButtonLink>
      </PageHead>
      <Panel title="E-mail" note="The PDF is attached, and kept as it is sent." split>
        <Form action={`${path}/send`} state={state} label={title} mostlyOptional>
          <TextArea name="to" label="To" hint="One address per line." rows={2} />
          <TextArea name="cc" label="Cc" hint="One address per line." rows={2} />
          <Field name="subject" label="Subject" autocomplete="off" />
          <TextArea name="message" label="Message" rows={8} />
          <Checkbox name="ubl" label="Attach the e-invoice as XML (UBL), too" />
          <FormActions submit="Send" cancel={path} />
        </Form>
      </Panel>
    </>
  );
  return { title, body };
}
