// The client types, generated from the OpenAPI document. As a script (npm run client) it writes
// them to test/support/api-types.ts; a test checks that they are current.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { buildDocument } from '../../src/api-docs/document.js';
import { ROOT } from '../support/processes.js';

export const TYPES_FILE = join(ROOT, 'test/support/api-types.ts');
const HEAD = '// Generated from the OpenAPI document by `npm run client`. Do not edit.\n';

export async function clientTypes(): Promise<string> {
  const document = buildDocument(undefined) as unknown as Parameters<typeof openapiTS>[0];
  return `${HEAD}${astToString(await openapiTS(document, { alphabetize: false }))}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--help'))
    process.stdout.write('Writes the client types to test/support/api-types.ts.\n');
  else await writeFile(TYPES_FILE, await clientTypes());
}
