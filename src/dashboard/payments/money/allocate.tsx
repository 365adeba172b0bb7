// Using the money of a payment or credit note: each invoice's field has the amount that it should
// have of it. The difference to what it has now is given to it or taken back.

import { v7 as uuidv7 } from 'uuid';
import type { Submitter } from '../../../jobs/submit/submitter.js';
import { allocationWrites } from '../../../ledger/batch/kinds.js';
import { checkAllocation } from '../../../ledger/body-checks.js';
import { listOpenInvoices } from '../../../ledger/open-invoices.js';
import { type AllocationRequest, allocationRequest } from '../../../ledger/schema.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { type FormState, newForm } from '../../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../../kit/page.js';
import { KEY_FIELD } from '../../kit/submit-write.js';
import { ButtonLink, Empty, PageHead } from '../../kit/ui/components.js';
import { Button, Field, Form, Hidden } from '../../kit/ui/fields.js';
import { dayIn } from '../../kit/ui/format.js';
import { ledgerAnswer, submitLedgerForm } from '../submit.js';
import {
  AllocationFields,
  type AllocationRow,
  addAmounts,
  restOfForm,
  reviewRest,
  SUGGEST,
  typedAmounts,
  withSuggestions,
} from './allocation-fields.js';
import { readAmount } from './amounts.js';
import {
  getSource,
  type MoneySource,
  refuseReversed,
  type SourceKind,
  sourceMember,
} from './source.js';

/** Suggests that the rest goes to the invoices that are due first. */
export async function showAllocate(request: PageRequest, kind: SourceKind): Promise<Answer> {
  const { companyId, currency, timeZone } = request.session;
  const source = await getSource(kind, request);
  refuseReversed(source);
  const rows = await rowsOf(companyId, source);
  const { values } = newForm({ date: dayIn(timeZone, new Date()) });
  const suggested = withSuggestions(values, moneyOf(source), rows, currency);
  return allocatePage(source, rows, { values: suggested, errors: new Map() });
}

export async function allocate(
  request: PageRequest,
  submitter: Submitter,
  kind: SourceKind,
): Promise<Answer> {
  const { session, form } = request;
  const { companyId, currency } = session;
  const source = await getSource(kind, request);
  refuseReversed(source);
  const rows = await rowsOf(companyId, source);
  const money = moneyOf(source);
  if (form.get('do') === SUGGEST) {
    const values = withSuggestions(form, money, rows, currency);
    return allocatePage(source, rows, { values, errors: new Map() });
  }
  const changes = changesOf(form, rows);
  if (changes.length === 0) {
    const state = { values: form, errors: new Map(), message: NO_CHANGE };
    return { ...allocatePage(source, rows, state), status: 422 };
  }
  const fields = new FormFields({ date: form.get('date') ?? '', ...sourceMember(source) });
  const fieldOf = addAmounts(fields, changes);
  const outcome = await submitLedgerForm<AllocationRequest>(submitter, request, {
    kind: allocationWrites,
    schema: allocationRequest,
    check: body => checkAllocation(body, currency),
    fields,
    fieldOf,
    payload: body => ({ type: 'allocation.make', ...body }),
    review: () => reviewRest(form, restOfForm(form, money), currency),
  });
  if (!outcome.done)
    return { ...allocatePage(source, rows, outcome.state, outcome.key), ...outcome.answer };
  return ledgerAnswer(outcome.result, () => ({ to: source.path, flash: 'Allocation saved.' }));
}
const NO_CHANGE = 'Change the amount of at least one invoice.';

interface Change {
  readonly invoiceId: string;
  /** The change for a request: a number, or what was typed if that is none. */
  readonly text: string;
}

/** The amounts that differ from what the invoices have of the money now. */
function changesOf(form: FormFields, rows: readonly AllocationRow[]): Change[] {
  const typed = new Map(typedAmounts(form).map(({ invoiceId, text }) => [invoiceId, text]));
  return rows.flatMap(({ id, given }) => {
    const text = typed.get(id) ?? '';
    const amount = readAmount(text);
    if (amount === null) return [{ invoiceId: id, text }];
    const change = amount - toUnits(given);
    return change === 0n ? [] : [{ invoiceId: id, text: fromUnits(change) }];
  });
}

/** All of the money that invoices have of it or could have. */
function moneyOf({ allocations, unallocated }: MoneySource): bigint {
  return allocations.reduce((sum, { amount }) => sum + toUnits(amount), toUnits(unallocated));
}

/** The invoices that have some of the money come first. */
async function rowsOf(companyId: string, source: MoneySource): Promise<AllocationRow[]> {
  const { allocations, customerName } = source;
  const given = new Map(allocations.map(({ invoiceId, amount }) => [invoiceId, amount]));
  const open = await listOpenInvoices(companyId, customerName, [...given.keys()]);
  return open.map(invoice => ({ ...invoice, given: given.get(invoice.id) ?? '0' }));
}

function allocatePage(
  source: MoneySource,
  rows: readonly AllocationRow[],
  state: FormState,
  key: string = uuidv7(),
): PageAnswer {
  const title = source.kind === 'payment' ? 'Allocate the payment' : 'Allocate the credit';
  const body = (
    <>
      <PageHead title={title} note={source.customerName} />
      {rows.length === 0 ? (
        <Empty title="This customer has no open invoices.">
          <p>
            The money stays unallocated until there is one. <a href={source.path}>Go back</a>
          </p>
        </Empty>
      ) : (
        <Form action={`${source.path}/allocate`} state={state} wide>
          {/* Enter presses the form's first button, which must not be the one that suggests. */}
          <button type="submit" hidden>
            Save allocation
          </button>
          <Hidden name={KEY_FIELD} value={key} />
          <AllocationFields
            rows={rows}
            state={state}
            money={moneyOf(source)}
            hint={`How much of ${source.name} each invoice gets. Clear a field to take it back.`}
          />
          <section class="panel" aria-label="Date">
            <div class="narrow-field">
              <Field name="date" label="Date" type="date" />
            </div>
          </section>
          <div class="actions">
            <Button>Save allocation</Button>
            <ButtonLink href={source.path} quiet>
              Cancel
            </ButtonLink>
          </div>
        </Form>
      )}
    </>
  );
  return { title, body, scripts: ['payment-form.js'] };
}
