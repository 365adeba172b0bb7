// The files that pages load, read once at start: our stylesheet and modules, and the chart library from its package. All
// lie under one address with a hash of them all, so modules find each other, browsers keep them, and a release is seen at once.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The stylesheet and the icon are read from the sources, the modules from the compiled tree.
const SOURCES = fileURLToPath(new URL('../../../src/dashboard', import.meta.url));
const MODULES = fileURLToPath(new URL('browser', import.meta.url));
const UPLOT = join(dirname(createRequire(import.meta.url).resolve('uplot/package.json')), 'dist');

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Assets {
  readonly all: readonly Asset[];
  /** The address of a file. Throws where there is none. */
  path(name: string): string;
}

export function loadAssets(): Assets {
  const styles = [join(UPLOT, 'uPlot.min.css'), join(SOURCES, 'styles.css')].map(file => readFileSync(file));
  const files = new Map<string, Buffer>([
    ['styles.css', Buffer.concat(styles)],
    ['icon.svg', readFileSync(join(SOURCES, 'icon.svg'))],
    ['uplot.js', readFileSync(join(UPLOT, 'uPlot.esm.js'))],
    ...readdirSync(MODULES)
      .filter(name => name.endsWith('.js'))
      .map(name => [name, readFileSync(join(MODULES, name))] as const),
  ]);
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  const base = `/assets/${hash.digest('hex').slice(0, 12)}`;
  return {
    all: [...files].map(([name, bytes]) => ({ path: `${base}/${name}`, type: typeOf(name), bytes })),
    path(name) {
      if (!files.has(name)) throw new Error(`there is no asset ${name}`);
      return `${base}/${name}`;
    },
  };
}

function typeOf(name: string): string {
  if (name.endsWith('.svg')) return 'image/svg+xml';
  return name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
}
