// Every form of the dashboard is a declaration: the kit alone makes the route of a POST, so a
// refused form is shown again in one way, with its input and its errors.
import { expect } from 'chai';
import { readSources } from '../support/sources.js';

/** The page of a button inside a larger form, which shows that form with a refusal of its own. */
const PRESSED = [
  'src/dashboard/invoices/drafts/save.ts',
  'src/dashboard/inventory/deliveries/receive.ts',
];

const isPage = (path: string) => /^src\/dashboard\/(?!kit\/|browser\/)/u.test(path);

/** The pages that import one of these names from a module of the kit. */
function pagesThatImport(names: RegExp, module: string): string[] {
  const imported = new RegExp(
    `import (?:type )?\\{([^}]*)\\} from '[./]+/kit/${module}\\.js'`,
    'gu',
  );
  return readSources()
    .filter(({ path }) => isPage(path))
    .filter(({ text }) => [...text.matchAll(imported)].some(([, list = '']) => names.test(list)))
    .map(({ path }) => path);
}

describe('the forms of the dashboard', () => {
  it('have no handler outside of a declaration', () => {
    expect(pagesThatImport(/\b(?:post|postFile)\b/u, 'page')).to.deep.equal([]);
  });

  it('leave refusals to the kit', () => {
    expect(pagesThatImport(/\b(?:refusalOf|refusedForm)\b/u, 'forms/form')).to.have.members(
      PRESSED,
    );
  });

  it('leave the places of errors to the kit', () => {
    const moves = readSources().filter(
      ({ path, text }) => isPage(path) && /\bpointer: (?!string)/u.test(text),
    );
    expect(moves.map(({ path }) => path)).to.deep.equal([]);
  });
});
