// Writes changed records in steps of bounded size, and their exposures.
import { type ChangedRows, writeChanges } from '../../customers/write.js';
import type { Transaction } from '../../platform/db/connection.js';
import { stepsOf } from '../../platform/values/steps.js';
import { movesExposure, syncExposures } from '../exposures.js';

/** Records per step. */
const RECORDS_PER_STEP = 1_000;

/** The records are written in their order: a name or number may move to a later one. */
export async function writeChangesInSteps(changes: ChangedRows, tx: Transaction): Promise<void> {
  const idOf = ({ before, after }: ChangedRows['records'][number]) => (after ?? before)?.id ?? '';
  let nextEvent = Number(changes.nextEvent);
  for (const [index, records] of [...stepsOf(changes.records, RECORDS_PER_STEP)].entries()) {
    const ids = new Set(records.map(idOf));
    const versions = changes.versions.filter(({ id }) => ids.has(id));
    const nameChanges = index === 0 ? changes.nameChanges : [];
    const step = { ...changes, records, versions, nameChanges, nextEvent: String(nextEvent) };
    await writeChanges(step, tx);
    nextEvent += versions.length;
    const moved = records.filter(({ before, after }) =>
      movesExposure(before ?? undefined, after ?? undefined),
    );
    await syncExposures(changes.companyId, moved.map(idOf), tx);
  }
}
