// Watches the output of the processes under test for secrets: anything that looks like an API key,
// and every password, token and cookie that a test has used. A finding fails the run at its end,
// with its line.
import type { ChildProcess } from 'node:child_process';

const KEY = /tpk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/u;
/** Shorter values may be ordinary words. */
const MIN_LENGTH = 7;
const SECRET_VARIABLES = ['SESSION_SECRET', 'METRICS_TOKEN'];
const URL_VARIABLES = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL'];

const secrets = new Set<string>();
/** Text of request bodies: allowed in responses and stores, but not in logs. */
const bodyTexts = new Set<string>();
const findings: string[] = [];

export function registerSecret(value: string): void {
  if (value.length >= MIN_LENGTH) secrets.add(value);
}

export function registerBodyText(bodyText: string): void {
  bodyTexts.add(bodyText);
}

/** Registers the secrets in a process's environment. */
export function registerSecretsOf(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of SECRET_VARIABLES) registerSecret(env[name] ?? '');
  for (const name of URL_VARIABLES) {
    const { password } = URL.canParse(env[name] ?? '')
      ? new URL(env[name] ?? '')
      : { password: '' };
    registerSecret(password);
  }
}

/** The first secret in the text, or null. */
export function findSecret(text: string): string | null {
  return KEY.exec(text)?.[0] ?? findAny(secrets, text);
}

function findAny(words: ReadonlySet<string>, text: string): string | null {
  for (const word of words) if (text.includes(word)) return word;
  return null;
}

/** Checks the output of a process. Lines that match `mayTell` may show a secret. */
export function checkOutput(
  name: string,
  text: string,
  mayTell: (line: string) => boolean = () => false,
): void {
  if (findSecret(text) === null && findAny(bodyTexts, text) === null) return;
  for (const line of text.split('\n')) {
    const found = mayTell(line) ? null : (findSecret(line) ?? findAny(bodyTexts, line));
    if (found !== null) findings.push(`${name} wrote "${found}": ${line.slice(0, 1_000)}`);
  }
}

/** Checks everything that a process writes, line by line, as it arrives. */
export function watchOutput(
  name: string,
  child: ChildProcess,
  mayTell?: (line: string) => boolean,
): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const end = chunk.lastIndexOf('\n') + 1;
      if (end > 0) checkOutput(name, rest + chunk.slice(0, end), mayTell);
      rest = end > 0 ? chunk.slice(end) : rest + chunk;
    });
    stream?.once('end', () => checkOutput(name, rest, mayTell));
  }
}

/** Returns the findings so far and clears them. */
export function takeFindings(): string[] {
  return findings.splice(0);
}
