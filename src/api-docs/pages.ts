// The pages under /docs: one frame around the guides (HTML fragments in guides/), the error page,
// which is generated from the table of errors, and the reference.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEMS, type ProblemCode } from '../platform/errors.js';
import { assets } from './assets.js';
import { FIELD_CODES, PROBLEM_GUIDE } from './problem-guide.js';
import { problemExample } from './responses.js';

// Read from the sources, like the assets.
const FRAGMENTS = fileURLToPath(new URL('../../../src/api-docs/guides', import.meta.url));

export interface Page {
  readonly path: string;
  readonly html: string;
  /** True if the page runs scripts and calls the API. */
  readonly scripted: boolean;
}

/** The reference and the guides, which are given as titles by the last part of their paths. */
export function buildPages(guides: Readonly<Record<string, string>>): Page[] {
  const links = [
    ['/docs', 'Reference'] as const,
    ...Object.entries(guides).map(([slug, title]) => [`/docs/${slug}`, title] as const),
  ];
  const pages = Object.entries(guides).map(([slug, title]) => {
    const path = `/docs/${slug}`;
    const text = readFileSync(join(FRAGMENTS, `${slug}.html`), 'utf8');
    const generated = slug === 'errors' ? errorCodes() : '';
    const body = `<article><h1>${title}</h1>\n${text}${generated}</article>`;
    return { path, html: frame({ title, path, body, links }), scripted: false };
  });
  return [{ path: '/docs', html: referencePage(links), scripted: true }, ...pages];
}

function referencePage(links: Frame['links']): string {
  return frame({
    title: 'API reference',
    path: '/docs',
    links,
    head: `<link rel="stylesheet" href="${assets.path('swagger-ui.css')}">
<script src="${assets.path('swagger-ui-bundle.js')}" defer></script>
<script src="${assets.path('reference.js')}" defer></script>`,
    body: `<div id="reference"></div>
<noscript><article><h1>API reference</h1>
<p>The reference needs JavaScript. The guides above do not, and the
<a href="/api/external/openapi.json">OpenAPI document</a> has the same information.</p>
</article></noscript>`,
  });
}

interface Frame {
  readonly title: string;
  readonly path: string;
  readonly body: string;
  /** The navigation: paths and their names. */
  readonly links: readonly (readonly [path: string, name: string])[];
  readonly head?: string;
}

function frame({ title, path, body, links, head = '' }: Frame): string {
  const navigation = links
    .map(
      ([href, name]) =>
        `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${name}</a>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tradepost API</title>
<link rel="icon" href="${assets.path('favicon.svg')}" type="image/svg+xml">
${head}
<link rel="stylesheet" href="${assets.path('docs.css')}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/docs">Tradepost API</a>
<nav aria-label="Documentation">
${navigation}
<a href="/api/external/openapi.json">OpenAPI</a>
</nav>
</header>
<main id="content">
${body}
</main>
</body>
</html>
`;
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
