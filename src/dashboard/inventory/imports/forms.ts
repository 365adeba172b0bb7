// The forms of an import: start it, read its file with another decimal separator or other columns,
// undo it.
import type { StockImport } from '../../../inventory/imports/queries.js';
import { rereadPreview } from '../../../inventory/imports/service.js';
import { startImport } from '../../../inventory/imports/start.js';
import { requestUndo } from '../../../inventory/imports/undo/state.js';
import { refusalOf } from '../../kit/forms/form.js';
import type { Answer, PageRequest } from '../../kit/page.js';
import { chosenColumns } from './choose-columns.js';
import { type PreviewForms, previewPage } from './preview.js';
import { getImport } from './progress.js';

/** Starts the import. Sent again, it leads to the same import. */
export function confirmImport(request: PageRequest): Promise<Answer> {
  const { session, form } = request;
  return changePreview(request, 'start', ({ id }) =>
    startImport(session.companyId, id, {
      allOrNothing: form.get('allOrNothing') === 'true',
      ignoresExpected: form.get('ignoresExpected') === 'true',
    }),
  );
}

export function changeDecimals(request: PageRequest): Promise<Answer> {
  const { companyId, allowNegativeStock } = request.session;
  const decimalMark = request.form.get('decimals') === ',' ? ',' : '.';
  return changePreview(request, 'start', ({ id, columns: chosen }) =>
    rereadPreview(companyId, id, { decimalMark, chosen, allowNegativeStock }),
  );
}

/** Reads the file with other columns, and detects the decimal separator in those. */
export function changeColumns(request: PageRequest): Promise<Answer> {
  const { companyId, allowNegativeStock } = request.session;
  return changePreview(request, 'columns', ({ id, header }) => {
    const chosen = chosenColumns(request.form, header);
    return rereadPreview(companyId, id, { decimalMark: null, chosen, allowNegativeStock });
  });
}

/** Queues the undo. Sent again, it leads to the same import. */
export async function queueUndo(request: PageRequest): Promise<Answer> {
  const { companyId, userId } = request.session;
  const { id, undo } = await getImport(request);
  const isQueued = await requestUndo(companyId, id, userId);
  const to = `/inventory/imports/${id}`;
  return isQueued || undo !== null ? { to } : { to, flash: 'This import can no longer be undone.' };
}

async function changePreview(
  request: PageRequest,
  form: keyof PreviewForms,
  change: (found: StockImport) => Promise<void>,
): Promise<Answer> {
  const found = await getImport(request);
  try {
    await change(found);
    return { to: `/inventory/imports/${found.id}` };
  } catch (error) {
    const { state, answer } = refusalOf(request.form, error);
    return { ...(await previewPage(request, found, { [form]: state })), ...answer };
  }
}
