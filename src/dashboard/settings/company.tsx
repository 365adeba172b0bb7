// Settings → Company: the settings that owners can change.
import Joi from 'joi';
import type { Company } from '../../companies/model.js';
import { getCompany, hasInvoice, MAX_PREFIX, updateCompany } from '../../companies/service.js';
import { text } from '../../platform/http/input/validate.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import { type Answer, actorOf, type PageAnswer, type PageRequest } from '../kit/page.js';
import { PageHead, Panel, Time } from '../kit/ui/components.js';
import { Button, Checkbox, Field, Form, Select } from '../kit/ui/fields.js';
import { currencyOptions, timeZoneOptions } from './locale-options.js';
import { currentZoneName } from './time-zone-names.js';

/** The area of settings, members and API access. */
export const SETTINGS = '/settings';

interface SettingsBody {
  readonly name: string;
  /** Absent once it is fixed: browsers don't send disabled fields. */
  readonly currency?: string;
  readonly timeZone: string;
  readonly invoicePrefix: string;
  readonly allowNegativeStock: 'true' | 'false';
}

const settingsBody = Joi.object({
  name: text(255).required(),
  currency: Joi.string(),
  timeZone: Joi.string().required(),
  invoicePrefix: Joi.string().default(''),
  allowNegativeStock: Joi.string().valid('true').default('false'),
});

export async function showSettings({ session }: PageRequest): Promise<Answer> {
  const company = await getCompany(session.companyId);
  const { name, currency, timeZone, invoicePrefix, allowNegativeStock } = company;
  return settingsPage(
    company,
    newForm({
      name,
      currency,
      timeZone: currentZoneName(timeZone),
      invoicePrefix,
      ...(allowNegativeStock ? { allowNegativeStock: 'true' } : {}),
    }),
  );
}

export async function changeSettings({ session, form }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const outcome = await submitForm<SettingsBody, unknown>(
    form,
    settingsBody,
    ({ allowNegativeStock, ...settings }) =>
      updateCompany(
        companyId,
        { ...settings, allowNegativeStock: allowNegativeStock === 'true' },
        actorOf(session),
      ),
  );
  if (outcome.done) return { to: SETTINGS, flash: 'Settings saved.' };
  const company = await getCompany(companyId);
  const { state } = outcome;
  if (hasInvoice(company) && !state.values.has('currency'))
    state.values.set('currency', company.currency);
  return { ...settingsPage(company, state), ...outcome.answer };
}

function settingsPage(company: Company, state: FormState): PageAnswer {
  const isFixed = hasInvoice(company);
  const nextNumber = `${company.invoicePrefix}${company.nextInvoiceNumber.padStart(6, '0')}`;
  const prefixHint =
    `Up to ${MAX_PREFIX} letters A–Z, digits or hyphens. ` +
    `Next invoice: ${nextNumber}. Existing numbers don’t change.`;
  const body = (
    <>
      <PageHead title="Company" />
      <Panel title="General" note={<LastChange company={company} />} split>
        <Form action={SETTINGS} state={state} label="Company">
          <Field name="name" label="Company name" autocomplete="organization" maxLength={255} />
          <div class="field-pair">
            <Select
              name="currency"
              label="Currency"
              hint={
                isFixed
                  ? 'Can’t be changed once invoices exist.'
                  : 'Used on all invoices. Can’t be changed after the first one.'
              }
              options={currencyOptions(company.currency)}
              disabled={isFixed}
            />
            <Select
              name="timeZone"
              label="Time zone"
              hint="Used for dates and monthly figures."
              options={timeZoneOptions(company.timeZone)}
            />
          </div>
          <Field
            name="invoicePrefix"
            label="Invoice prefix"
            hint={prefixHint}
            autocomplete="off"
            maxLength={MAX_PREFIX}
            optional
          />
          <Checkbox
            name="allowNegativeStock"
            label="Allow negative stock"
            hint="Allow invoices to take stock below zero."
          />
          <Button>Save</Button>
        </Form>
      </Panel>
    </>
  );
  return { title: 'Settings', body };
}

function LastChange({ company }: { company: Company }) {
  const { settingsChangedAt: at, settingsChangedBy: by } = company;
  if (at === null) return <>Used on invoices and in reports.</>;
  return (
    <>
      Last changed by {by?.name ?? 'an operator'} on <Time at={at.toISOString()} />
    </>
  );
}
