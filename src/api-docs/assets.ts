// The files of /docs: its stylesheet, its icon, and the script of the copy buttons.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAssets } from '../platform/http/assets.js';

// They exist only in the sources; the compiled code runs in dist/ beside them.
const FOLDER = fileURLToPath(new URL('../../../src/api-docs/assets', import.meta.url));

export const assets = createAssets(
  '/docs/assets',
  () =>
    new Map(
      ['docs.css', 'docs.js', 'favicon.svg'].map(name => [name, readFileSync(join(FOLDER, name))]),
    ),
);
