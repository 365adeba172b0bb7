// The files of /docs: its stylesheet, font and icon, and the script of the copy buttons.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAssets, interFont } from '../platform/http/assets.js';

// The files exist only in the sources. The compiled code in dist/ reads them there.
const FOLDER = fileURLToPath(new URL('../../../src/api-docs/assets', import.meta.url));

const STYLES = ['docs.css', 'content.css', 'reference.css'];

export const docsAssets = createAssets('/docs/assets', () => {
  const read = (name: string) => readFileSync(join(FOLDER, name));
  const font = interFont();
  return new Map([
    ['docs.css', Buffer.concat([font.css, ...STYLES.map(read)])],
    ...font.files,
    ...['docs.js', 'favicon.svg'].map(name => [name, read(name)] as const),
  ]);
});
