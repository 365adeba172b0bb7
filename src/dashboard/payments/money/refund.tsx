// Refunding what a payment or credit note has left.
import { v7 as uuidv7 } from 'uuid';
import type { Submitter } from '../../../jobs/submit/submitter.js';
import { refundWrites } from '../../../ledger/batch/kinds.js';
import { checkRefund } from '../../../ledger/body-checks.js';
import { type RefundRequest, refundRequest } from '../../../ledger/schema.js';
import { toUnits } from '../../../platform/values/money.js';
import { type FormState, newForm } from '../../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../../kit/page.js';
import { KEY_FIELD } from '../../kit/submit-write.js';
import { ButtonLink, Money, PageHead } from '../../kit/ui/components.js';
import { Button, Field, Form, Hidden, Select, TextArea } from '../../kit/ui/fields.js';
import { dayIn, formatMoney } from '../../kit/ui/format.js';
import { METHOD_OPTIONS } from '../payment-view.js';
import { fieldsNamed, ledgerAnswer, submitLedgerForm } from '../submit.js';
import { typedAmount } from './amounts.js';
import { getSource, type MoneySource, type SourceKind, sourceMember } from './source.js';

const FIELDS = ['amount', 'date', 'method', 'reference', 'externalId', 'note'];

export async function showRefund(request: PageRequest, kind: SourceKind): Promise<Answer> {
  const { currency, timeZone } = request.session;
  const source = await getSource(kind, request);
  if (source.unallocated === '0') return { to: source.path, flash: 'Nothing is left to refund.' };
  const amount = typedAmount(toUnits(source.unallocated), currency);
  return refundPage(source, newForm({ amount, date: dayIn(timeZone, new Date()) }));
}

export async function refund(
  request: PageRequest,
  submitter: Submitter,
  kind: SourceKind,
): Promise<Answer> {
  const { currency } = request.session;
  const source = await getSource(kind, request);
  const fields = fieldsNamed(request.form, FIELDS);
  for (const [name, id] of Object.entries(sourceMember(source))) fields.set(name, id);
  const outcome = await submitLedgerForm<RefundRequest>(submitter, request, {
    kind: refundWrites,
    schema: refundRequest,
    check: body => checkRefund(body, currency),
    fields,
    payload: body => ({ type: 'refund.record', ...body }),
  });
  if (!outcome.done)
    return { ...refundPage(source, outcome.state, outcome.key), ...outcome.answer };
  return ledgerAnswer(outcome.result, ({ body }) => {
    const { amount } = JSON.parse(body) as { amount: number };
    const flash = `Refund of ${formatMoney(String(amount), currency)} recorded.`;
    return { to: source.path, flash };
  });
}

function refundPage(source: MoneySource, state: FormState, key: string = uuidv7()): PageAnswer {
  const body = (
    <>
      <PageHead title="Record a refund" note={`To ${source.customerName}`} />
      <section class="panel">
        <p>
          <Money value={source.unallocated} /> of {source.name} is unallocated. Record here what you
          have paid back.
        </p>
        <Form action={`${source.path}/refund`} state={state} label="Refund" focusFirst>
          <Hidden name={KEY_FIELD} value={key} />
          <div class="field-pair">
            <Field name="amount" label="Amount" autocomplete="off" decimal />
            <Field name="date" label="Date" type="date" />
          </div>
          <div class="field-pair">
            <Select name="method" label="Method" options={METHOD_OPTIONS} optional />
            <Field name="reference" label="Reference" maxLength={100} optional />
          </div>
          <Field
            name="externalId"
            label="Transaction ID"
            hint="From the bank. Each can be used once, so no transfer is recorded twice."
            maxLength={100}
            optional
          />
          <TextArea name="note" label="Note" rows={2} optional />
          <div class="actions">
            <Button>Record refund</Button>
            <ButtonLink href={source.path} quiet>
              Cancel
            </ButtonLink>
          </div>
        </Form>
      </section>
    </>
  );
  return { title: 'Record a refund', body };
}
