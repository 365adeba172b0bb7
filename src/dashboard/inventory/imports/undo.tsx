// Undoing an import: the button on the import's page, and why an undo was refused.
import type { UndoRefusal } from '../../../imports/kind.js';
import type { StockImport } from '../../../inventory/imports/kind.js';
import type { Obstacle } from '../../../inventory/imports/undo/changes.js';
import { Panel, Time } from '../../kit/ui/components.js';
import { Button, Form } from '../../kit/ui/fields.js';
import { formatCount, formatQuantity } from '../../kit/ui/format.js';
import { MOVEMENT_LABELS } from '../item-view.js';

/** Nothing for an import that was undone, or that cannot be undone. */
export function UndoPanel({ found }: { found: StockImport }) {
  const { id, undo, undoUntil, canUndo, undoRefusal } = found;
  if (undo === 'done' || (!canUndo && undo === null)) return null;
  return (
    <Panel title="Undo this import" split class="danger-zone">
      <Refusal found={found} />
      {canUndo && undoUntil !== null && !hasLaterChanges(undoRefusal) && (
        <>
          <p>
            Prices, costs, reorder points, units and stock go back to what they were before the
            import, and items that it added are archived. This works until <Time at={undoUntil} />,
            as long as none of its items has changed since.
          </p>
          <Form action={`/inventory/imports/${id}/undo`} label="Undo this import" inline>
            <Button danger>Undo import</Button>
          </Form>
        </>
      )}
    </Panel>
  );
}

function Refusal({ found: { undo, undoRefusal } }: { found: StockImport }) {
  if (undo === 'failed')
    return <p class="message bad">Something went wrong on our side, so nothing was undone.</p>;
  if (undoRefusal === null) return null;
  const { total, first } = undoRefusal;
  const items = formatCount(total, 'item');
  return (
    <>
      <p class="message bad">
        {hasLaterChanges(undoRefusal)
          ? `Nothing was undone: ${items} changed since the import.`
          : `Nothing was undone: the stock of ${items} would fall below zero.`}
      </p>
      <ul class="plain-list">
        {first.map(({ itemId, name, reason }) => (
          <li key={itemId}>
            <a href={`/inventory/${itemId}`}>{name}</a>: {reasonOf(reason)}
          </li>
        ))}
      </ul>
      {total > first.length && <p class="note">And {formatQuantity(total - first.length)} more.</p>}
    </>
  );
}

/** True if the undo is refused for good: a later change stays later. */
function hasLaterChanges(refusal: UndoRefusal<Obstacle> | null): boolean {
  return refusal !== null && refusal.first[0]?.reason !== 'short';
}

const REASONS: Readonly<Record<string, string>> = {
  edited: 'Edited',
  archived: 'Archived',
  short: 'Not enough stock',
};

function reasonOf(reason: Obstacle['reason']): string {
  return REASONS[reason] ?? MOVEMENT_LABELS[reason] ?? reason;
}
