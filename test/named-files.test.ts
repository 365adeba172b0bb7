// The documentation for engineers leads to files by their names, which change with the code.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from './support/processes.js';

const WHERE = ['src', 'workers', 'config', 'test', 'docs'];
/** A source file in code style, such as `emails/sending/smtp.ts`. */
const NAMED = /`([\w./-]+\.(?:tsx?|sql|sh))`/gu;

describe('the documentation', () => {
  it('names only files that exist', () => {
    const files = WHERE.flatMap(folder => filesIn(folder));
    const documents = ['README.md', ...files.filter(file => /^docs\/[\w-]+\.md$/u.test(file))];
    const missing = documents.flatMap(document =>
      [...readFileSync(join(ROOT, document), 'utf8').matchAll(NAMED)]
        .map(([, name = '']) => name)
        .filter(name => !files.some(file => `/${file}`.endsWith(`/${name}`)))
        .map(name => `${document}: ${name}`),
    );
    expect(missing).to.deep.equal([]);
  });
});

function filesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true });
  return names.map(name => `${folder}/${String(name)}`);
}
