// Where e-mails go: the settings of the process, which are the same in web and worker.
import { join } from 'node:path';
import type { Config } from '../../config/index.js';
import { Problem } from '../platform/errors.js';

export interface MailSettings {
  /** smtp://, smtps:// or log:. */
  readonly url: string;
  /** The address in From. */
  readonly from: string;
  /** The pauses between attempts. */
  readonly retrySeconds: readonly number[];
  /** The folder of the files that log: writes. */
  readonly logDirectory: string;
}

let settings: MailSettings | null = null;

/** Sets them when the process starts. */
export function configureMail({ mail, dataDir }: Pick<Config, 'mail' | 'dataDir'>): void {
  const { url, ...others } = mail;
  settings = url === undefined ? null : { url, ...others, logDirectory: join(dataDir, 'mail') };
}

/** Null without a mail server. */
export function mailSettings(): MailSettings | null {
  return settings;
}

/** Throws Problem `email_not_configured` without a mail server. */
export function requireMail(): void {
  if (!settings) throw new Problem('email_not_configured', NOT_CONFIGURED);
}

const NOT_CONFIGURED =
  'This installation has no mail server. Its operator sets MAIL_URL and MAIL_FROM.';
