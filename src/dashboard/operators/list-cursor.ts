// The cursor of an operators' list. Unlike a company's list, it shows its first page for a cursor
// that it did not make, such as one from a mistyped address.
import { Problem } from '../../platform/errors.js';
import type { Cursors } from '../../platform/http/pagination.js';
import type { PageRequest } from '../kit/page.js';

/** A list's order: a sort key, then an id. */
export type Position = readonly [key: string, id: string];

export function readStart(
  { session, query }: PageRequest,
  pager: Cursors,
  list: string,
): Position | null {
  try {
    const position = pager.position(session.companyId, list, query.get('after') ?? undefined);
    return (position as Position | undefined) ?? null;
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_cursor') return null;
    throw error;
  }
}
