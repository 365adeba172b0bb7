// Compares what the dashboard users were told with the rows of their corrections, drafts and
// imports. Pure. Each function returns one sentence per broken promise.
import { groupBy, units } from '../model/rows.js';
import {
  type CorrectionRecord,
  type DraftRecord,
  type ImportRecord,
  outcomeOf,
  type Quantities,
  type SentForm,
} from './records.js';
import type { CorrectionRow, DraftRows, ImportRow } from './rows.js';

/** Forms that were both carried out and refused, or neither. A deleted draft has no page. */
export function findUnclear(forms: readonly SentForm[]): string[] {
  return forms.flatMap(({ type, path, fields, outcomes }) =>
    type === 'delete' || new Set(outcomes).size === 1
      ? []
      : [`${path} with key ${fields.key}: ${outcomes.join(', then ') || 'no outcome'}`],
  );
}

/**
 * The n-th correction of a delivery is the one whose form showed n − 1 corrections, and makes its
 * quantities those of the form. `rows` are in the order of their commits.
 */
export function compareCorrections(
  corrections: readonly CorrectionRecord[],
  rows: readonly CorrectionRow[],
): string[] {
  const errors: string[] = [];
  const recordOf = new Map(corrections.map(record => [record.mark, record]));
  const ofDelivery = groupBy(rows, ({ deliveryId }) => deliveryId);
  for (const record of corrections) {
    const { mark, deliveryId, after } = record;
    const outcome = outcomeOf(record);
    const places = (ofDelivery.get(deliveryId) ?? []).flatMap((row, place) =>
      row.mark === mark ? [place] : [],
    );
    const expected = outcome === 'done' ? [after] : [];
    if (places.join() !== expected.join())
      errors.push(
        `correction ${mark}: ${outcome ?? 'no outcome'}, from a form that showed ${after} ` +
          `corrections; applied after ${places.join(' and ') || 'none'}`,
      );
  }
  for (const [deliveryId, own] of ofDelivery)
    for (const [place, { mark, isUndo, changes }] of own.entries()) {
      const record = recordOf.get(mark);
      if (!record) {
        if (!isUndo) errors.push(`delivery ${deliveryId}: no user sent the correction ${mark}`);
        continue;
      }
      const previous = recordOf.get(own[place - 1]?.mark ?? '');
      if (previous && !isSame(previous.wanted, record.shown))
        errors.push(`correction ${mark}: its form did not show the quantities of ${previous.mark}`);
      if (!isSame(added(record.shown, changes), record.wanted))
        errors.push(
          `correction ${mark}: wanted ${describe(record.wanted)}, ` +
            `got ${describe(added(record.shown, changes))}`,
        );
    }
  return errors;
}

/** Of the forms that opened one version of a draft, one is carried out. */
export function compareDrafts(drafts: readonly DraftRecord[], rows: DraftRows): string[] {
  return drafts.flatMap(({ id, mark, sent }) => {
    const invoices = rows.invoiceCounts.get(mark) ?? 0;
    const version = rows.versions.get(id);
    const done = sent.filter(form => outcomeOf(form) === 'done').map(({ type }) => type);
    const open = sent.filter(form => outcomeOf(form) === undefined).map(({ type }) => type);
    const mayBe = (type: SentForm['type']) => done.includes(type) || open.includes(type);
    const isExplained =
      done.length <= 1 &&
      invoices === done.filter(type => type === 'issue').length &&
      !open.includes('issue') &&
      (version === undefined
        ? invoices === 1 || mayBe('delete')
        : invoices === 0 &&
          !done.includes('delete') &&
          (version === 1 ? !done.includes('save') : version === 2 && mayBe('save')));
    if (isExplained) return [];
    const state = version === undefined ? 'gone' : `kept in version ${version}`;
    const forms = sent.map(form => `${form.type} ${outcomeOf(form) ?? 'unknown'}`).join(', ');
    return [`draft ${mark}: ${state}, ${invoices} invoices; its forms: ${forms || 'none'}`];
  });
}

/** A started import applies each row once. An undone one leaves nothing of it. */
export function compareImports(
  imports: readonly ImportRecord[],
  rows: ReadonlyMap<string, ImportRow>,
): string[] {
  return imports.flatMap(record => {
    const row = rows.get(record.id);
    return errorsOfImport(record, row).map(error => `import ${record.rows.at(-1)?.name}: ${error}`);
  });
}

function errorsOfImport({ rows, isStarted, isUndoRequested }: ImportRecord, row?: ImportRow) {
  if (!row) return isStarted ? ['was started and does not exist'] : [];
  const { status, undo, wasTouched, lines } = row;
  const errors: string[] = [];
  if (status !== 'done' && (isStarted || status !== 'preview')) errors.push(`ended as ${status}`);
  if (isUndoRequested && undo !== 'done' && undo !== 'refused')
    errors.push(`an accepted undo ended as ${undo}`);
  if (undo === 'refused' && !wasTouched) errors.push('its undo was refused without a reason');
  if (undo === 'done' && wasTouched) errors.push('was undone, although an item had changed');
  for (const { name, delta, isNew } of rows) {
    const own = lines.filter(line => line.name === name);
    const applied = status === 'done' ? [delta] : [];
    const expected = undo === 'done' ? [...applied, -delta] : applied;
    const moved = own.map(line => line.delta).join(', ');
    if (moved !== expected.join(', '))
      errors.push(`${name} moved by ${moved || 'nothing'}, expected ${expected.join(', ')}`);
    const isArchived = own.some(line => line.archived);
    if (own.length > 0 && isArchived !== (isNew && undo === 'done'))
      errors.push(`${name} is ${isArchived ? '' : 'not '}archived`);
  }
  if (lines.length !== lines.filter(({ name }) => rows.some(each => each.name === name)).length)
    errors.push('moved items that are not in its file');
  return errors;
}

/** An item has the cost of the newest import that was not undone; `costs` are those of the rows. */
export function compareCosts(
  imports: readonly ImportRecord[],
  rows: ReadonlyMap<string, ImportRow>,
): string[] {
  const costOf = new Map(
    imports.flatMap(({ id, rows: own }) =>
      own.map(({ name, unitCost }) => [`${id} ${name}`, unitCost] as const),
    ),
  );
  const lines = [...rows.values()]
    .flatMap(({ id, undo, lines: own }) =>
      own.map(line => ({ ...line, id, stands: undo !== 'done' })),
    )
    .sort((a, b) => a.movementId - b.movementId);
  const errors: string[] = [];
  for (const [itemId, own] of groupBy(lines, line => line.itemId)) {
    const newest = own.findLast(({ stands }) => stands);
    const [{ name = '', unitCost = null } = {}] = own;
    const isGone = own.some(({ archived }) => archived);
    const expected = newest ? (costOf.get(`${newest.id} ${name}`) ?? null) : null;
    if (!isGone && unitCost !== expected)
      errors.push(`item ${itemId} ${name}: costs ${unitCost}, by its imports ${expected}`);
  }
  return errors;
}

function added(quantities: Quantities, changes: Quantities): Quantities {
  const sums = new Map(quantities);
  for (const [id, delta] of changes) sums.set(id, (sums.get(id) ?? 0) + delta);
  return sums;
}

function isSame(a: Quantities, b: Quantities): boolean {
  return a.size === b.size && [...a].every(([id, qty]) => units(qty) === units(b.get(id) ?? NaN));
}

function describe(quantities: Quantities): string {
  return [...quantities].map(([id, qty]) => `${qty} of ${id}`).join(', ');
}
