// The client types, generated from the OpenAPI document. As a script (npm run client) it writes
// them to the file that /docs/client offers; a test checks that they are current.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { buildDocument } from '../../src/api-docs/document.js';
import { ROOT } from '../support/processes.js';

const PATH = 'src/api-docs/client/tradepost.d.ts';
export const TYPES_FILE = join(ROOT, PATH);
const HEAD = `// The types of the Tradepost API, generated from its OpenAPI document. Do not edit.
// Use them with openapi-fetch: see /docs/client.
`;
const HELP = `
npm run client

Generates the types of the typed client from the OpenAPI document and writes them to
${PATH}, which /docs/client offers as a download.
`;

export async function clientTypes(): Promise<string> {
  const document = buildDocument(undefined) as unknown as Parameters<typeof openapiTS>[0];
  return `${HEAD}${astToString(await openapiTS(document, { alphabetize: false }))}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--help')) process.stdout.write(`${HELP.trim()}\n`);
  else {
    await writeFile(TYPES_FILE, await clientTypes());
    process.stdout.write(`Wrote the client's types to ${PATH}.\n`);
  }
}
