// Using the money of a payment or credit note: each invoice's field has the amount that it should
// have of it. The request has the differences to the present amounts, which may be negative.

import { allocationWrites } from '../../../ledger/batch/kinds.js';
import { checkAllocation } from '../../../ledger/checks/body-checks.js';
import { listOpenInvoices } from '../../../ledger/open-invoices.js';
import type { AllocationPayload } from '../../../ledger/payload.js';
import { type AllocationRequest, allocationRequest } from '../../../ledger/schema.js';
import { Problem } from '../../../platform/errors.js';
import type { FormFields } from '../../../platform/http/input/form-fields.js';
import { today } from '../../../platform/values/days.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { moneyStyleOf } from '../../kit/forms/field-limits.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import type { PageAnswer, PageRequest } from '../../kit/page.js';
import { filledNumber } from '../../kit/typed-number.js';
import { Empty, PageHead } from '../../kit/ui/components.js';
import { FormActions } from '../../kit/ui/field-groups.js';
import { Field, Form } from '../../kit/ui/fields.js';
import { fieldsNamed, ledgerForm } from '../ledger-form.js';
import {
  AllocationFields,
  type AllocationRow,
  addAmounts,
  reviewRemainder,
  SUGGEST,
  typedAmounts,
  withSuggestions,
} from './allocation-fields.js';
import { type MoneyStyle, readAmount } from './amounts.js';
import {
  type FundsKind,
  type FundsView,
  fundsMember,
  fundsPath,
  getFunds,
  pathOfFunds,
  refuseReversed,
} from './funds.js';

interface AllocatedMoney {
  readonly funds: FundsView;
  readonly rows: readonly AllocationRow[];
  /** The money that invoices have or could have, in ten-thousandths. */
  readonly money: bigint;
}

export const allocateForm = (kind: FundsKind) =>
  ledgerForm<AllocationRequest, AllocationPayload, AllocatedMoney>({
    kind: allocationWrites,
    path: `${fundsPath(kind, ':id')}/allocate`,
    words: {
      title: 'Saving the allocation',
      subject: 'The allocation',
      done: SAVED,
      failed: 'The allocation was not saved',
    },
    load: request => readMoney(kind, request),
    // Suggests to give the unallocated money to the invoices that are due first.
    initial: ({ session, loaded: { money, rows } }) => {
      const { values } = newForm({ date: today(session) });
      return newForm(withSuggestions(values, money, rows, session));
    },
    press: ({ form, session, loaded: { money, rows } }) =>
      form.get('do') === SUGGEST ? newForm(withSuggestions(form, money, rows, session)) : null,
    schema: allocationRequest,
    check: (body, { session }) => checkAllocation(body, session),
    read: ({ form, session, loaded: { funds, money, rows } }) => {
      const fields = fieldsNamed(form, ['date'], fundsMember(funds));
      const at = addAmounts(fields, changesOf(form, rows, moneyStyleOf(session)));
      return { fields, at, review: () => reviewRemainder(form, money, session) };
    },
    payload: body => ({ type: 'allocation.make', ...body }),
    formPath: payload => `${pathOfFunds(payload)}/allocate`,
    done: (_, { loaded: { funds } }) => ({ to: funds.path, flash: SAVED }),
    page: (state, { loaded }) => allocatePage(loaded, state),
  });
const SAVED = 'Allocation saved.';

interface Change {
  readonly invoiceId: string;
  /** The difference for a request: a number, or other text as it was typed. */
  readonly text: string;
}

/**
 * The amounts that differ from the invoices' present ones. Throws Problem `validation_failed` if
 * none does.
 */
function changesOf(form: FormFields, rows: readonly AllocationRow[], style: MoneyStyle): Change[] {
  const typed = new Map(typedAmounts(form).map(({ invoiceId, text }) => [invoiceId, text]));
  const changes = rows.flatMap(({ id, allocated }) => {
    const text = typed.get(id) ?? '';
    const amount = readAmount(text, style);
    if (amount === null) return [{ invoiceId: id, text }];
    const change = amount - toUnits(allocated);
    return change === 0n
      ? []
      : [{ invoiceId: id, text: filledNumber(fromUnits(change), style.decimalMark) }];
  });
  if (changes.length > 0) return changes;
  throw new Problem('validation_failed', 'Change the amount of at least one invoice.');
}

async function readMoney(kind: FundsKind, request: PageRequest): Promise<AllocatedMoney> {
  const funds = await getFunds(kind, request);
  refuseReversed(funds);
  const { allocations, customerName, unallocated } = funds;
  const allocated = new Map(allocations.map(({ invoiceId, amount }) => [invoiceId, amount]));
  const { companyId } = request.session;
  // The invoices that have some of the money come first.
  const open = await listOpenInvoices(companyId, customerName, [...allocated.keys()]);
  return {
    funds,
    rows: open.map(invoice => ({ ...invoice, allocated: allocated.get(invoice.id) ?? '0' })),
    money: allocations.reduce((sum, { amount }) => sum + toUnits(amount), toUnits(unallocated)),
  };
}

function allocatePage({ funds, rows, money }: AllocatedMoney, state: FormState): PageAnswer {
  const title = funds.kind === 'payment' ? 'Allocate payment' : 'Allocate the credit';
  const body = (
    <>
      <PageHead title={title} note={funds.customerName} />
      {rows.length === 0 ? (
        <Empty title="This customer has no open invoices" icon="invoices">
          <p>
            The money stays unallocated until there is one. <a href={funds.path}>Go back</a>
          </p>
        </Empty>
      ) : (
        <Form action={`${funds.path}/allocate`} state={state} deliberate wide>
          <AllocationFields
            rows={rows}
            state={state}
            money={money}
            hint={`How much of ${funds.name} each invoice gets. Clear a field to take it back.`}
          />
          <section class="panel" aria-label="Date">
            <div class="narrow-field">
              <Field name="date" label="Date" type="date" optional={false} />
            </div>
          </section>
          <FormActions submit="Save allocation" cancel={funds.path} />
        </Form>
      )}
    </>
  );
  return { title, body, scripts: ['payment-form.js'] };
}
