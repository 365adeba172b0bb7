// The files of /docs: our stylesheet, icon and start-up script, and Swagger UI from its package.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Assets, createAssets } from '../platform/http/assets.js';

// Our own files exist only in the sources; the compiled code runs in dist/ beside them.
const OWN = fileURLToPath(new URL('../../../src/api-docs/assets', import.meta.url));

export function loadAssets(): Assets {
  const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const files = [
    join(OWN, 'docs.css'),
    join(OWN, 'reference.js'),
    join(OWN, 'favicon.svg'),
    join(swaggerUi, 'swagger-ui.css'),
    join(swaggerUi, 'swagger-ui-bundle.js'),
  ];
  return createAssets(
    '/docs/assets',
    new Map(files.map(file => [basename(file), readFileSync(file)])),
  );
}
