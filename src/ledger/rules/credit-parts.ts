// The parts of an invoice that a credit note's request names: checked against the invoice, with
// their money and the goods that go back into stock.
import { MAX_ON_HAND, type Stock, type StockItem } from '../../inventory/stock.js';
import type { Decision } from '../../jobs/write-kind.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError, validationFailed } from '../../platform/field-errors.js';
import { fromMinor, fromUnits, toMinor, toUnits } from '../../platform/values/money.js';
import type { CreditItemRequest } from '../schema.js';
import { allThatIsLeft, type Credit, type CreditPart, creditParts } from './proportion.js';
import { creditExceeds, exceedingLine } from './refusals.js';
import type { InvoiceCredit } from './state.js';

/** A part of a line, with the path in the request that an error names. */
export interface RequestedPart {
  readonly path: readonly (string | number)[];
  /** Index of the line. */
  readonly line: number;
  /** Decimal text. Null for a credit by amount. */
  readonly qty: string | null;
  readonly part: CreditPart;
  readonly isRestocked: boolean;
}

/** A planned credit note. */
export interface PlannedCredit {
  readonly parts: readonly RequestedPart[];
  readonly sums: Credit;
  readonly returns: readonly { readonly item: StockItem; readonly qty: bigint }[];
}

interface Request {
  /** A null keeps the place of an item that is invalid. */
  readonly items?: readonly (CreditItemRequest | null)[];
  readonly restock?: boolean;
}

/** The errors are invalid_value for a line that does not exist, and required for restock. */
export function requestParts(
  { items, restock }: Request,
  credit: InvoiceCredit,
): { readonly parts: readonly RequestedPart[]; readonly errors: readonly FieldError[] } {
  const { issued, creditable, credited } = credit;
  if (items === undefined) {
    const parts = allThatIsLeft(creditable, credited).map(part =>
      toPart([], part, restock, credit),
    );
    const isUndecided = parts.some(({ line }) => hasItem(line, credit)) && restock === undefined;
    return { parts, errors: isUndecided ? [restockRequired(['restock'])] : [] };
  }
  const errors: FieldError[] = [];
  const parts = items.flatMap((item, index) => {
    if (item === null) return [];
    const line = item.line - 1;
    const path = ['items', index];
    if (line >= issued.lines.length) {
      const count = issued.lines.length;
      const sentence = `The invoice has ${count} ${count === 1 ? 'line' : 'lines'}.`;
      errors.push(fieldError([...path, 'line'], 'invalid_value', sentence));
      return [];
    }
    const isRestocked = item.restock ?? restock;
    if (item.qty !== undefined && isRestocked === undefined && hasItem(line, credit))
      errors.push(restockRequired([...path, 'restock']));
    const part =
      item.qty === undefined
        ? { line, amount: toMinor(item.amount ?? 0, issued.decimals) }
        : { line, qty: toUnits(item.qty) };
    return [toPart(path, part, isRestocked, credit)];
  });
  return { parts, errors };
}

function toPart(
  path: RequestedPart['path'],
  part: CreditPart,
  isRestocked: boolean | undefined,
  credit: InvoiceCredit,
): RequestedPart {
  const { line } = part;
  const qty = 'qty' in part ? fromUnits(part.qty) : null;
  const returns = isRestocked === true && qty !== null && hasItem(line, credit);
  return { path, line, qty, part, isRestocked: returns };
}

function hasItem(line: number, { issued }: InvoiceCredit): boolean {
  return issued.lines[line]?.itemId != null;
}

function restockRequired(path: RequestedPart['path']): FieldError {
  const sentence = 'Required: true puts the goods back into stock, false does not.';
  return fieldError(path, 'required', sentence);
}

/**
 * Plans the parts. Changes neither the credited amounts nor the stock. Refusals:
 * credit_exceeds_invoice; invalid_state if an item is archived; validation_failed (too_large) if
 * the stock would leave its range.
 */
export function planParts(
  companyId: string,
  parts: readonly RequestedPart[],
  credit: InvoiceCredit,
  stock: Stock,
  decimals: number,
): Decision<PlannedCredit> {
  if (parts.length === 0) return { refusal: creditExceeds(nothingLeft(credit)) };
  const { sums, excess } = creditedSums(parts, credit, decimals);
  if (sums === null) return { refusal: creditExceeds(excess) };
  const returns = new Map<StockItem, bigint>();
  for (const { path, line, part, isRestocked } of parts) {
    if (!isRestocked || !('qty' in part)) continue;
    const { name = '', itemId = null } = credit.issued.lines[line] ?? {};
    const item = stock.byId(companyId, itemId ?? '');
    if (!item) return { refusal: archivedItem(name) };
    const qty = (returns.get(item) ?? 0n) + part.qty;
    if (item.onHand + qty > MAX_ON_HAND) {
      const sentence = 'Stock must stay at most 99,999,999,999.9999.';
      return { refusal: validationFailed([fieldError([...path, 'qty'], 'too_large', sentence)]) };
    }
    returns.set(item, qty);
  }
  const returned = Array.from(returns, ([item, qty]) => ({ item, qty }));
  return { plan: { parts, sums, returns: returned } };
}

/** The sums of the parts; null, and an error for each part that exceeds its line. */
export function creditedSums(
  parts: readonly RequestedPart[],
  { creditable, credited }: InvoiceCredit,
  decimals: number,
): { readonly sums: Credit | null; readonly excess: readonly FieldError[] } {
  const sums = creditParts(
    creditable,
    credited,
    parts.map(({ part }) => part),
  );
  if (!('excess' in sums)) return { sums, excess: [] };
  const excess = sums.excess.flatMap(({ part: index, available }) => {
    const part = parts[index];
    return part ? [excessOf(part, available, decimals)] : [];
  });
  return { sums: null, excess };
}

function excessOf({ path, line, part }: RequestedPart, available: bigint, decimals: number) {
  return 'qty' in part
    ? exceedingLine([...path, 'qty'], line + 1, fromUnits(part.qty), fromUnits(available))
    : exceedingLine(
        [...path, 'amount'],
        line + 1,
        fromMinor(part.amount, decimals),
        fromMinor(available, decimals),
      );
}

/** The errors of a request to credit everything that remains, if nothing remains. */
function nothingLeft({ creditable }: InvoiceCredit): FieldError[] {
  return creditable.lines.map(({ qty }, index) =>
    exceedingLine([], index + 1, fromUnits(qty), '0'),
  );
}

function archivedItem(name: string): Problem {
  return new Problem(
    'invalid_state',
    `The item of the line "${name}" is archived. Restore it, or send restock: false.`,
  );
}
