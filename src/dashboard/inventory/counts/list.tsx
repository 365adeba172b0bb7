// The count sheets that are open, and the form that starts one.
import Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import { type ListedSheet, listSheets, startSheet } from '../../../inventory/counts/sheets.js';
import { text, validateBody } from '../../../platform/http/input/validate.js';
import { today } from '../../../platform/values/days.js';
import { bodyOf } from '../../kit/forms/form.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import { directForm } from '../../kit/forms/plain-form.js';
import { keyOf } from '../../kit/forms/submit-write.js';
import { savedColumns } from '../../kit/lists/saved.js';
import { actorOf, type PageAnswer } from '../../kit/page.js';
import { PageHead, Panel } from '../../kit/ui/components.js';
import { Button, Field, Form } from '../../kit/ui/fields.js';
import { formatCount, formatDay } from '../../kit/ui/format.js';
import { List, type ListColumn } from '../../kit/ui/list.js';
import { COUNTS_PATH, sheetPathOf } from '../stock-jobs.js';

const MAX_NAME = 100;
const START = Joi.object({ name: text(MAX_NAME).required() });

export const startCountForm = directForm<string, 'change-stock'>({
  path: COUNTS_PATH,
  guard: 'change-stock',
  nav: { label: 'Counts', area: '/inventory' },
  once: true,
  schema: START,
  initial: ({ session }) => newForm({ name: `Count of ${formatDay(today(session))}` }),
  send: ({ session, form }) => {
    const { name } = validateBody<{ name: string }>(START, bodyOf(form));
    const once = keyOf(form) ?? uuidv7();
    return startSheet(session.companyId, { name, once }, actorOf(session));
  },
  done: id => ({ to: sheetPathOf(id) }),
  page: async (state, { session }) => countsPage(state, await listSheets(session.companyId)),
});

function countsPage(state: FormState, sheets: readonly ListedSheet[]): PageAnswer {
  const body = (
    <>
      <PageHead
        title="Counts"
        note="Count many items, on a phone or with a scanner. Each item is saved at once; stock
          changes when you book the count."
      />
      {sheets.length > 0 && (
        <div class="panel list-panel">
          <List
            caption="Counts that are not booked yet"
            rows={sheets}
            hrefOf={({ id }) => sheetPathOf(id)}
            columns={COLUMNS}
          />
        </div>
      )}
      <Panel title="Start a count">
        <Form action={COUNTS_PATH} state={state}>
          <Field name="name" label="Name" hint="Such as the shelf or room that you count." />
          <Button>Start count</Button>
        </Form>
      </Panel>
    </>
  );
  return { title: 'Counts', body };
}

const COLUMNS: readonly ListColumn<ListedSheet>[] = [
  { head: 'Count', wraps: true, cell: ({ name }) => name },
  ...savedColumns('Started by'),
  {
    head: 'Counted',
    align: 'end',
    phone: 'figure',
    cell: ({ lines }) => formatCount(lines, 'item'),
  },
];
