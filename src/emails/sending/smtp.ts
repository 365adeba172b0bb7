// Delivers an e-mail over SMTP (RFC 5321), one connection per attempt. Which step failed decides
// whether it is tried again: a refusal of all recipients or of the message is final, and anything
// before that may be a fault of the server or of its settings.
import { isIP } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { asciiAddress } from '../addresses.js';
import type { EmailError } from '../email.js';
import type { DeliverMail, Envelope, MailOutcome } from './delivery.js';
import { SOME_REFUSED } from './refusals.js';

/** The wait for the server at each step. */
const ANSWER_MS = 60_000;
/** A server that answers bit by bit must not hold an attempt up for longer. */
const ATTEMPT_MS = 300_000;
/** After the outcome, the server has this long to take leave. */
const QUIT_MS = 5_000;
const MAX_REPLY = 500;

type SendInfo = Awaited<ReturnType<typeof converse>>;
/** The parts of nodemailer's errors that are used here. */
interface SmtpFailure extends Error {
  readonly code?: string | undefined;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly rejectedErrors?: readonly SmtpFailure[] | undefined;
  readonly recipient?: string | undefined;
}

/** `url` is smtp:// or smtps://, with the user and password if the server wants them. */
export function deliverOverSmtp(url: string, answerMs = ANSWER_MS): DeliverMail {
  return async (_id, whole, message, signal) => {
    const envelope = withoutRepeatedCopy(whole);
    const overall = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
    try {
      return accepted(await converse(new URL(url), envelope, message, answerMs, overall), envelope);
    } catch (error) {
      return refused(error as SmtpFailure, envelope);
    }
  };
}

/** A recipient who also gets the copies is named to the server once. */
function withoutRepeatedCopy(envelope: Envelope): Envelope {
  const { to, copyTo } = envelope;
  const keyOf = (address: string) => asciiAddress(address).toLowerCase();
  const isRepeated = copyTo !== null && to.some(address => keyOf(address) === keyOf(copyTo));
  return isRepeated ? { ...envelope, copyTo: null } : envelope;
}

/** Resolves once the server has accepted the message for someone. Rejects with a SmtpFailure. */
function converse(
  url: URL,
  { from, to, copyTo }: Envelope,
  message: Buffer,
  answerMs: number,
  signal: AbortSignal,
) {
  const connection = new SMTPConnection(optionsOf(url, answerMs));
  const recipients = [...to, ...(copyTo === null ? [] : [copyTo])].map(asciiAddress);
  const tracked: TrackedEnvelope = { from: asciiAddress(from), to: recipients };
  return new Promise<{ readonly rejectedErrors?: readonly SmtpFailure[] | undefined }>(
    (resolve, reject) => {
      const fail = (error: Error) => {
        signal.removeEventListener('abort', abort);
        connection.close();
        reject(Object.assign(error, refusalsBefore(tracked)));
      };
      const abort = () => fail(Object.assign(new Error('aborted'), { code: 'ETIMEDOUT' }));
      const send = () =>
        connection.send(tracked, message, (error, info) => {
          if (error) return fail(error);
          signal.removeEventListener('abort', abort);
          connection.quit();
          setTimeout(() => connection.close(), QUIT_MS).unref();
          resolve(info as NonNullable<typeof info>);
        });
      signal.addEventListener('abort', abort, { once: true });
      // A connection that breaks after the outcome fails nothing.
      connection.on('error', fail);
      if (signal.aborted) return abort();
      connection.connect(error => {
        if (error) return fail(error);
        if (url.username === '') return send();
        connection.login(credentialsOf(url), failure => (failure ? fail(failure) : send()));
      });
    },
  );
}

/** The connection notes the answers in the envelope that it is given. */
interface TrackedEnvelope {
  readonly from: string;
  readonly to: string[];
  readonly mailError?: unknown;
  readonly rejectedErrors?: readonly SmtpFailure[];
}

/** The refusals of addresses before a failure. Without a sender, no address is judged. */
function refusalsBefore({ mailError, rejectedErrors }: TrackedEnvelope): Partial<SmtpFailure> {
  return mailError ? {} : { rejectedErrors };
}

function optionsOf(url: URL, answerMs: number) {
  const host = url.hostname.replaceAll(/^\[|\]$/gu, '');
  const secure = url.protocol === 'smtps:';
  return {
    host,
    port: Number(url.port || (secure ? 465 : 25)),
    secure,
    tls: { rejectUnauthorized: !isLoopback(host), minVersion: 'TLSv1.2' as const },
    connectionTimeout: answerMs,
    greetingTimeout: answerMs,
    socketTimeout: answerMs,
    dnsTimeout: answerMs,
  };
}

/** A certificate of this machine's own server is rarely signed by an authority. */
function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '::1' || host === 'localhost' || host.endsWith('.localhost');
}

function credentialsOf({ username, password }: URL) {
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

function accepted({ rejectedErrors = [] }: SendInfo, envelope: Envelope): MailOutcome {
  const rejected = rejectedBy(rejectedErrors, envelope);
  // The copy alone was accepted.
  if (rejected.length === envelope.to.length) return allRejected(rejectedErrors, envelope);
  if (rejected.length === 0) return { type: 'sent', error: null };
  return { type: 'sent', error: { code: 'smtp_refused', detail: SOME_REFUSED, rejected } };
}

function refused(failure: SmtpFailure, envelope: Envelope): MailOutcome {
  const { command, response, responseCode, rejectedErrors = [] } = failure;
  if (command === 'RCPT TO') return allRejected(rejectedErrors, envelope);
  const rejected = rejectedBy(rejectedErrors, envelope);
  if (responseCode === undefined) {
    const detail = UNREACHABLE[failure.code ?? ''] ?? BROKEN;
    const cause = `${failure.code ?? 'error'}: ${failure.message}`;
    return { type: 'postponed', error: { code: 'smtp_unreachable', detail, rejected }, cause };
  }
  const detail = `The mail server refused the e-mail: ${replyOf(response)}`;
  const isFinal = command === 'DATA' && isPermanent(failure);
  const error: EmailError = { code: 'smtp_refused', detail, rejected };
  return { type: isFinal ? 'failed' : 'postponed', error };
}

function allRejected(errors: readonly SmtpFailure[], envelope: Envelope): MailOutcome {
  const rejected = rejectedBy(errors, envelope);
  const detail = 'The mail server refused all addresses.';
  const error: EmailError = { code: 'smtp_refused', detail, rejected };
  const own = errors.filter(({ recipient }) => recipientOf(recipient, envelope) !== undefined);
  return { type: own.every(isPermanent) ? 'failed' : 'postponed', error };
}

function rejectedBy(errors: readonly SmtpFailure[], envelope: Envelope) {
  return errors.flatMap(({ recipient, response }) => {
    const address = recipientOf(recipient, envelope);
    return address === undefined ? [] : [{ address, reply: replyOf(response) }];
  });
}

/** The recipient as the e-mail names it; undefined for the copy's address. */
function recipientOf(recipient: string | undefined, { to }: Envelope): string | undefined {
  return to.find(address => asciiAddress(address) === recipient);
}

function isPermanent({ responseCode = 0 }: SmtpFailure): boolean {
  return responseCode >= 500;
}

/** Names no host: clients see the sentence, and operators the log. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The mail server was not found.',
  ETLS: 'The mail server offered no secure connection.',
  EAUTH: 'The mail server did not accept the user of the installation.',
};
const BROKEN = 'The mail server could not be reached, or broke the connection.';

function replyOf(response = ''): string {
  return response
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_REPLY);
}
