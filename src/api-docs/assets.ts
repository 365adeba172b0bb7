// The files of /docs: our stylesheet, icon and start-up script, and Swagger UI from its package.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAssets } from '../platform/http/assets.js';

// Our own files exist only in the sources; the compiled code runs in dist/ beside them.
const OWN = fileURLToPath(new URL('../../../src/api-docs/assets', import.meta.url));

export const assets = createAssets('/docs/assets', () => {
  const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const read = (folder: string, ...names: string[]) =>
    names.map(name => [name, readFileSync(join(folder, name))] as const);
  return new Map([
    ...read(OWN, 'docs.css', 'reference.js', 'favicon.svg'),
    ...read(swaggerUi, 'swagger-ui.css', 'swagger-ui-bundle.js'),
  ]);
});
