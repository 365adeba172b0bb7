// Columns of lists whose rows are work that people save and finish later.
import type { ShownActor } from '../../../companies/actor.js';
import { By, Time } from '../ui/components.js';
import type { ListColumn } from '../ui/list.js';

interface SavedRow {
  readonly createdBy: ShownActor | null;
  readonly savedAt: string;
}

/** The person who started the row, under this head, and when it was last saved. */
export function savedColumns(head: string): readonly ListColumn<SavedRow>[] {
  return [
    { head, wraps: true, phone: 'hidden', cell: ({ createdBy }) => <By actor={createdBy} /> },
    {
      head: 'Saved',
      cell: ({ savedAt }) => (
        <>
          <span class="phone-only">saved </span>
          <Time at={savedAt} />
        </>
      ),
    },
  ];
}
