// Every form of the dashboard is a declaration: the kit alone makes the route of a POST, so a
// refused form is shown again in one way, with its input and its errors.
import { expect } from 'chai';
import { readSources } from '../support/sources.js';

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

/** Files whose fields are in the form of another file. */
const FORM_OF_FIELDS: Readonly<Record<string, string>> = {
  'invoices/form/lines.tsx': 'invoices/form/page.tsx',
  'payments/money/allocation-fields.tsx': 'payments/money/allocate.tsx',
};

/** A count sheet only notes a quantity: it is booked after a review. */
const NOTES_ONLY = 'inventory/counts/sheet.tsx';

describe('the forms of the dashboard', () => {
  it('have no handler outside of a declaration', () => {
    expect(pagesThatImport(/\b(?:post|postFile)\b/u, 'page')).to.deep.equal([]);
  });

  it('leave refusals to the kit', () => {
    expect(pagesThatImport(/\b(?:refusalOf|refusedForm)\b/u, 'forms/form')).to.deep.equal([]);
  });

  it('leave the places of errors to the kit', () => {
    const moves = readSources().filter(
      ({ path, text }) => isPage(path) && /\bpointer: (?!string)/u.test(text),
    );
    expect(moves.map(({ path }) => path)).to.deep.equal([]);
  });

  it('of quantities and amounts are deliberate: Enter sends none of them', () => {
    const field = /name=(?:"|\{`[^`]*\.|\{name\(')(?:amount|delta|qty|quantity|price|unitPrice)\b/u;
    const files = readSources().filter(
      ({ path, text }) => isPage(path) && !path.endsWith(NOTES_ONLY) && field.test(text),
    );
    const sent = new Map(Object.entries(FORM_OF_FIELDS));
    const wrong = files.filter(({ path, text }) => {
      const form = sent.get(path.replace('src/dashboard/', ''));
      const own =
        form === undefined
          ? text
          : (readSources().find(each => each.path.endsWith(form))?.text ?? '');
      return /<Form\b/u.test(own) && !/<Form\b[^>]*\bdeliberate\b/su.test(own);
    });
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
    expect(files).to.have.length.at.least(6);
  });
});
