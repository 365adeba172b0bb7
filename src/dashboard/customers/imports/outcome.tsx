// The progress or the result of an import, as a badge and as a sentence.
import type { CustomerImport } from '../../../customers/imports/queries.js';
import { Badge } from '../../kit/ui/components.js';
import { formatQuantity } from '../../kit/ui/format.js';

export function ImportBadge({ found: { status, rowsFailed, rowsTotal } }: ImportProps) {
  switch (status) {
    case 'preview':
      return <Badge>Not imported yet</Badge>;
    case 'queued':
      return <Badge>Importing</Badge>;
    case 'failed':
      return <Badge tone="bad">Stopped</Badge>;
    default:
      if (rowsFailed === 0) return <Badge tone="good">Done</Badge>;
      return rowsFailed === rowsTotal ? (
        <Badge tone="bad">Nothing imported</Badge>
      ) : (
        <Badge tone="warn">Partly imported</Badge>
      );
  }
}

interface ImportProps {
  readonly found: CustomerImport;
}

/** The rows that were applied or refused. */
export function processedRows(found: CustomerImport): number {
  const { rowsAdded, rowsChanged, rowsSame, rowsFailed } = found;
  return rowsAdded + rowsChanged + rowsSame + rowsFailed;
}

export function progressSentence(found: CustomerImport): string {
  const { status, rowsTotal, rowsAdded, rowsChanged, rowsSame, rowsFailed } = found;
  const [total, processed] = [rowsTotal, processedRows(found)].map(formatQuantity);
  if (status === 'queued')
    return `${processed} of ${total} rows processed. You can leave this page.`;
  const [added, changed, same, failed] = [rowsAdded, rowsChanged, rowsSame, rowsFailed].map(
    formatQuantity,
  );
  const result = `${added} added, ${changed} changed, ${same} unchanged, ${failed} rejected.`;
  return status === 'failed'
    ? `${result} Then something went wrong on our side. ${UPLOAD_AGAIN}`
    : result;
}
const UPLOAD_AGAIN = 'Download the other rows and upload them again.';
