// The files that pages load, read once at start: our stylesheet and modules, and the chart library from its package. All
// lie under one address with a hash of them all, so modules find each other, browsers keep them, and a release is seen at
// once. Below it modules lie as they do in the sources: what the server computes with, a browser imports from the same file.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The stylesheet and the icon are read from the sources, the modules from the compiled tree.
const SOURCES = fileURLToPath(new URL('../../../../src/dashboard/kit/ui', import.meta.url));
const COMPILED = fileURLToPath(new URL('../..', import.meta.url));
const BROWSER = 'dashboard/browser';
/** Modules of the server that modules of browser/ import: pure, and importing nothing but each other. */
const SHARED = [
  'platform/values/money.js',
  'dashboard/kit/ui/format.js',
  'dashboard/invoices/amounts.js',
];
const UPLOT = join(dirname(createRequire(import.meta.url).resolve('uplot/package.json')), 'dist');

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Assets {
  readonly all: readonly Asset[];
  /** The address of a file; a .js is one of browser/. Throws where there is none. */
  path(name: string): string;
}

export function loadAssets(): Assets {
  const styles = [join(UPLOT, 'uPlot.min.css'), join(SOURCES, 'styles.css')].map(file =>
    readFileSync(file),
  );
  const modules = readdirSync(join(COMPILED, BROWSER)).filter(name => name.endsWith('.js'));
  const files = new Map<string, Buffer>([
    ['styles.css', Buffer.concat(styles)],
    ['icon.svg', readFileSync(join(SOURCES, 'icon.svg'))],
    [`${BROWSER}/uplot.js`, readFileSync(join(UPLOT, 'uPlot.esm.js'))],
    ...[...SHARED, ...modules.map(name => `${BROWSER}/${name}`)].map(
      place => [place, readFileSync(join(COMPILED, place))] as const,
    ),
  ]);
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  const base = `/assets/${hash.digest('hex').slice(0, 12)}`;
  return {
    all: [...files].map(([name, bytes]) => ({
      path: `${base}/${name}`,
      type: typeOf(name),
      bytes,
    })),
    path(name) {
      const place = name.endsWith('.js') ? `${BROWSER}/${name}` : name;
      if (!files.has(place)) throw new Error(`there is no asset ${name}`);
      return `${base}/${place}`;
    },
  };
}

function typeOf(name: string): string {
  if (name.endsWith('.svg')) return 'image/svg+xml';
  return name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
}
