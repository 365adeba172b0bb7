// The part of a worker that sends e-mails.
import { runLeasedForever } from '../../platform/leases/work.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import type { MailSettings } from '../mail-settings.js';
import { attemptEmail, type PrepareEmail } from './attempt.js';
import { deliverToFiles } from './log-delivery.js';
import { deliverOverSmtp } from './smtp.js';

const POLL = { everyMs: 1_000, offsetMs: 700 };
/** A mail server that hangs holds a place for a minute. */
const PLACES = { places: 16, placesPerCompany: 4 };
const LEASE_MS = 120_000;
/** Making, composing and storing an e-mail takes as much processor time as twenty invoices. */
const PAUSE_BESIDE_WRITES_MS = 500;

export interface MailOptions {
  readonly prepare: PrepareEmail;
  /** Null without a mail server: e-mails then wait. */
  readonly settings: MailSettings | null;
  /** Whether this process has writes to settle, for which clients wait. */
  readonly hasWrites: () => boolean;
}

/**
 * Sends the e-mails that are due until the process stops: one after the other with a pause while
 * there are writes. Safe in every worker.
 */
export function sendEmailsForever(
  { prepare, settings, hasWrites }: MailOptions,
  log: Log,
  onStop: OnStop,
): void {
  if (!settings) return;
  const { url, logDirectory } = settings;
  const deliver = url === 'log:' ? deliverToFiles(logDirectory, log) : deliverOverSmtp(url);
  const leased = { table: 'emails', leaseMs: LEASE_MS };
  const sending = { leased, settings, prepare, deliver, log };
  runLeasedForever(
    {
      ...leased,
      ...PLACES,
      name: 'e-mails',
      poll: POLL,
      pauseMs: () => (hasWrites() ? PAUSE_BESIDE_WRITES_MS : 0),
      run: (lease, signal) => attemptEmail(sending, lease, signal),
    },
    log,
    onStop,
  );
}
