// The e-mails of an invoice or a credit note, the newest first, with what became of them.
import type { EmailedType, EmailStatus } from '../../emails/email.js';
import { emailsOf, type ShownEmail } from '../../emails/queries.js';
import { Badge, By, Panel, Time, type Tone } from '../kit/ui/components.js';

const MAX_SHOWN = 20;
/** The id of the list on the page of a document. */
const LIST = 'e-mails';

/** The pages of documents. */
export const DOCUMENT_PATHS: Readonly<Record<EmailedType, string>> = {
  invoice: '/invoices',
  creditNote: '/credit-notes',
};

/** The e-mails of a document, on its page. */
export function emailsPath(type: EmailedType, documentId: string): string {
  return `${DOCUMENT_PATHS[type]}/${documentId}#${LIST}`;
}

const STATES: Readonly<Record<EmailStatus, { label: string; tone: Tone }>> = {
  queued: { label: 'Waiting', tone: 'warn' },
  sent: { label: 'Sent', tone: 'done' },
  failed: { label: 'Failed', tone: 'bad' },
};

export function readEmails(companyId: string, documentId: string): Promise<ShownEmail[]> {
  return emailsOf(companyId, documentId, MAX_SHOWN);
}

interface PanelProps {
  readonly emails: readonly ShownEmail[];
  /** The page that sends the document; null for visitors who may not. */
  readonly sendPath: string | null;
}

/** Nothing without an e-mail. */
export function EmailsPanel({ emails, sendPath }: PanelProps) {
  if (emails.length === 0) return null;
  const note = emails.length === MAX_SHOWN && `The newest ${MAX_SHOWN}`;
  return (
    <Panel title="E-mails" note={note}>
      <ol id={LIST} class="movements" aria-label="E-mails">
        {emails.map(email => (
          <Sent key={email.id} email={email} sendPath={sendPath} />
        ))}
      </ol>
    </Panel>
  );
}

function Sent({ email, sendPath }: { email: ShownEmail } & Pick<PanelProps, 'sendPath'>) {
  const { id, status, to, cc, error, createdAt, createdBy } = email;
  const { label, tone } = STATES[status];
  return (
    <li>
      <p class="movement-kind">{[...to, ...cc].join(', ')}</p>
      <p class="movement-change">
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p class="movement-when">
        <By actor={createdBy} />
        {' · '}
        <Time at={createdAt} />
        {sendPath !== null && status !== 'queued' && (
          <>
            {' · '}
            <a class="in-text" href={`${sendPath}?email=${id}`}>
              Send again
            </a>
          </>
        )}
        {error !== null && <span class="movement-note">{error.detail}</span>}
        {error?.rejected.map(({ address, reply }) => (
          <span key={address} class="movement-note">
            {address}: {reply}
          </span>
        ))}
      </p>
    </li>
  );
}
