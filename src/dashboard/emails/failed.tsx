// E-mails that failed: the page that lists them, and their mark in lists of documents.
import type { ComponentChildren } from 'preact';
import {
  countFailed,
  FAILED_DAYS,
  type FailedEmail,
  failedAmong,
  listFailed,
} from '../../documents/emails/failed.js';
import type { EmailedType } from '../../emails/email.js';
import type { Session } from '../../users/sessions.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, PageHead, Time } from '../kit/ui/components.js';
import { formatCount } from '../kit/ui/format.js';
import { List, type ListColumn } from '../kit/ui/list.js';
import { emailsPath } from './panel.js';

export const FAILED_EMAILS = '/emails/failed';
const MAX_SHOWN = 100;

/** A row of a list of documents. */
export interface MayHaveFailed {
  readonly id: string;
  /** True if the newest e-mail of the document failed. */
  readonly emailFailed?: boolean;
}

/**
 * Rows of a list of documents, with the mark of those whose newest e-mail failed and that can still
 * be sent.
 */
export async function withFailed<Row extends MayHaveFailed>(
  companyId: string,
  rows: readonly Row[],
  isSendable: (row: Row) => boolean = () => true,
): Promise<Row[]> {
  const ids = rows.filter(isSendable).map(({ id }) => id);
  const failed = await failedAmong(companyId, ids);
  return failed.size === 0
    ? [...rows]
    : rows.map(row => ({ ...row, emailFailed: failed.has(row.id) }));
}

interface MarkableProps {
  readonly type: EmailedType;
  readonly row: MayHaveFailed;
  /** The state of the document. */
  readonly children: ComponentChildren;
}

/**
 * The state of a document, and below it a link to its e-mails if the newest one failed. A phone
 * leaves out a plain state, but not if it is within another element.
 */
export function MarkableState({ type, row, children }: MarkableProps) {
  if (!row.emailFailed) return <>{children}</>;
  return (
    <div>
      {children}
      <a class="email-failed" href={emailsPath(type, row.id)}>
        E-mail failed
      </a>
    </div>
  );
}

/** How many documents the overview names. */
export function readFailedCount({ companyId }: Pick<Session, 'companyId'>): Promise<number> {
  return countFailed(companyId);
}

/** The line of the overview; nothing without such documents. */
export function FailedLine({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p class="message warn">
      <a class="in-text" href={FAILED_EMAILS}>
        {formatCount(count, 'e-mail')} failed
      </a>{' '}
      in the last {FAILED_DAYS} days.
    </p>
  );
}

export async function showFailed({ session }: PageRequest): Promise<PageAnswer> {
  const emails = await listFailed(session.companyId, MAX_SHOWN);
  const note = emails.length === MAX_SHOWN ? `The newest ${MAX_SHOWN} of` : 'Of';
  const title = 'E-mails that failed';
  const body = (
    <>
      <PageHead title={title} note={`${note} the last ${FAILED_DAYS} days`}>
        <ButtonLink href="/invoices" quiet>
          All invoices
        </ButtonLink>
      </PageHead>
      {emails.length === 0 ? (
        <Empty title="No e-mails failed" icon="invoices">
          <p class="note">A document is listed here if its newest e-mail could not be delivered.</p>
        </Empty>
      ) : (
        <div class="panel list-panel">
          <List
            caption={title}
            rows={emails}
            hrefOf={({ type, documentId }) => emailsPath(type, documentId)}
            columns={COLUMNS}
          />
        </div>
      )}
    </>
  );
  return { title, body };
}

const COLUMNS: readonly ListColumn<FailedEmail>[] = [
  { head: 'Number', cell: ({ number }) => number },
  { head: 'To', wraps: true, cell: ({ to }) => to.join(', ') },
  { head: 'Date', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: 'Why it failed', wraps: true, phone: 'hidden', cell: ({ detail }) => detail },
];
