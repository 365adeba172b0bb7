// The addresses of the pages of a kind of import.
import { get, type PageRoute, post, postFile } from '../kit/page.js';
import { exportLeft, queueUndo, showImport, showProgress } from './import.js';
import { formPath, type ImportPages, importPath } from './pages.js';
import { changeDecimals, confirmImport } from './preview.js';
import { showImports, uploadFile } from './upload.js';

export function importPages(pages: ImportPages): PageRoute[] {
  const { guard, kind } = pages;
  const [form, path] = [formPath(pages), importPath(pages, ':id')];
  return [
    get(form, guard, request => showImports(pages, request)),
    postFile(form, guard, kind.maxFileBytes, request => uploadFile(pages, request)),
    get(path, guard, request => showImport(pages, request)),
    post(`${path}/start`, guard, request => confirmImport(pages, request)),
    post(`${path}/decimals`, guard, request => changeDecimals(pages, request)),
    ...(kind.undo ? [post(`${path}/undo`, guard, request => queueUndo(pages, request))] : []),
    get(`${path}/progress`, guard, request => showProgress(pages, request)),
    get(`${path}/left.csv`, guard, request => exportLeft(pages, request)),
  ];
}
