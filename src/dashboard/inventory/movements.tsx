// An item's movements as rows of two lines: what changed, then when and by whom.
import type { Actor } from '../../companies/actor.js';
import type { InvoiceSource } from '../../invoices/queries.js';
import type { PageRequest } from '../kit/page.js';
import { By, Time } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { type Item, MOVEMENT_LABELS, StockQuantity } from './item-view.js';

export interface Movement {
  readonly id: string;
  readonly kind: string;
  readonly delta: string;
  readonly onHandAfter: string;
  readonly at: string;
  readonly invoiceId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
  /** Of an adjustment; an invoice has its own. */
  readonly createdBy: Actor | null;
}

interface MovementsProps {
  readonly item: Item;
  readonly movements: readonly Movement[];
  /** By invoice id. */
  readonly invoices: ReadonlyMap<string, InvoiceSource>;
  readonly canSee: PageRequest['canSee'];
}

export function Movements({ item, movements, invoices, canSee }: MovementsProps) {
  if (movements.length === 0) return <p class="note">No movements yet.</p>;
  return (
    <ul class="movements" aria-label={`Movements of ${item.name}`}>
      {movements.map(movement => (
        <Row
          key={movement.id}
          movement={movement}
          unit={item.unit}
          invoice={movement.invoiceId === null ? null : invoices.get(movement.invoiceId)}
          canSee={canSee}
        />
      ))}
    </ul>
  );
}

interface RowProps extends Pick<MovementsProps, 'canSee'> {
  readonly movement: Movement;
  readonly unit: string | null;
  /** Null for an adjustment, undefined if the invoice is unknown. */
  readonly invoice: InvoiceSource | null | undefined;
}

function Row({ movement, unit, invoice, canSee }: RowProps) {
  const { kind, delta, onHandAfter, at, note } = movement;
  const actor = invoice === null ? movement.createdBy : (invoice?.createdBy ?? null);
  const isIncrease = !delta.startsWith('-') && delta !== '0';
  return (
    <li>
      <p class="movement-kind">
        {MOVEMENT_LABELS[kind] ?? kind}
        <Source movement={movement} invoice={invoice} canSee={canSee} />
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

/** The invoice's number, or the adjustment's reference. */
function Source({
  movement: { invoiceId, reference },
  invoice,
  canSee,
}: Pick<RowProps, 'movement' | 'invoice' | 'canSee'>) {
  if (invoiceId === null) return reference === null ? null : <span> · {reference}</span>;
  const number = invoice?.number ?? 'Invoice';
  return canSee('/invoices/:id') ? (
    <>
      {' · '}
      <a href={`/invoices/${invoiceId}`}>{number}</a>
    </>
  ) : (
    <span> · {number}</span>
  );
}
