// What several pages of stock show.
import { Badge, Quantity } from '../kit/ui/components.js';

/** An item as the API has it, its figures as text. */
export interface Item {
  readonly id: string;
  readonly sku: string | null;
  readonly name: string;
  readonly unit: string | null;
  readonly onHand: string;
  readonly reorderPoint: string;
  readonly low: boolean;
  readonly unitCost: string | null;
  readonly unitPrice: string | null;
}

export function StockState({ item: { onHand, low } }: { item: Item }) {
  if (Number(onHand) <= 0) return <Badge tone="bad">out of stock</Badge>;
  return low ? <Badge tone="warn">low</Badge> : <Badge tone="good">in stock</Badge>;
}

/** A quantity with what is counted, which stays beside it unless it is long. */
export function Amount({ value, unit }: { value: string; unit: string | null }) {
  const space = (unit?.length ?? 0) <= SHORT_UNIT ? '\u00a0' : ' ';
  return (
    <>
      <Quantity value={value} />
      {unit && (
        <>
          {space}
          <span class="unit">{unit}</span>
        </>
      )}
    </>
  );
}
const SHORT_UNIT = 8;

/** What a movement was, in words. */
export const KINDS: Readonly<Record<string, string>> = {
  sale: 'Sold',
  received: 'Received',
  returned: 'Returned',
  count: 'Counted',
  correction: 'Corrected',
  damaged: 'Damaged',
  lost: 'Lost',
  theft: 'Stolen',
  transfer: 'Transferred',
  other: 'Other',
};
