// The pages under /docs in their frame: the front page, with the quickstart and the reference, the
// guides (HTML fragments in guides/) and the changelog. The error page is generated from the table
// of errors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API } from '../platform/api-path.js';
import { PROBLEMS, type ProblemCode } from '../platform/errors.js';
import { docsAssets } from './assets.js';
import { changelogSection } from './changelog.js';
import { buildDocument, CONVENTIONS } from './document.js';
import { FIELD_CODES, PROBLEM_GUIDE } from './problem-guide.js';
import { ORIGIN, quickstartSection } from './quickstart.js';
import { type ApiDocument, referenceSection } from './reference/reference.js';
import { problemExample } from './responses.js';

// The files exist only in the sources, like the assets.
const FRAGMENTS = fileURLToPath(new URL('../../../src/api-docs/guides', import.meta.url));

const FRONT = '/docs';
const CHANGELOG = '/docs/changelog';

type Links = readonly (readonly [path: string, name: string])[];
/** Renders a page for an installation at this address. */
type Render = (origin: string) => string;

/** Builds the pages by path. `guides` has the title of each guide by the last part of its path. */
export function buildPages(guides: Readonly<Record<string, string>>): Map<string, Render> {
  const links = Object.entries(guides).map(([slug, title]) => [`/docs/${slug}`, title] as const);
  const pages = new Map<string, Render>();
  for (const [slug, title] of Object.entries(guides)) {
    const path = `/docs/${slug}`;
    const text = readFileSync(join(FRAGMENTS, `${slug}.html`), 'utf8');
    const generated = slug === 'errors' ? errorCodes() : '';
    const html = frame(title, path, links, `<h1>${title}</h1>\n${text}${generated}`);
    pages.set(path, () => html);
  }
  const changes = `<h1>Changelog</h1>\n${changelogSection()}`;
  const changelog = frame('Changelog', CHANGELOG, links, changes);
  pages.set(CHANGELOG, () => changelog);
  const [before = '', ...others] = frame('API', FRONT, links, frontPage(links)).split(ORIGIN);
  pages.set(FRONT, origin => [before, ...others].join(escapeHtml(origin)));
  return pages;
}

function frontPage(links: Links): string {
  const document = buildDocument(undefined) as unknown as ApiDocument;
  return `<h1>Tradepost API</h1>
<p class="lead">Create invoices, record payments, track stock and read the month's figures over
HTTP and JSON.</p>
${quickstartSection(links)}
${referenceSection(document, CONVENTIONS)}`;
}

function frame(title: string, path: string, guides: Links, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tradepost docs</title>
<link rel="icon" href="${docsAssets.path('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${docsAssets.path('docs.css')}">
<script src="${docsAssets.path('docs.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${FRONT}">Tradepost docs</a>
<a href="/">Dashboard</a>
</header>
<nav aria-label="Documentation">
<details>
<summary>Contents</summary>
${navigation(path, guides)}
</details>
</nav>
<main id="content" tabindex="-1">
${body}
</main>
</body>
</html>
`;
}

function navigation(path: string, guides: Links): string {
  const sections: [title: string, links: Links][] = [
    ['Start', [[FRONT, 'Quickstart']]],
    ['Guides', guides],
    [
      'Reference',
      [
        [`${FRONT}#reference`, 'Conventions'],
        [`${FRONT}#invoices`, 'Invoices'],
        [`${FRONT}#payments`, 'Payments'],
        [`${FRONT}#credit-notes`, 'Credit notes'],
        [`${FRONT}#documents`, 'Documents'],
        [`${FRONT}#customers`, 'Customers'],
        [`${FRONT}#receivables`, 'Receivables'],
        [`${FRONT}#inventory`, 'Inventory'],
        [`${FRONT}#summary`, 'Summary'],
        [`${FRONT}#jobs`, 'Jobs'],
        [`${FRONT}#headers`, 'Headers'],
        [`${API}/openapi.json`, 'OpenAPI'],
        [CHANGELOG, 'Changelog'],
      ],
    ],
  ];
  const items = (links: Links) =>
    links.map(([href, name]) => {
      const current = href === path ? ' aria-current="page"' : '';
      return `<li><a href="${href}"${current}>${name}</a></li>`;
    });
  return sections
    .map(([title, links]) => `<p>${title}</p>\n<ul>${items(links).join('\n')}</ul>`)
    .join('\n');
}

/** The codes by status, and one section per code with the anchor of a problem's `type`. */
function errorCodes(): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const statuses = [...new Set(codes.map(code => PROBLEMS[code][0]))];
  const rows = statuses.map(status => {
    const links = codes
      .filter(code => PROBLEMS[code][0] === status)
      .map(code => `<a href="#${code}"><code>${code}</code></a>`);
    return `<tr><td>${status}</td><td>${links.join(' ')}</td></tr>`;
  });
  const fields = Object.entries(FIELD_CODES).map(
    ([code, text]) => `<tr><td><code>${code}</code></td><td>${escapeHtml(text)}</td></tr>`,
  );
  return `
<h2>All codes</h2>
${table('Status', 'Codes', rows)}
${codes.map(errorSection).join('\n')}
<h2 id="fields">Field codes</h2>
<p>The <code>code</code> of each entry of <code>errors</code>.</p>
${table('Code', 'Meaning', fields)}
`;
}

function table(first: string, second: string, rows: readonly string[]): string {
  return `<div class="scroll"><table>
<thead><tr><th>${first}</th><th>${second}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>`;
}

function errorSection(code: ProblemCode): string {
  const [status] = PROBLEMS[code];
  const { means, remedy } = PROBLEM_GUIDE[code];
  const example = JSON.stringify(problemExample(code), null, 2);
  return `<section id="${code}">
<h3><a href="#${code}"><code>${code}</code></a> <span class="status">${status}</span></h3>
<p>${escapeHtml(means)}</p>
<p><strong>What to do:</strong> ${escapeHtml(remedy)}</p>
<details><summary>Example</summary><pre><code>${escapeHtml(example)}</code></pre></details>
</section>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
