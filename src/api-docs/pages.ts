// The pages under /docs: one frame around the guides (HTML fragments in guides/), the error page, which is generated from
// the table of errors, and the reference.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEMS, type ProblemCode } from '../platform/errors.js';
import type { Assets } from '../platform/http/assets.js';
import { PROBLEM_GUIDE } from './problem-guide.js';
import { problemExample } from './responses.js';
import { FIELD_CODES } from './schemas.js';

// Read from the sources, as the assets are.
const GUIDES = fileURLToPath(new URL('../../../src/api-docs/guides', import.meta.url));

/** In the order of the navigation. */
const TITLES = {
  authentication: 'Authentication',
  idempotency: 'Idempotency',
  waiting: 'Waiting',
  pagination: 'Pagination',
  errors: 'Errors',
  'rate-limits': 'Rate limits',
} as const;

type Slug = keyof typeof TITLES;

export interface Page {
  readonly path: string;
  readonly html: string;
  /** True where it runs scripts and calls the API. */
  readonly scripted: boolean;
}

export function buildPages(assets: Assets): Page[] {
  const guides = (Object.keys(TITLES) as Slug[]).map(slug => {
    const path = `/docs/${slug}`;
    const text =
      slug === 'errors' ? errorsPage() : readFileSync(join(GUIDES, `${slug}.html`), 'utf8');
    const body = `<article><h1>${TITLES[slug]}</h1>\n${text}</article>`;
    return { path, html: frame({ title: TITLES[slug], path, body, assets }), scripted: false };
  });
  return [{ path: '/docs', html: referencePage(assets), scripted: true }, ...guides];
}

function referencePage(assets: Assets): string {
  return frame({
    title: 'API reference',
    path: '/docs',
    assets,
    head: `<link rel="stylesheet" href="${assets.path('swagger-ui.css')}">
<script src="${assets.path('swagger-ui-bundle.js')}" defer></script>
<script src="${assets.path('reference.js')}" defer></script>`,
    body: `<div id="reference"></div>
<noscript><article><h1>API reference</h1><p>The reference needs JavaScript. The guides above do not, and the same
information is in the <a href="/api/external/openapi.json">OpenAPI document</a>.</p></article></noscript>`,
  });
}

interface Frame {
  readonly title: string;
  readonly path: string;
  readonly body: string;
  readonly assets: Assets;
  readonly head?: string;
}

function frame({ title, path, body, assets, head = '' }: Frame): string {
  const links = [
    ['/docs', 'Reference'],
    ...Object.entries(TITLES).map(([slug, name]) => [`/docs/${slug}`, name]),
  ];
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

/** One section a code, with the anchor that a problem's `type` points at. */
function errorsPage(): string {
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
  return `${readFileSync(join(GUIDES, 'errors.html'), 'utf8')}
<h2>All codes</h2>
<div class="scroll"><table><thead><tr><th>Status</th><th>Codes</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>
${codes.map(errorSection).join('\n')}
<h2 id="fields">Field codes</h2>
<p>The <code>code</code> of each entry of <code>errors</code>.</p>
<div class="scroll"><table><thead><tr><th>Code</th><th>Meaning</th></tr></thead><tbody>${fields.join('\n')}</tbody></table></div>
`;
}

function errorSection(code: ProblemCode): string {
  const [status] = PROBLEMS[code];
  const { means, remedy } = PROBLEM_GUIDE[code];
  return `<section id="${code}">
<h3><a href="#${code}"><code>${code}</code></a> <span class="status">${status}</span></h3>
<p>${escapeHtml(means)}</p>
<p><strong>What to do:</strong> ${escapeHtml(remedy)}</p>
<details><summary>Example</summary><pre><code>${escapeHtml(JSON.stringify(problemExample(code), null, 2))}</code></pre></details>
</section>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
