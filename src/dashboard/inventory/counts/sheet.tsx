// One count sheet: a form of two fields that saves one item at a time, and what was counted so far.
// A scanner sends a SKU and Enter; the form then asks for the quantity, or counts each scan as one.
import Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import {
  type CountedLine,
  type CountSheet,
  deleteSheet,
  findSheet,
  removeCount,
  saveCount,
} from '../../../inventory/counts/sheets.js';
import { matchItems } from '../../../inventory/names/match-items.js';
import { MAX_QUANTITY } from '../../../inventory/schema.js';
import { Problem } from '../../../platform/errors.js';
import { invalidField } from '../../../platform/field-errors.js';
import { decimal, text, validateBody } from '../../../platform/http/input/validate.js';
import { fieldTypesOf } from '../../kit/forms/field-limits.js';
import { bodyOf } from '../../kit/forms/form.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import { buttonForm, directForm } from '../../kit/forms/plain-form.js';
import { keyOf } from '../../kit/forms/submit-write.js';
import { actorOf, getOr404, type PageAnswer, uuidOr404 } from '../../kit/page.js';
import { ButtonLink, By, PageHead, Panel, Time } from '../../kit/ui/components.js';
import { Button, Checkbox, Field, Form } from '../../kit/ui/fields.js';
import { formatCount, formatQuantity } from '../../kit/ui/format.js';
import { type Column, Table } from '../../kit/ui/list.js';
import { ITEM_COLUMN, StockQuantity } from '../item-view.js';
import { COUNTS_PATH, reviewPathOf, sheetPathOf } from '../stock-jobs.js';

/** Throws Problem `not_found`, even if another company has the sheet. */
export function getSheet(companyId: string, id: string | undefined): Promise<CountSheet> {
  return getOr404('count sheet', id, uuid => findSheet(companyId, uuid));
}

interface LineBody {
  readonly item: string;
  readonly quantity: number;
  readonly each?: boolean;
  readonly do?: 'add' | 'replace';
}

const ITEM = text(255).required();
const QUANTITY = decimal(0, MAX_QUANTITY);
const LINE = Joi.object({
  item: ITEM,
  quantity: QUANTITY.required(),
  each: Joi.boolean(),
  do: Joi.valid('add', 'replace'),
});
/** Each scan counts as one. */
const SCAN = LINE.keys({ quantity: QUANTITY.default(1) });

export const countForm = directForm<LineBody, 'change-stock', CountSheet>({
  path: sheetPathOf(':id'),
  guard: 'change-stock',
  once: true,
  schema: LINE,
  load: ({ session, params }) => getSheet(session.companyId, params.id),
  initial: ({ query }) => newForm({ each: query.get('each') ?? '' }),
  send: async ({ session, form, loaded }) => {
    const schema = form.get('each') === 'true' ? SCAN : LINE;
    const body = validateBody<LineBody>(schema, bodyOf(form, fieldTypesOf(LINE, session)));
    const { quantity, each = false, do: ifCounted = each ? 'add' : undefined } = body;
    const once = keyOf(form) ?? uuidv7();
    const [item] = await matchItems(session.companyId, [body.item]);
    if (!item) throw invalidField('item', 'No item has this name or SKU.');
    const line = loaded.lines.find(({ itemId }) => itemId === item.id);
    if (line && line.once !== once && ifCounted === undefined)
      throw new Problem('already_exists', countedAlready(line));
    const count = { itemId: item.id, quantity, ifCounted, once };
    await saveCount(session.companyId, loaded.id, count, actorOf(session));
    return { ...body, item: item.name };
  },
  done: ({ item, quantity, each = false }, { loaded: { id } }) => ({
    to: sheetPathOf(id) + (each ? '?each=true' : ''),
    flash: `Saved: ${item}, ${each ? '+' : ''}${formatQuantity(quantity)}.`,
  }),
  page: (state, { loaded }) => sheetPage(state, loaded),
});

function countedAlready({ name, counted }: CountedLine): string {
  return `${name} is already counted: ${formatQuantity(counted)}. Add to it, or replace it?`;
}

