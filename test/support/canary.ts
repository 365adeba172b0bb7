// Watches all that leaves the processes under test for secrets: whatever has the form of an API key, and every password,
// token and cookie that a test has used. One that is found fails the run at its end, with its line.
import type { ChildProcess } from 'node:child_process';

const KEY = /tpk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/u;
/** Shorter ones are words that stand in a sentence by chance. */
const MIN_LENGTH = 7;
const SECRET_VARIABLES = ['SESSION_SECRET', 'METRICS_TOKEN'];
const URL_VARIABLES = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL'];

const secrets = new Set<string>();
/** What stands in request bodies and may be in answers and in the stores, but in no log. */
const bodyTexts = new Set<string>();
const findings: string[] = [];

export function keepSecret(value: string): void {
  if (value.length >= MIN_LENGTH) secrets.add(value);
}

export function keepOutOfLogs(bodyText: string): void {
  bodyTexts.add(bodyText);
}

/** Keeps the secrets of a process's environment. */
export function keepSecretsOf(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of SECRET_VARIABLES) keepSecret(env[name] ?? '');
  for (const name of URL_VARIABLES) {
    const { password } = URL.canParse(env[name] ?? '')
      ? new URL(env[name] ?? '')
      : { password: '' };
    keepSecret(password);
  }
}

/** The first secret in the text, null where there is none. */
export function findSecret(text: string): string | null {
  return KEY.exec(text)?.[0] ?? first(secrets, text);
}

function first(words: ReadonlySet<string>, text: string): string | null {
  for (const word of words) if (text.includes(word)) return word;
  return null;
}

/** Looks at what a process has written; `mayTell` are lines that are there to show a secret. */
export function checkOutput(
  name: string,
  text: string,
  mayTell: (line: string) => boolean = () => false,
): void {
  if (findSecret(text) === null && first(bodyTexts, text) === null) return;
  for (const line of text.split('\n')) {
    const found = mayTell(line) ? null : (findSecret(line) ?? first(bodyTexts, line));
    if (found !== null) findings.push(`${name} wrote "${found}": ${line.slice(0, 1_000)}`);
  }
}

/** Looks at all that a process writes, as it comes. */
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

/** What was found so far; it is forgotten with that. */
export function takeFindings(): string[] {
  return findings.splice(0);
}
