// The rules of the house that the compiler cannot check: import directions, sizes, outgoing calls.
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { ROOT } from './support/processes.js';
import { layerOf, readSources, sliceOf } from './support/sources.js';

/** A file of this size that belongs together is better than two that import each other. */
const MAX_LINES = 280;
const MAX_FILES = 15;

const files = readSources().map(source => ({
  ...source,
  imports: importsOf(source.path, source.text),
}));

/** The imported files, relative to the root and without their ending. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import\(?) ?'(\.{1,2}\/[^']+)\.js'/gu)].map(([, target = '']) =>
    relative(ROOT, join(ROOT, dirname(path), target)),
  );
}

const placeOf = (path: string) => layerOf(sliceOf(path));

/** The imports, as "file imports file", that meet a condition. */
const importsWhere = (isWrong: (path: string, target: string) => boolean): string[] =>
  files.flatMap(({ path, imports }) =>
    imports.filter(target => isWrong(path, target)).map(target => `${path} imports ${target}`),
  );

/** Each circle of imports, as the files on the way back to the first one. */
function importCircles(): string[] {
  const targets = new Map(files.map(({ path, imports }) => [withoutEnding(path), imports]));
  const circles: string[] = [];
  const finished = new Set<string>();
  const follow = (file: string, way: readonly string[]): void => {
    const first = way.indexOf(file);
    if (first >= 0) circles.push([...way.slice(first), file].join(' → '));
    if (first >= 0 || finished.has(file)) return;
    for (const target of targets.get(file) ?? []) follow(target, [...way, file]);
    finished.add(file);
  };
  for (const file of targets.keys()) follow(file, []);
  return circles;
}

const withoutEnding = (path: string): string => path.replace(/\.tsx?$/u, '');

/** The values imported from Node's network modules, and those among them that open a connection. */
const NODE_NETWORK = /import \{([^}]*)\} from 'node:(?:http|net|tls)'/gu;
const CLIENTS = /\b(request|get|connect|createConnection|Socket|Agent)\b/u;

describe('the sources', () => {
  it('import in one direction only', () => {
    expect(files.filter(({ path }) => placeOf(path) < 0).map(({ path }) => path)).to.deep.equal([]);
    expect(
      importsWhere((path, target) => placeOf(target) > placeOf(path) || placeOf(target) < 0),
    ).to.deep.equal([]);
  });

  it('import each other in no circle, not even for a type', () => {
    expect(importCircles()).to.deep.equal([]);
  });

  it('import platform/http from no other folder of platform', () => {
    const isHttp = (path: string) => path.startsWith('src/platform/http/');
    expect(
      importsWhere(
        (path, target) => path.startsWith('src/platform/') && !isHttp(path) && isHttp(target),
      ),
    ).to.deep.equal([]);
  });

  it('leave app, web and server to the web process', () => {
    expect(
      importsWhere(
        (path, target) =>
          /^(workers|src\/commands)\//u.test(path) && /^src\/(app|web|server)$/u.test(target),
      ),
    ).to.deep.equal([]);
  });

  it(`have at most ${MAX_LINES} lines per file and ${MAX_FILES} files per folder`, () => {
    const long = files.map(({ path, text }) => ({
      path,
      lines: text.trimEnd().split('\n').length,
    }));
    expect(long.filter(({ lines }) => lines > MAX_LINES)).to.deep.equal([]);
    const sizes = new Map<string, number>();
    for (const { path } of files) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
    const crowded = [...sizes].filter(([, size]) => size > MAX_FILES);
    expect(crowded).to.deep.equal([]);
  });

  it('read the environment in config alone', () => {
    const readers = files.filter(({ text }) => /process\.env\b/u.test(text));
    expect(readers.map(({ path }) => path)).to.deep.equal(['config/index.ts']);
  });

  it('open sessions of Postgres in one place, which gives all of them the same settings', () => {
    const openers = files.filter(({ text }) =>
      /\bnew (pg\.)?(Client|Pool)\b|\bextends pg\.(Client|Pool)\b/u.test(text),
    );
    expect(openers.map(({ path }) => path)).to.deep.equal(['src/platform/db/client.ts']);
  });

  it('connect to nothing but Postgres, Redis, a mail server and the receivers of webhooks', () => {
    const callers = files.filter(
      ({ path, text }) =>
        // In a browser, the pages' Content-Security-Policy restricts requests to the same origin.
        !path.startsWith('src/dashboard/browser/') &&
        (/from '(node:)?(https|http2|dgram|dns(\/promises)?|undici|axios|got)'/u.test(text) ||
          [...text.replaceAll(/\btype \w+|import type [^;]*;/gu, '').matchAll(NODE_NETWORK)].some(
            ([, names = '']) => CLIENTS.test(names),
          ) ||
          /(?<![.\w])fetch\(/u.test(text)),
    );
    // One of two other connections out: to the receivers of webhooks, whose addresses it looks up.
    expect(callers.map(({ path }) => path)).to.deep.equal([
      'src/webhooks/sending/exchange.ts',
      'src/webhooks/sending/sender.ts',
      'src/webhooks/target/resolve.ts',
    ]);
    // The other one: to the mail server that the operator names.
    const mailers = files.filter(({ text }) => /from 'nodemailer\b/u.test(text));
    expect(mailers.map(({ path }) => path)).to.deep.equal([
      'src/emails/sending/compose.ts',
      'src/emails/sending/smtp.ts',
    ]);
  });
});
