// The files that the pages need, read once at start: our stylesheet and start-up script, and Swagger UI from its package.
// Each address carries a hash of the content, so browsers keep it and a release is seen at once.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Read from the sources: the compiled tree lies in dist/ beside them.
const OWN = fileURLToPath(new URL('../../../src/api-docs/assets', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export type AssetName =
  | 'docs.css'
  | 'reference.js'
  | 'favicon.svg'
  | 'swagger-ui.css'
  | 'swagger-ui-bundle.js';
export type Assets = ReadonlyMap<AssetName, Asset>;

export function loadAssets(): Assets {
  return new Map([
    load('docs.css', OWN, 'text/css; charset=utf-8'),
    load('reference.js', OWN, 'text/javascript; charset=utf-8'),
    load('favicon.svg', OWN, 'image/svg+xml'),
    load('swagger-ui.css', SWAGGER_UI, 'text/css; charset=utf-8'),
    load('swagger-ui-bundle.js', SWAGGER_UI, 'text/javascript; charset=utf-8'),
  ]);
}

/** The address of an asset. */
export function assetPath(assets: Assets, name: AssetName): string {
  return assets.get(name)?.path ?? '';
}

function load(name: AssetName, directory: string, type: string): [AssetName, Asset] {
  const bytes = readFileSync(join(directory, name));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return [name, { path: `/docs/assets/${hash}/${name}`, type, bytes }];
}
