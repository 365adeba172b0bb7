// Imports of CSV files through the dashboard's forms.
import { randomUUID } from 'node:crypto';
import type { Response } from './client.js';
import type { Browser } from './dashboard.js';

export interface FileToImport {
  readonly content: string | Buffer;
  readonly name?: string;
  /** Of the upload form; another one makes another import. */
  readonly key?: string;
}

/** Uploads a file. Answers with a redirect to its preview, or with the refused form. */
export function uploadFile(
  browser: Browser,
  { content, name = 'stock.csv', key = randomUUID() }: FileToImport,
): Promise<Response> {
  const form = '/inventory/import';
  return browser.upload(form, form, { key }, { name, content });
}

/** Presses Import in the preview at `path`, which redirects to that path. */
export function startImport(
  browser: Browser,
  path: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  return browser.post(path, `${path}/start`, fields);
}

/** Uploads a file and starts its import. Answers with the first refusal, if any. */
export async function importFile(
  browser: Browser,
  file: FileToImport,
  { decimals, ...fields }: Record<string, string> = {},
): Promise<Response> {
  const uploaded = await uploadFile(browser, file);
  const path = uploaded.headers.location ?? '';
  if (uploaded.status !== 303) return uploaded;
  if (decimals !== undefined) {
    const reread = await browser.post(path, `${path}/format`, { decimals });
    if (reread.status !== 303) return reread;
  }
  return startImport(browser, path, fields);
}
