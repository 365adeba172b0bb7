// Seeded invoices and adjustments. They name the same few items by name, SKU and id, in different
// spellings, so that each batch finds its items in several ways while others change them.
import { anyCustomer, day } from './ledger-writes.js';
import type { Random } from './random.js';
import type { Known } from './targets.js';

const HOT = 3;
const COLD = 60;
/** Items with so little stock that clients race for the last unit. */
const SCARCE = 2;
/** Items that adjustments create while others already name them. */
const NEW = 50;
const PLENTY = 100_000;
/** The share of invoices that skip holds and limits. */
const IGNORED_CREDIT = 0.05;

interface Item {
  readonly name: string;
  readonly sku: string;
  readonly stock: number;
}

const itemsOf = (kind: string, count: number, stock: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${kind} ${index}`,
    sku: `${kind.toUpperCase()}-${index}`,
    stock,
  }));

const HOT_ITEMS = itemsOf('Hot', HOT, PLENTY);
const COLD_ITEMS = itemsOf('Cold', COLD, PLENTY);
const SCARCE_ITEMS = itemsOf('Scarce', SCARCE, 40);
const NEW_ITEMS = itemsOf('New', NEW, 0);

/** Of each company, at the start. */
export const ITEMS: readonly Item[] = [...HOT_ITEMS, ...COLD_ITEMS, ...SCARCE_ITEMS];

export function invoice(key: string, known: Known, random: Random): Record<string, unknown> {
  const tax = random.next() < 0.5 ? { taxRate: random.pick([7, 19]) } : {};
  const items = Array.from({ length: random.between(1, 4) }, () => {
    // A few lines ask for more than the stock.
    const qty = random.next() < 0.03 ? 900_000 : random.between(1, 40) / 4;
    return { ...nameLine(random), qty, ...tax };
  });
  const ignored = random.next() < IGNORED_CREDIT ? { ignoreCredit: true } : {};
  return { ...nameCustomer(known, random), date: day(random), items, reference: key, ...ignored };
}

/** By name, or by the id of a record, which may have been merged or deleted. */
function nameCustomer(known: Known, random: Random): object {
  const { customerIds } = known;
  if (customerIds.length > 0 && random.next() < 0.15)
    return { customerId: random.pick(customerIds) };
  return { customerName: anyCustomer(known, random) };
}

/** The item and the price of a line. */
function nameLine(random: Random): object {
  const price = random.between(0, 99_999) / 100;
  const draw = random.next();
  if (draw < 0.15) return { name: 'Delivery', price };
  if (draw < 0.16) return { name: 'Delivery', sku: `NONE-${random.between(1, 9)}`, price };
  const item = pickItem(random, 0.08);
  const way = random.next();
  const sku = spell(item.sku, random);
  if (way < 0.5) return { name: spell(item.name, random), price };
  if (way < 0.75 || !ITEMS.includes(item))
    return { name: random.pick([item.name, 'As ordered']), sku, price };
  return way < 0.85 ? { sku } : { sku, price };
}

/** An item that exists, or with this probability one that may not exist yet. */
function pickItem(random: Random, newShare: number): Item {
  const draw = random.next();
  if (draw < newShare) return random.pick(NEW_ITEMS);
  if (draw < 0.5) return random.pick(HOT_ITEMS);
  return random.pick(draw < 0.65 ? SCARCE_ITEMS : COLD_ITEMS);
}

export function adjustment(key: string, known: Known, random: Random): Record<string, unknown> {
  const reason = random.pick(['received', 'received', 'received', 'count', 'damaged']);
  const creates = reason === 'received' || reason === 'count';
  const items = Array.from({ length: random.between(1, 3) }, () => {
    const isById = random.next() < 0.25 && known.itemIds.length > 0;
    const item = pickItem(random, creates ? 0.15 : 0.03);
    const stocked = ITEMS.indexOf(item);
    const itemId = isById ? known.itemIds[stocked] : undefined;
    const expected = known.onHand.get(known.itemIds[stocked] ?? '');
    const expectedOnHand =
      expected !== undefined && random.next() < 0.1 ? { expectedOnHand: expected } : {};
    return {
      ...(itemId === undefined ? nameEntry(item, random) : { itemId }),
      ...change(reason, item, random),
      ...expectedOnHand,
    };
  });
  return { reason, reference: key, items };
}

/** By name, by SKU, or by both. An item that is created by its name alone never gets a SKU. */
function nameEntry(item: Item, random: Random): object {
  const way = random.next();
  const name = spell(item.name, random);
  const sku = spell(item.sku, random);
  if (way < 0.4) return { name };
  return way < 0.7 ? { sku } : { name, sku };
}

function change(reason: string, { stock }: Item, random: Random): object {
  const isScarce = stock < PLENTY;
  if (reason === 'count') return { count: random.between(0, 80) / 2 + (isScarce ? 0 : PLENTY) };
  const delta = random.between(1, 80) / 2;
  return { delta: reason === 'damaged' ? -delta / 4 : delta };
}

/** As it is, or in upper or lower case, with more spaces, or in full-width letters. */
function spell(text: string, random: Random): string {
  switch (random.between(0, 7)) {
    case 0:
      return text.toUpperCase();
    case 1:
      return text.toLowerCase();
    case 2:
      return ` ${text.replaceAll(' ', '   ')}  `;
    case 3:
      return text.replace(/[A-Za-z0-9]/gu, char =>
        String.fromCharCode(char.charCodeAt(0) + 0xfee0),
      );
    default:
      return text;
  }
}
