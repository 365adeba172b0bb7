// Where an endpoint begins to read the feed.
import { readFeedPosition } from '../../events/read.js';
import { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';

/**
 * The position of `after`; the newest event's without it. Throws Problem `events_expired`, or
 * `validation_failed` for one beyond the newest event.
 */
export async function positionAfter(
  companyId: string,
  after: number | 'last' | undefined,
): Promise<number> {
  const { oldest, newest } = await readFeedPosition(companyId);
  if (after === undefined || after === 'last') return newest;
  if (after > newest) throw invalidField('after', `The newest event is ${newest}.`);
  if (after < oldest - 1)
    throw new Problem('events_expired', `The oldest event that is retained is ${oldest}.`, {
      members: { oldest },
    });
  return after;
}
