// Watches the output of the processes under test for secrets: anything that looks like an API key,
// and every password, token and cookie that a test has used. A finding fails the run at its end,
// with its line.
import type { ChildProcess } from 'node:child_process';

const KEY = /tpk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/u;
/** Shorter values may be ordinary words. */
const MIN_LENGTH = 7;
const SECRET_VARIABLES = ['SESSION_SECRET', 'METRICS_TOKEN'];
const URL_VARIABLES = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL'];

/** By their first MIN_LENGTH characters: a run has thousands, and every text is checked for all. */
const secrets = new Map<string, Set<string>>();
/** Hashes of their first three characters: 0 if no secret starts with these. */
const starts = new Uint8Array(1 << 16);
/** Text of request bodies: allowed in responses and stores, but not in logs. */
const bodyTexts = new Set<string>();
const findings: string[] = [];

export function registerSecret(value: string): void {
  if (value.length < MIN_LENGTH) return;
  const start = value.slice(0, MIN_LENGTH);
  secrets.set(start, (secrets.get(start) ?? new Set()).add(value));
  starts[hashAt(value, 0)] = 1;
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
  for (let at = 0; at <= text.length - MIN_LENGTH; at += 1) {
    if (starts[hashAt(text, at)] === 0) continue;
    for (const secret of secrets.get(text.slice(at, at + MIN_LENGTH)) ?? [])
      if (text.startsWith(secret, at)) return secret;
  }
  return KEY.exec(text)?.[0] ?? null;
}

function hashAt(text: string, at: number): number {
  const high = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31;
  return (high + text.charCodeAt(at + 2)) & 0xffff;
}

function findBodyText(text: string): string | null {
  for (const bodyText of bodyTexts) if (text.includes(bodyText)) return bodyText;
  return null;
}

/** Checks the output of a process. Lines that match `mayTell` may show a secret. */
export function checkOutput(
  name: string,
  text: string,
  mayTell: (line: string) => boolean = () => false,
): void {
  if (findSecret(text) === null && findBodyText(text) === null) return;
  for (const line of text.split('\n')) {
    const found = mayTell(line) ? null : (findSecret(line) ?? findBodyText(line));
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
