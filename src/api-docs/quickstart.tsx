// The quickstart: a key, a first invoice and a first error. The samples are files, so that they can
// be run as they are printed. Without CSS that knows :has(), all languages are shown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderToString } from 'preact-render-to-string';
import { problemExample } from './responses.js';

const SAMPLES = fileURLToPath(new URL('../../../src/api-docs/samples', import.meta.url));

const LANGUAGES = [
  { id: 'curl', name: 'curl', extension: 'sh', run: null },
  { id: 'javascript', name: 'JavaScript', extension: 'mjs', run: 'node' },
  { id: 'python', name: 'Python', extension: 'py', run: 'python3' },
] as const;

/** Stands for the installation's address, which is known when a page is requested. */
export const ORIGIN = '{origin}';

/** The section as HTML. `guides` are addresses and titles. */
export function quickstartSection(guides: readonly (readonly [string, string])[]): string {
  return renderToString(
    <section class="quickstart" aria-labelledby="quickstart">
      <h2 id="quickstart">Quickstart</h2>
      <fieldset class="languages">
        <legend>Code samples</legend>
        {LANGUAGES.map(({ id, name }, index) => (
          <label key={id}>
            <input type="radio" name="language" id={`language-${id}`} checked={index === 0} />
            {name}
          </label>
        ))}
      </fieldset>
      <FirstKey />
      <h3 id="first-invoice">2. Create an invoice</h3>
      <p>
        A line that names a stock item also takes it out of stock. This one doesn’t, so it works
        with an empty inventory.
      </p>
      <Sample name="invoice" />
      <p>
        The response is <strong>201 Created</strong> with the invoice. It has a number, such as{' '}
        <code>INV-000001</code>, and the total <code>18.5</code>, plus tax if the company has a
        default rate. The <a href="/invoices">dashboard</a> shows it as well.
      </p>
      <p>
        A line with the <code>sku</code> of a stock item may leave out its name and price:{' '}
        <code>{'{ "sku": "HS-006", "qty": 2 }'}</code>. It then has the item’s name and price.
      </p>
      <FirstError />
      <h3 id="next">Next</h3>
      <ul class="next">
        {guides.map(([href, title]) => (
          <li key={href}>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ul>
    </section>,
  );
}

function FirstKey() {
  return (
    <>
      <h3 id="first-key">1. Get an API key</h3>
      <p>
        <a href="/integrations/api-access/new">Create an API key</a> in the dashboard.{' '}
        <code>npm start</code> also prints one for its demo company. Set both variables in your
        terminal:
      </p>
      <pre>
        <code>{`export TRADEPOST_URL=${ORIGIN}\nexport TRADEPOST_KEY=tpk_…`}</code>
      </pre>
    </>
  );
}

function FirstError() {
  return (
    <>
      <h3 id="first-error">3. Handle an error</h3>
      <p>This invoice has a quantity of 0 and a misspelled field:</p>
      <Sample name="error" />
      <p>
        The response is <strong>422</strong>, and nothing was written. Every error has this form (
        <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>). <code>code</code> is for
        your program, <code>detail</code> for people, and <code>errors</code> lists every invalid
        field of the body:
      </p>
      <pre>
        <code>{JSON.stringify(problemExample('validation_failed'), null, 2)}</code>
      </pre>
      <p>
        <a href="/docs/errors">All errors, and what to do about each</a>
      </p>
    </>
  );
}

/** One sample in every language. The stylesheet shows the chosen language. */
function Sample({ name }: { name: 'invoice' | 'error' }) {
  return (
    <>
      {LANGUAGES.map(({ id, name: language, extension, run }) => (
        <div key={id} class="sample" data-language={id}>
          <p class="note">
            {language}
            {run && (
              <>
                : save it as <code>{`${name}.${extension}`}</code> and run{' '}
                <code>{`${run} ${name}.${extension}`}</code>
              </>
            )}
          </p>
          <pre>
            <code>{read(`${name}.${extension}`)}</code>
          </pre>
        </div>
      ))}
    </>
  );
}

function read(name: string): string {
  return readFileSync(join(SAMPLES, name), 'utf8').trimEnd();
}
