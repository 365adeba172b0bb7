// The addresses of the pages of a kind of import.
import { get, type PageRoute } from '../kit/page.js';
import { exportLeft, showImport, showProgress, undoButton } from './import.js';
import { type ImportPages, importPath } from './pages.js';
import { columnsForm, formatForm, startForm } from './preview.js';
import { uploadForm } from './upload.js';

export function importPages(pages: ImportPages): PageRoute[] {
  const { guard } = pages;
  const path = importPath(pages, ':id');
  return [
    ...uploadForm(pages),
    get(path, guard, request => showImport(pages, request)),
    ...startForm(pages),
    ...formatForm(pages),
    ...columnsForm(pages),
    undoButton(pages),
    get(`${path}/progress`, guard, request => showProgress(pages, request)),
    get(`${path}/left.csv`, guard, request => exportLeft(pages, request)),
  ];
}
