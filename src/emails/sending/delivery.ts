// The outcome of an attempt to deliver an e-mail.
import type { EmailError } from '../email.js';

export interface Envelope {
  readonly from: string;
  /** The recipients that the e-mail names. */
  readonly to: readonly string[];
  /** Gets a copy. The outcome does not depend on it. */
  readonly copyTo: string | null;
}

export type MailOutcome =
  /** Accepted for at least one recipient. The error names the others. */
  | { readonly type: 'sent'; readonly error: EmailError | null }
  /** Refused for good. */
  | { readonly type: 'failed'; readonly error: EmailError }
  /** To be tried again. The cause is for the log: it may name the server. */
  | { readonly type: 'postponed'; readonly error: EmailError; readonly cause?: string };

/** Delivers the bytes of an e-mail. Aborting breaks the connection. Throws no refusal. */
export type DeliverMail = (
  id: string,
  envelope: Envelope,
  message: Buffer,
  signal: AbortSignal,
) => Promise<MailOutcome>;
