// The result of an import, as a badge and as a sentence.
import type { ImportRecord, ImportStatus } from '../../imports/queries.js';
import { Badge, type Tone } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import type { ImportPages } from './pages.js';

interface Outcome {
  readonly tone: Tone;
  readonly text: string;
}

const STATUSES: Readonly<Record<Exclude<ImportStatus, 'done'>, Outcome>> = {
  preview: { tone: 'plain', text: 'Not imported yet' },
  queued: { tone: 'plain', text: 'Importing' },
  refused: { tone: 'bad', text: 'Nothing imported' },
  failed: { tone: 'bad', text: 'Stopped' },
};

/** Only an import without rejected rows looks like a success. */
function outcomeOf({ status, undo, rowsDone, rowsFailed }: ImportRecord): Outcome {
  if (undo === 'done') return { tone: 'off', text: 'Undone' };
  if (status === 'queued' && undo === 'queued') return { tone: 'plain', text: 'Undoing' };
  if (status !== 'done') return STATUSES[status];
  if (rowsFailed === 0) return { tone: 'good', text: 'Done' };
  return rowsDone === 0 ? STATUSES.refused : { tone: 'warn', text: 'Partly imported' };
}

export function ImportBadge({ found }: { found: ImportRecord }) {
  const { tone, text } = outcomeOf(found);
  return <Badge tone={tone}>{text}</Badge>;
}

/** The progress or the result of the import. */
export function progressSentence(pages: ImportPages, found: ImportRecord): string {
  const { status, undo, rowsTotal, rowsDone, rowsFailed, allOrNothing } = found;
  const total = formatQuantity(rowsTotal);
  const done = formatQuantity(rowsDone);
  const failed = formatQuantity(rowsFailed);
  if (status === 'preview') return 'Nothing is imported yet.';
  if (undo === 'done') return `This import was undone. ${pages.undo.done}`;
  if (status === 'queued' && undo === 'queued')
    return 'Undoing this import. You can leave this page.';
  if (status === 'queued') {
    const processed = formatQuantity(rowsDone + rowsFailed);
    return allOrNothing
      ? `Importing all ${total} rows at once. You can leave this page.`
      : `${processed} of ${total} rows processed. You can leave this page.`;
  }
  if (pages.result) return pages.result(found);
  if (status === 'refused') {
    const have = rowsFailed === 1 ? 'has an error' : 'have errors';
    return `${failed} of ${total} rows ${have}, so nothing was imported.`;
  }
  if (status === 'failed') {
    const advice = 'Download the other rows and upload them again.';
    const imported = `${done} of ${total} rows were imported`;
    return `${imported}, then something went wrong on our side. ${advice}`;
  }
  if (rowsFailed === 0)
    return rowsTotal === 1 ? 'The row was imported.' : `All ${total} rows were imported.`;
  if (rowsDone === 0) return `Nothing was imported: ${failed} of ${total} rows were rejected.`;
  const were = rowsFailed === 1 ? 'was' : 'were';
  return `${done} of ${total} rows were imported, ${failed} ${were} rejected.`;
}
