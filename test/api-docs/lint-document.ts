// Runs Redocly's linter on the OpenAPI document, for a test and as a script (npm run lint:openapi).
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../config/index.js';
import { buildDocument } from '../../src/api-docs/document.js';
import { ROOT, temporaryDirectory } from '../support/processes.js';

const LINTER = join(ROOT, 'node_modules/.bin/redocly');
const RULES = join(ROOT, 'test/api-docs/redocly.yaml');
/** No update check, no telemetry. */
const QUIET = { REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' };

/** The linter's exit status and output. */
export async function lintDocument(): Promise<{ status: number | null; output: string }> {
  const { path, remove } = await temporaryDirectory();
  const file = join(path, 'openapi.json');
  await writeFile(file, JSON.stringify(buildDocument(undefined), null, 2));
  const { status, stdout, stderr } = spawnSync(LINTER, ['lint', file, '--config', RULES], {
    encoding: 'utf8',
    env: childEnvironment(QUIET),
  });
  await remove();
  return { status, output: `${stdout}${stderr}` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--help')) process.stdout.write('Lints the OpenAPI document.\n');
  else {
    const { status, output } = await lintDocument();
    process.stdout.write(output);
    process.exitCode = status ?? 1;
  }
}