export const removeCountButton = buttonForm(
  `${sheetPathOf(':id')}/remove/:itemId`,
  'change-stock',
  async ({ session, params }) => {
    const [id, itemId] = [uuidOr404('count sheet', params.id), uuidOr404('item', params.itemId)];
    await removeCount(session.companyId, id, itemId);
    return { to: sheetPathOf(id) };
  },
);

/** Deleting a sheet, after a confirmation on a page of its own. */
export const deleteSheetForm = directForm<void, 'change-stock', CountSheet>({
  path: `${sheetPathOf(':id')}/delete`,
  guard: 'change-stock',
  load: ({ session, params }) => getSheet(session.companyId, params.id),
  initial: () => newForm(),
  send: ({ session, loaded }) => deleteSheet(session.companyId, loaded.id),
  done: () => ({ to: COUNTS_PATH, flash: 'Count deleted.' }),
  page: (state, { loaded }) => deletePage(state, loaded),
});

function sheetPage(state: FormState, { id, name, lines }: CountSheet): PageAnswer {
  const isAsked = state.refusal?.code === 'already_exists';
  const body = (
    <>
      <PageHead title={name} note="Stock changes when you book the count.">
        <ButtonLink href={`${sheetPathOf(id)}/delete`} quiet>
          Delete
        </ButtonLink>
        {lines.length > 0 && (
          <ButtonLink href={reviewPathOf(id)} quiet>
            Review count
          </ButtonLink>
        )}
      </PageHead>
      <Panel title="Count an item" class="count-form">
        <Form action={sheetPathOf(id)} state={state} focusFirst>
          <Field name="item" label="Item" hint="Scan or type a SKU or name." autocomplete="off" />
          <Field name="quantity" label="Quantity" autocomplete="off" />
          <Checkbox name="each" label="Each scan counts as 1" />
          {isAsked ? (
            <div class="actions">
              <Button name="do" value="add">
                Add to it
              </Button>
              <Button quiet name="do" value="replace">
                Replace it
              </Button>
            </div>
          ) : (
            <Button>Save</Button>
          )}
        </Form>
      </Panel>
      {lines.length > 0 && (
        <Panel title="Counted" note={formatCount(lines.length, 'item')}>
          <Table caption="Counted items, newest first" rows={lines} columns={columnsOf(id)} />
        </Panel>
      )}
    </>
  );
  return { title: name, body, scripts: ['count-form.js'] };
}

function columnsOf(id: string): Column<CountedLine>[] {
  return [
    ITEM_COLUMN,
    {
      head: 'Counted',
      align: 'end',
      cell: ({ counted, unit }) => <StockQuantity value={counted} unit={unit} />,
    },
    {
      head: 'By',
      cell: ({ countedBy, countedAt }) => (
        <>
          <By actor={countedBy} /> · <Time at={countedAt} />
        </>
      ),
    },
    {
      head: 'Remove',
      align: 'end',
      cell: ({ itemId, name }) => (
        <Form action={`${sheetPathOf(id)}/remove/${itemId}`} label={`Remove ${name}`} inline>
          <Button quiet about={name}>
            Remove
          </Button>
        </Form>
      ),
    },
  ];
}

function deletePage(state: FormState, { id, name, lines }: CountSheet): PageAnswer {
  const body = (
    <>
      <PageHead title="Delete count" note={name} />
      <Panel title="Delete" note="It can’t be undone." class="danger-zone" split>
        <p>
          {lines.length === 0
            ? 'Nothing is counted on this sheet.'
            : `${formatCount(lines.length, 'counted item')} will be lost. Stock stays as it is.`}
        </p>
        <Form action={`${sheetPathOf(id)}/delete`} state={state} label="Delete">
          <div class="actions">
            <Button danger>Delete count</Button>
            <ButtonLink href={sheetPathOf(id)} quiet>
              Cancel
            </ButtonLink>
          </div>
        </Form>
      </Panel>
    </>
  );
  return { title: 'Delete count', body };
}
