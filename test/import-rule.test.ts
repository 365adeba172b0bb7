// The rules of the house that a compiler does not know: imports go one way, one file reads the environment.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { ROOT } from './support/processes.js';

// Left to right: a file imports from its own place or from one further left.
const ORDER =
  'config platform embedded-postgres companies api-keys users jobs inventory invoices write-kinds summary scheduled verify api-docs dashboard app'.split(
    ' ',
  );
const PLACES = [...ORDER, 'server demo start commands workers'];

const files = ['config', 'src', 'workers'].flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/u.test(name))
    .map(name => ({
      path: join(folder, name),
      text: readFileSync(join(ROOT, folder, name), 'utf8'),
    })),
);

/** src/jobs/routes.ts is of jobs, src/app.ts of app, workers/main.ts of workers. */
const placeOf = (path: string): number => {
  const name = path.replace(/^src\//u, '').replace(/[/.].*$/u, '');
  return PLACES.findIndex(place => place.split(' ').includes(name));
};
const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(/from '(\.{1,2}\/[^']+)\.js'/gu)].map(match =>
    relative(ROOT, join(ROOT, path, '..', match[1] ?? '')),
  );

describe('the sources', () => {
  it('import only from their left', () => {
    expect(files.filter(({ path }) => placeOf(path) < 0).map(({ path }) => path)).to.deep.equal([]);
    const wrong = files.flatMap(({ path, text }) =>
      importsOf(path, text)
        .filter(target => placeOf(target) > placeOf(path) || placeOf(target) < 0)
        .map(target => `${path} imports ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('leave app and server to the web process', () => {
    const wrong = files.filter(
      ({ path, text }) =>
        /^(workers|src\/commands)\//u.test(path) &&
        importsOf(path, text).some(target => /^src\/(app|server)$/u.test(target)),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('read the environment in config alone', () => {
    const readers = files
      .filter(({ text }) => /process\.env\b/u.test(text))
      .map(({ path }) => path);
    expect(readers).to.deep.equal(['config/index.ts']);
  });

  it('call no address that a request could choose: what goes out goes to Postgres and Redis, by their libraries', () => {
    const callers = files.filter(
      ({ path, text }) =>
        // What a browser runs is held by the pages' Content-Security-Policy: own addresses alone.
        !path.startsWith('src/dashboard/browser/') &&
        (/from '(node:)?(https|http2|dgram|dns|undici|axios|got)'/u.test(text) ||
          /import \{[^}]*\b(request|get|connect|createConnection|Socket|Agent)\b[^}]*\} from 'node:(http|net|tls)'/u.test(
            text.replaceAll(/\btype \w+|import type [^;]*;/gu, ''),
          ) ||
          /(?<![.\w])fetch\(/u.test(text)),
    );
    expect(callers.map(({ path }) => path)).to.deep.equal([]);
  });
});
