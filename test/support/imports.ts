// Imports of CSV files through the dashboard's forms.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Json, Response } from './client.js';
import type { Browser } from './dashboard.js';
import { until } from './processes.js';

export interface FileToImport {
  readonly content: string | Buffer;
  readonly name?: string;
  /** The path of the upload form; that of stock by default. */
  readonly form?: string;
  /** Of the upload form; another one makes another import. */
  readonly key?: string;
}

/** The form and the file name of an import of customers. */
export const CUSTOMERS = { form: '/customers/import', name: 'customers.csv' } as const;

/** Uploads a file. Answers with a redirect to its preview, or with the refused form. */
export function uploadFile(
  browser: Browser,
  { content, name = 'stock.csv', form = '/inventory/import', key = randomUUID() }: FileToImport,
): Promise<Response> {
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

/** Waits until the import at `path` has ended, or its undo. Returns its progress. */
export async function untilImported(browser: Browser, path: string): Promise<Json> {
  let progress: Json;
  await until('the import has ended', async () => {
    progress = (await browser.get(`${path}/progress`)).body;
    return progress.status !== 'queued';
  });
  return progress;
}

/** Presses Undo on the import's page, which redirects to that page. */
export function startUndo(browser: Browser, path: string): Promise<Response> {
  return browser.post(path, `${path}/undo`, {});
}

/** Undoes the import at `path`. Returns its page. */
export async function undoImport(browser: Browser, path: string): Promise<Response> {
  expect((await startUndo(browser, path)).status).to.equal(303);
  await untilImported(browser, path);
  return browser.get(path);
}
