// The review of a count sheet, and booking it as one adjustment. What moved since an item was
// counted is added to its count: three sold after counting ten leave seven.
import Joi from 'joi';
import { CHANGED } from '../../../inventory/counts/booking.js';
import { type CountedLine, type CountSheet, findSheet } from '../../../inventory/counts/sheets.js';
import {
  type AdjustmentRequest,
  adjustmentEntry,
  adjustmentRequest,
} from '../../../inventory/schema.js';
import { notFound, Problem } from '../../../platform/errors.js';
import { BODY_LIMIT_BYTES } from '../../../platform/http/input/body.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { uuid } from '../../../platform/http/input/uuid.js';
import { MAX_ITEMS, validateBody } from '../../../platform/http/input/validate.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import { writeForm } from '../../kit/forms/write-form.js';
import { type PageAnswer, type RedirectAnswer, uuidOr404 } from '../../kit/page.js';
import { Badge, ButtonLink, PageHead, Panel } from '../../kit/ui/components.js';
import { Button, Form, Hidden } from '../../kit/ui/fields.js';
import { formatCount, formatQuantity } from '../../kit/ui/format.js';
import { type Column, Table } from '../../kit/ui/list.js';
import { StockQuantity } from '../item-view.js';
import {
  adjustedItems,
  COUNTS_PATH,
  reviewPathOf,
  STOCK_FORM,
  sheetPathOf,
} from '../stock-jobs.js';

interface Booking {
  readonly version: number;
  readonly items: AdjustmentRequest['items'];
}

const entry = adjustmentEntry as Joi.ObjectSchema;
const BOOKING = Joi.object({
  version: Joi.number().integer().min(1).required(),
  items: Joi.array()
    .items(
      Joi.object({
        itemId: uuid().required(),
        count: (entry.extract('count') as Joi.NumberSchema).required(),
        expectedOnHand: (entry.extract('expectedOnHand') as Joi.NumberSchema).required(),
      }),
    )
    .min(1)
    .max(MAX_ITEMS)
    .required(),
});

/** The loaded sheet is null once it is booked: the form may be sent again. */
export const bookCountForm = writeForm<Booking, AdjustmentRequest, CountSheet | null>({
  ...STOCK_FORM,
  path: reviewPathOf(':id'),
  maxBytes: BODY_LIMIT_BYTES,
  job: {
    ...STOCK_FORM.job,
    made: 'count',
    title: 'Booking the count',
    subject: 'The count',
    failed: 'The count was not booked',
    note: ({ reference = '' }) => reference,
    done: bookedAnswer,
  },
  load: ({ session, params }) => findSheet(session.companyId, uuidOr404('count sheet', params.id)),
  initial: ({ loaded }) => {
    if (!loaded) throw notFound('count sheet');
    return newForm();
  },
  refill: (_, { loaded }) => ({
    fields: new FormFields(),
    instead: problem => explain(problem, loaded?.lines ?? []),
  }),
  schema: BOOKING,
  read: ({ form, loaded }) => ({
    fields: form,
    instead: problem => explain(problem, loaded?.lines ?? []),
    review: ({ version }) => {
      if (loaded && version !== loaded.version) throw new Problem('stock_conflict', CHANGED);
    },
  }),
  payload: ({ version, items }, { params, loaded }) => ({
    ...validateBody<AdjustmentRequest>(adjustmentRequest, {
      reason: 'count',
      ...(loaded ? { reference: loaded.name } : {}),
      items,
    }),
    countSheet: { id: uuidOr404('count sheet', params.id), version },
  }),
  // The same form sent again is the same request, although the sheet is gone by then.
  identity: body => body,
  done: bookedAnswer,
  page: (state, { loaded }) => (loaded ? reviewPage(state, loaded) : gonePage(state)),
});

