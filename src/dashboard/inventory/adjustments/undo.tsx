// Undoing an adjustment: a page that shows what is taken back, and an adjustment with the opposite
// changes. Later movements stay, so an undone count does not bring back an old quantity.
import Joi from 'joi';
import {
  type AdjustedItem,
  findPostedAdjustment,
  type PostedAdjustment,
} from '../../../inventory/posted-adjustment.js';
import { type AdjustmentRequest, adjustmentRequest } from '../../../inventory/schema.js';
import { Problem } from '../../../platform/errors.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import { writeForm } from '../../kit/forms/write-form.js';
import { getOr404, type PageAnswer, type RedirectAnswer } from '../../kit/page.js';
import { By, PageHead, Panel, Time } from '../../kit/ui/components.js';
import { FormActions } from '../../kit/ui/field-groups.js';
import { Field, Form } from '../../kit/ui/fields.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { type Column, Table } from '../../kit/ui/list.js';
import { ITEM_COLUMN, MOVEMENT_LABELS, StockQuantity } from '../item-view.js';
import { adjustedItems, STOCK_FORM, undoPathOf } from '../stock-jobs.js';

interface UndoBody {
  readonly note?: string;
}

export const undoForm = writeForm<UndoBody, AdjustmentRequest, PostedAdjustment>({
  ...STOCK_FORM,
  path: undoPathOf(':id'),
  job: {
    ...STOCK_FORM.job,
    made: 'undo',
    title: 'Undoing the adjustment',
    subject: 'The undo',
    failed: 'The adjustment was not undone',
    done: undoneAnswer,
  },
  load: ({ session, params }) =>
    getOr404('adjustment', params.id, id => findPostedAdjustment(session.companyId, id)),
  initial: () => newForm(),
  refill: ({ note = '' }, { loaded }) => ({
    fields: new FormFields({ note }),
    instead: problem => explain(problem, loaded),
  }),
  schema: Joi.object({ note: (adjustmentRequest as Joi.ObjectSchema).extract('note') }),
  read: ({ form, loaded }) => ({
    fields: form,
    instead: problem => explain(problem, loaded),
    review: () => {
      const reason = whyNot(loaded);
      if (reason !== null) throw new Problem('stock_conflict', reason);
    },
  }),
  payload: ({ note }, { loaded: { id, reference, items } }) => ({
    reason: 'correction',
    ...(reference === null ? {} : { reference }),
    ...(note === undefined ? {} : { note }),
    items: items.map(({ itemId, delta }) => ({ itemId, delta: -Number(delta) })),
    corrects: { id, after: 0, undoes: true },
  }),
  // The same form sent again is the same request, although the adjustment is undone by then.
  identity: body => body,
  done: undoneAnswer,
  page: (state, { loaded }) => undoPage(state, loaded),
});

/** The reason why an adjustment can't be undone now; null if it can. */
function whyNot({ isUndone, items }: PostedAdjustment): string | null {
  if (isUndone) return 'This adjustment was already undone.';
  return items.length === 0 ? 'This adjustment changed no stock.' : null;
}

/** Names the items that can't change, since their rows have no field for an error. */
function explain(problem: Problem, { items }: PostedAdjustment): Problem | null {
  const { errors = [] } = problem.details;
  const sentences = errors.flatMap(({ code, pointer, available }) => {
    const item = items[Number(/^\/items\/(\d+)\//u.exec(pointer)?.[1] ?? -1)];
    if (item === undefined) return [];
    const { name, delta } = item;
    if (code === 'unknown_item')
      return [`${name} is archived, so its stock can’t change. Restore it first.`];
    if (code !== 'insufficient_stock') return [];
    const [more, left] = [formatQuantity(delta), formatQuantity(Number(available))];
    return [`${name} has ${left} on hand, so the ${more} that were added can’t be taken back.`];
  });
  return sentences.length === 0 ? null : new Problem(problem.code, sentences.join(' '));
}

function undoneAnswer({ body }: { readonly body: string }): RedirectAnswer {
  const [item, ...others] = adjustedItems(body);
  const isOne = item !== undefined && others.length === 0;
  return { to: isOne ? `/inventory/${item.itemId}` : '/inventory', flash: 'Adjustment undone.' };
}

function undoPage(state: FormState, adjustment: PostedAdjustment): PageAnswer {
  const { id, reason, reference, note, createdAt, createdBy, items } = adjustment;
  const title = 'Undo adjustment';
  const refusal = whyNot(adjustment);
  const [item, ...others] = items;
  const back = item && others.length === 0 ? `/inventory/${item.itemId}` : '/inventory';
  const body = (
    <>
      <PageHead title={title} {...(reference === null ? {} : { note: reference })} />
      <Panel title={MOVEMENT_LABELS[reason] ?? reason}>
        <p class="note">
          <Time at={createdAt} />
          {createdBy !== null && (
            <>
              {' · '}
              <By actor={createdBy} />
            </>
          )}
          {note !== null && ` · ${note}`}
        </p>
        {refusal === null ? (
          <Table caption="What is taken back" rows={items} columns={COLUMNS} />
        ) : (
          <p class="message warn">{refusal}</p>
        )}
      </Panel>
      {refusal === null && (
        <Form action={undoPathOf(id)} state={state} label={title} deliberate wide>
          <Panel title="Undo" note="Later movements of these items stay as they are.">
            <Field name="note" label="Reason" hint="For example: booked for the wrong item." />
          </Panel>
          <FormActions submit="Undo adjustment" cancel={back} />
        </Form>
      )}
    </>
  );
  return { title, body };
}

const COLUMNS: readonly Column<AdjustedItem>[] = [
  ITEM_COLUMN,
  {
    head: 'Booked',
    align: 'end',
    cell: ({ delta, unit }) => (
      <>
        {!delta.startsWith('-') && '+'}
        <StockQuantity value={delta} unit={unit} />
      </>
    ),
  },
  {
    head: 'On hand',
    align: 'end',
    cell: ({ onHand, delta }) => {
      const after = fromUnits(toUnits(onHand) - toUnits(delta));
      return <span class="figure">{`${formatQuantity(onHand)} → ${formatQuantity(after)}`}</span>;
    },
  },
];
