// The events of planned adjustments and of the items that they create or change.
import type { NewEvents } from '../../feed/append.js';
import type { PlannedWrite } from '../../jobs/write-kind.js';
import type { AdjustmentPlan } from '../rules.js';
import { itemEvent, lastChanges } from './item-events.js';

/** Adds them in the order of the writes. `timeOf`: when the transaction began, RFC 3339. */
export function addAdjustmentEvents(
  planned: readonly PlannedWrite<unknown, AdjustmentPlan>[],
  timeOf: (companyId: string) => string,
  events: NewEvents,
): void {
  for (const { write, plan } of planned) {
    const { companyId, resultId, createdBy: actor } = write;
    events.add(
      companyId,
      { type: 'adjustment.created', subjectId: resultId, actor },
      ...lastChanges(plan.items).map(change => itemEvent(change, timeOf(companyId), actor)),
    );
  }
}