/** Rows have no field for an error, so one sentence names what stands in the way. */
function explain(problem: Problem, lines: readonly CountedLine[]): Problem | null {
  const { errors = [] } = problem.details;
  const places = errors.map(({ pointer }) => Number(/^\/items\/(\d+)\//u.exec(pointer)?.[1] ?? -1));
  const names = places.flatMap(index => inOrder(lines)[index]?.line.name ?? []).join(', ');
  if (errors.some(({ code }) => code === 'unknown_item'))
    return new Problem(
      problem.code,
      `Archived in the meantime: ${names}. Remove it from the count, or restore it.`,
    );
  if (problem.code === 'insufficient_stock' || errors.some(({ code }) => code === 'too_small'))
    return new Problem(problem.code, `Stock would be below zero: ${names}. Count it again.`);
  return problem.code === 'stock_conflict' && errors.length > 0
    ? new Problem('stock_conflict', MOVED)
    : null;
}

const MOVED = 'Stock moved in the meantime. Check the new figures, then book the count.';

function bookedAnswer({ body }: { readonly body: string }): RedirectAnswer {
  const items = adjustedItems(body);
  const differ = items.filter(({ delta }) => delta !== 0).length;
  const flash = `Count booked: ${formatCount(items.length, 'item')}, ${differ} changed.`;
  return { to: COUNTS_PATH, flash };
}

interface ReviewedLine {
  readonly line: CountedLine;
  /** The change since the item was counted, and the stock after booking. Decimal text. */
  readonly moved: string;
  readonly after: string;
  readonly differs: boolean;
}

/** The items whose stock changes come first. */
function inOrder(lines: readonly CountedLine[]): ReviewedLine[] {
  const reviewed = lines.map(line => {
    const moved = toUnits(line.onHand) - toUnits(line.onHandThen);
    const after = fromUnits(toUnits(line.counted) + moved);
    const differs = toUnits(line.counted) !== toUnits(line.onHandThen);
    return { line, moved: fromUnits(moved), after, differs };
  });
  return [...reviewed.filter(row => row.differs), ...reviewed.filter(row => !row.differs)];
}

function reviewPage(state: FormState, { id, name, version, lines }: CountSheet): PageAnswer {
  const rows = inOrder(lines);
  const differ = rows.filter(row => row.differs).length;
  const body = (
    <>
      <PageHead title="Review count" note={name} />
      <Panel
        title={formatCount(rows.length, 'item')}
        note={differ === 0 ? 'All as expected.' : `${differ} differ from stock.`}
      >
        <Table caption="Counted items" rows={rows} columns={COLUMNS} />
      </Panel>
      <Form action={reviewPathOf(id)} state={state} label="Book the count" wide>
        <Hidden name="version" value={String(version)} />
        {rows.map(({ line, after }, index) => (
          <Figures key={line.itemId} index={index} line={line} after={after} />
        ))}
        <div class="actions">
          {rows.length > 0 && <Button>Book count</Button>}
          <ButtonLink href={sheetPathOf(id)} quiet>
            Count on
          </ButtonLink>
        </div>
      </Form>
    </>
  );
  return { title: 'Review count', body };
}

interface FiguresProps {
  readonly index: number;
  readonly line: CountedLine;
  readonly after: string;
}

/** The figures that the page shows, which are booked as they are or not at all. */
function Figures({ index, line: { itemId, onHand }, after }: FiguresProps) {
  return (
    <>
      <Hidden name={`items.${index}.itemId`} value={itemId} />
      <Hidden name={`items.${index}.count`} value={after} />
      <Hidden name={`items.${index}.expectedOnHand`} value={onHand} />
    </>
  );
}

const COLUMNS: readonly Column<ReviewedLine>[] = [
  {
    head: 'Item',
    cell: ({ line: { name, sku, archived } }) => (
      <>
        {name}
        {archived && (
          <>
            {' '}
            <Badge tone="warn">Archived</Badge>
          </>
        )}
        {sku !== null && <span class="note below">{sku}</span>}
      </>
    ),
  },
  {
    head: 'Counted',
    align: 'end',
    cell: ({ line: { counted, unit } }) => <StockQuantity value={counted} unit={unit} />,
  },
  {
    head: 'Moved since',
    align: 'end',
    cell: ({ moved }) =>
      moved === '0' ? (
        <span class="note">–</span>
      ) : (
        <span class="figure">{(moved.startsWith('-') ? '' : '+') + formatQuantity(moved)}</span>
      ),
  },
  {
    head: 'On hand',
    align: 'end',
    cell: ({ line: { onHand }, after, differs }) =>
      differs ? (
        <strong class="figure">{`${formatQuantity(onHand)} → ${formatQuantity(after)}`}</strong>
      ) : (
        <span class="figure">{formatQuantity(onHand)}</span>
      ),
  },
];

/** The answer to a form whose sheet was booked or deleted by another person. */
function gonePage({ message }: FormState): PageAnswer {
  const body = (
    <>
      <PageHead title="Review count" />
      <Panel title="This count is closed">
        <p>{message ?? 'It was booked or deleted in the meantime.'}</p>
        <ButtonLink href={COUNTS_PATH}>All counts</ButtonLink>
      </Panel>
    </>
  );
  return { title: 'Review count', body };
}
