// An item's movements as rows of two lines: what changed, then when and by whom.
import type { ShownActor } from '../../companies/actor.js';
import type { InvoiceSource } from '../../invoices/queries.js';
import type { CreditNoteSource } from '../../ledger/history.js';
import type { PageRequest } from '../kit/page.js';
import { Badge, By, Time } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { type Item, MOVEMENT_LABELS, StockQuantity } from './item-view.js';
import { DELIVERIES_PATH, undoPathOf } from './stock-jobs.js';

export interface Movement {
  readonly id: string;
  readonly kind: string;
  readonly delta: string;
  readonly onHandAfter: string;
  readonly at: string;
  readonly invoiceId: string | null;
  readonly creditNoteId: string | null;
  /** The delivery that moved stock, or that a correction corrects. */
  readonly deliveryId: string | null;
  /** The adjustment that moved stock, if it may be undone or was. */
  readonly adjustmentId: string | null;
  /** The adjustment that moved stock was corrected or undone. */
  readonly isCorrected: boolean;
  /** The import that moved stock or was undone, until it is deleted. */
  readonly importId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
  /** The person or key behind an adjustment; null if an invoice or credit note moved stock. */
  readonly createdBy: ShownActor | null;
}

/** The invoice or credit note that moved stock. */
type MovementSource = InvoiceSource | CreditNoteSource;

interface MovementsProps {
  readonly item: Item;
  readonly movements: readonly Movement[];
  /** The keys are ids of invoices and credit notes. */
  readonly sources: ReadonlyMap<string, MovementSource>;
  readonly canSee: PageRequest['canSee'];
}

export function Movements({ item, movements, sources, canSee }: MovementsProps) {
  if (movements.length === 0) return <p class="note">No movements yet.</p>;
  return (
    <ul class="movements" aria-label={`Movements of ${item.name}`}>
      {movements.map(movement => (
        <Row
          key={movement.id}
          movement={movement}
          unit={item.unit}
          source={sourceOf(movement, sources)}
          canSee={canSee}
        />
      ))}
    </ul>
  );
}

/** Returns null for an adjustment, and undefined if the invoice or credit note is unknown. */
function sourceOf(
  { invoiceId, creditNoteId }: Movement,
  sources: MovementsProps['sources'],
): MovementSource | null | undefined {
  const id = invoiceId ?? creditNoteId;
  return id === null ? null : sources.get(id);
}

interface RowProps extends Pick<MovementsProps, 'canSee'> {
  readonly movement: Movement;
  readonly unit: string | null;
  readonly source: MovementSource | null | undefined;
}

function Row({ movement, unit, source, canSee }: RowProps) {
  const { kind, delta, onHandAfter, at, note } = movement;
  const actor = source === null ? movement.createdBy : (source?.createdBy ?? null);
  const isIncrease = !delta.startsWith('-') && delta !== '0';
  return (
    <li>
      <p class="movement-kind">
        {MOVEMENT_LABELS[kind] ?? kind}
        <Source movement={movement} source={source} canSee={canSee} />
        <Undo movement={movement} canSee={canSee} />
      </p>
      <p class="movement-change">
        <span class={isIncrease ? 'figure increase' : 'figure'}>
          {`${isIncrease ? '+' : ''}${formatQuantity(delta)}`}
        </span>
      </p>
      <p class="movement-when">
        <Time at={at} />
        {actor !== null && (
          <>
            {' · '}
            <By actor={actor} />
          </>
        )}
        {note !== null && <span class="movement-note">{note}</span>}
      </p>
      <p class="movement-after">
        <StockQuantity value={onHandAfter} unit={unit} />
        <span class="unseen"> on hand after</span>
      </p>
    </li>
  );
}

/** A link to the page that undoes the adjustment, or what says that it was undone. */
function Undo({
  movement: { adjustmentId, isCorrected, delta },
  canSee,
}: Pick<RowProps, 'movement' | 'canSee'>) {
  if (adjustmentId === null || delta === '0') return null;
  if (isCorrected)
    return (
      <>
        {' '}
        <Badge tone="off">Undone</Badge>
      </>
    );
  return canSee(undoPathOf(':id')) ? (
    <>
      {' · '}
      <a href={undoPathOf(adjustmentId)}>Undo</a>
    </>
  ) : null;
}

/** A link to the source of the movement, or the adjustment's reference. */
function Source({
  movement: { invoiceId, creditNoteId, deliveryId, importId, reference },
  source,
  canSee,
}: Pick<RowProps, 'movement' | 'source' | 'canSee'>) {
  const sources = [
    [invoiceId, '/invoices', 'Invoice'],
    [creditNoteId, '/credit-notes', 'Credit note'],
    [deliveryId, DELIVERIES_PATH, 'Delivery'],
    [importId, '/inventory/imports', 'Import'],
  ] as const;
  const [id = null, path, noun] = sources.find(([known]) => known !== null) ?? [];
  if (id === null) return reference === null ? null : <span> · {reference}</span>;
  const label = source?.number ?? reference ?? noun;
  return canSee(`${path}/:id`) ? (
    <>
      {' · '}
      <a href={`${path}/${id}`}>{label}</a>
    </>
  ) : (
    <span> · {label}</span>
  );
}
