// One word for one thing: an exported name exists once, so a search for it finds one declaration.
import { expect } from 'chai';
import { readSources } from './support/sources.js';

/** Names that several files export, by reason. The lists may only shrink: an unused name fails. */
const SHARED: Readonly<Record<string, string>> = {
  'a word of the types of options, of requests or of JSON': 'number object text time uuid',
  'a thread loads it from the module of the kind of import': 'FORMAT',
  'the component of a page has the name of what it shows': 'InvoiceStatus',
  'a view of the dashboard has the name of what it views': 'InvoiceLine Item Answer',
};
const DECLARATION =
  /^export (?:async |abstract )*(?:const|let|function\*?|class|interface|type) (\w+)/gmu;

/** The names that more than one of the files exports, in order, as "name: files". */
function repeatedNames(sources: ReturnType<typeof readSources>): Map<string, string[]> {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of sources)
    for (const [, name = ''] of text.matchAll(DECLARATION))
      files.set(name, (files.get(name) ?? new Set()).add(path));
  return new Map(
    [...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, [...paths]]),
  );
}

describe('an exported name', () => {
  it('exists once', () => {
    const allowed = new Set(Object.values(SHARED).join(' ').split(' '));
    const repeated = repeatedNames(readSources());
    const found = [...repeated].filter(([name]) => !allowed.has(name));
    expect(found.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).to.deep.equal([]);
    expect([...allowed].filter(name => !repeated.has(name))).to.deep.equal([]);
  });

  it('is found in each kind of declaration', () => {
    const exporting = (path: string, line: string) => ({ path, text: `${line}\n` });
    const lines = ['const a = 1;', 'async function a() {}', 'function* a() {}', 'type a = 1;'];
    for (const line of [...lines, 'class a {}', 'interface a {}', 'abstract class a {}']) {
      const sources = [exporting('one', `export ${line}`), exporting('two', 'export let a;')];
      expect([...repeatedNames(sources).keys()], line).to.deep.equal(['a']);
    }
    expect(repeatedNames([exporting('one', 'export const a = 1;'), exporting('two', 'const a;')]))
      .to.be.empty;
  });
});
