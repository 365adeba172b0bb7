// The variables of e-mail.
import Joi from 'joi';

/** The pauses between attempts: a minute at first, and almost two days in all. */
const RETRY_SECONDS = '60,300,1800,7200,21600,43200,86400';
const MAX_RETRIES = 20;
const MAX_PAUSE_SECONDS = 604_800;

/** One plain address, as in the envelope of an e-mail. */
const PLAIN_ADDRESS = /^[\w.+-]{1,64}@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d-]+)*$/iu;
const FILES = 'log:';

const SERVER = /^smtps?:\/\/[^\s/?#]+\/?$/u;

function isServer(value: string): boolean {
  if (!SERVER.test(value) || !URL.canParse(value)) return false;
  const { hostname, username, password } = new URL(value);
  const canDecode = [username, password].every(part => !/%(?![\da-f]{2})/iu.test(part));
  return hostname !== '' && canDecode && (username === '') === (password === '');
}

function pausesOf(value: string): number[] | null {
  const pauses = value.split(',').map(part => (/^\s*\d{1,7}\s*$/u.test(part) ? Number(part) : 0));
  const isValid =
    pauses.length <= MAX_RETRIES &&
    pauses.every(seconds => seconds >= 1 && seconds <= MAX_PAUSE_SECONDS);
  return isValid ? pauses : null;
}

const checked = (read: (value: string) => unknown, rule: string) =>
  Joi.string()
    .custom((value: string, helpers) => read(value) ?? helpers.error('any.invalid'))
    .messages({ 'any.invalid': `{#label} must be ${rule}` });

export const MAIL_VARIABLES = {
  MAIL_URL: checked(
    value => (value === FILES || isServer(value) ? value : null),
    'smtp://[user:password@]host[:port], smtps://… or log:',
  ),
  MAIL_FROM: checked(
    value => (PLAIN_ADDRESS.test(value) ? value : null),
    'one e-mail address without a name',
  )
    .when('MAIL_URL', {
      not: Joi.string().pattern(/^smtp/u).required(),
      otherwise: Joi.required(),
    })
    .messages({ 'any.required': '{#label} is required with a mail server in MAIL_URL' }),
  MAIL_RETRY_SECONDS: checked(
    pausesOf,
    `1 to ${MAX_RETRIES} whole numbers from 1 to ${MAX_PAUSE_SECONDS}, separated by commas`,
  ).default(pausesOf(RETRY_SECONDS)),
};

export interface MailConfig {
  /** smtp://, smtps:// or log:. Undefined: this installation sends no e-mail. */
  readonly url: string | undefined;
  /** The address in From. */
  readonly from: string;
  /** The pauses between the attempts of an e-mail. */
  readonly retrySeconds: readonly number[];
}

interface MailValues {
  readonly MAIL_URL: string | undefined;
  readonly MAIL_FROM: string | undefined;
  readonly MAIL_RETRY_SECONDS: readonly number[];
}

/** Without a mail server, a development installation writes e-mails to files. */
export function mailConfig(values: MailValues, isDevelopment: boolean): MailConfig {
  const { MAIL_URL, MAIL_FROM, MAIL_RETRY_SECONDS: retrySeconds } = values;
  const url = MAIL_URL ?? (isDevelopment ? FILES : undefined);
  return { url, from: MAIL_FROM ?? 'tradepost@localhost', retrySeconds };
}
