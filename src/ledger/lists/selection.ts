// The rows that the filters `q` and `updatedSince` of a list select: known ones, or a condition on
// each row.
import type { Changes } from './changes.js';

/** For the description of a list. */
export const LIST_ADVICE =
  'A plain array; the `Link` header leads to the next page. With several filters, or with `q` or ' +
  '`updatedSince`, a page may have fewer rows than the limit, or none, and still have a next page.';

interface Selection {
  /** The only rows that may be listed; null for all. */
  readonly only: readonly string[] | null;
  readonly condition: Changes['condition'] | null;
}

/** `changed` is null without `updatedSince`; `found` is null without a text, or for too many. */
export async function selectionOf(
  changed: Promise<Changes> | null,
  found: readonly string[] | null,
): Promise<Selection> {
  const changes = await changed;
  if (!changes?.few) return { only: found, condition: changes?.condition ?? null };
  const few = new Set(changes.few);
  return { only: found ? found.filter(each => few.has(each)) : changes.few, condition: null };
}
