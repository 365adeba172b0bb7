// Settings → Company: the settings that owners can change.
import Joi from 'joi';
import type { Company } from '../../companies/model.js';
import {
  getCompany,
  MAX_PREFIX,
  recordsInCurrency,
  updateCompany,
} from '../../companies/service.js';
import { invoiceNumber } from '../../invoices/invoice-json.js';
import { decimal, text } from '../../platform/http/input/validate.js';
import { changedOnly, type FormState, newForm, submitForm } from '../kit/form.js';
import { type Answer, actorOf, type PageAnswer, type PageRequest } from '../kit/page.js';
import { PageHead, Panel, Time } from '../kit/ui/components.js';
import { Button, Checkbox, Field, Form, Select } from '../kit/ui/fields.js';
import { OpenedWith } from '../kit/ui/opened-with.js';
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
  readonly creditNotePrefix: string;
  readonly termsDays: number | null;
  readonly defaultTaxRate: number | null;
  readonly allowNegativeStock: 'true' | 'false';
}

const settingsBody = Joi.object({
  name: text(255).required(),
  currency: Joi.string(),
  timeZone: Joi.string().required(),
  invoicePrefix: Joi.string().default(''),
  creditNotePrefix: Joi.string().default(''),
  termsDays: decimal(0, 365).default(null),
  defaultTaxRate: decimal(0, 100).default(null),
  allowNegativeStock: Joi.string().valid('true').default('false'),
});

const SETTING_FIELDS = [
  'name',
  'currency',
  'timeZone',
  'invoicePrefix',
  'creditNotePrefix',
  'termsDays',
  'defaultTaxRate',
  'allowNegativeStock',
];

export async function showSettings({ session }: PageRequest): Promise<Answer> {
  const company = await getCompany(session.companyId);
  const { name, currency, timeZone, invoicePrefix, creditNotePrefix } = company;
  const { termsDays, defaultTaxRate, allowNegativeStock } = company;
  return settingsPage(
    company,
    newForm({
      name,
      currency,
      timeZone: currentZoneName(timeZone),
      invoicePrefix,
      creditNotePrefix,
      termsDays: String(termsDays ?? ''),
      defaultTaxRate: defaultTaxRate === null ? '' : String(Number(defaultTaxRate)),
      ...(allowNegativeStock ? { allowNegativeStock: 'true' } : {}),
    }),
  );
}

export async function changeSettings({ session, form }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const outcome = await submitForm<SettingsBody, unknown>(
    form,
    settingsBody,
    ({ allowNegativeStock, defaultTaxRate, ...settings }) =>
      updateCompany(
        companyId,
        changedOnly(form, {
          ...settings,
          defaultTaxRate: defaultTaxRate === null ? null : String(defaultTaxRate),
          allowNegativeStock: allowNegativeStock === 'true',
        }),
        actorOf(session),
      ),
    { numbers: ['termsDays', 'defaultTaxRate'] },
  );
  if (outcome.done) return { to: SETTINGS, flash: 'Settings saved.' };
  const company = await getCompany(companyId);
  const { state } = outcome;
  if (recordsInCurrency(company) !== null && !state.values.has('currency'))
    state.values.set('currency', company.currency);
  return { ...settingsPage(company, state), ...outcome.answer };
}

function settingsPage(company: Company, state: FormState): PageAnswer {
  const records = recordsInCurrency(company);
  const isFixed = records !== null;
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
                  ? `Can’t be changed once ${records} exist.`
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
          <InvoiceDefaults company={company} />
          <Checkbox
            name="allowNegativeStock"
            label="Allow negative stock"
            hint="Allow invoices to take stock below zero."
          />
          <OpenedWith names={SETTING_FIELDS} />
          <Button>Save</Button>
        </Form>
      </Panel>
    </>
  );
  return { title: 'Settings', body };
}

/** The settings that new invoices and credit notes follow. */
function InvoiceDefaults({ company }: { company: Company }) {
  const { invoicePrefix, nextInvoiceNumber } = company;
  const prefix = `Up to ${MAX_PREFIX} letters A–Z, digits or hyphens.`;
  const next = invoiceNumber(invoicePrefix, nextInvoiceNumber);
  return (
    <>
      <Field
        name="invoicePrefix"
        label="Invoice prefix"
        hint={`${prefix} Next invoice: ${next}. Existing numbers don’t change.`}
        autocomplete="off"
        maxLength={MAX_PREFIX}
        optional
      />
      <Field
        name="creditNotePrefix"
        label="Credit note prefix"
        hint={`${prefix} Existing numbers don’t change.`}
        autocomplete="off"
        maxLength={MAX_PREFIX}
        optional
      />
      <Field
        name="termsDays"
        label="Payment terms in days"
        hint="New invoices are due this many days after their date. Leave empty for no due date."
        autocomplete="off"
        decimal
        optional
      />
      <Field
        name="defaultTaxRate"
        label="Default tax rate in percent"
        hint="Applies to new invoices without any tax rate. Leave empty for no tax."
        autocomplete="off"
        decimal
        optional
      />
    </>
  );
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
