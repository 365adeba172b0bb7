// Settings → Company: the settings that owners can change.
import Joi from 'joi';
import type { ShownActor } from '../../companies/actor.js';
import {
  CREDIT_LIMIT_ACTIONS,
  type CreditLimitAction,
} from '../../companies/credit-limit-action.js';
import type { Company } from '../../companies/model.js';
import { getCompany, MAX_PREFIX, recordsInCurrency } from '../../companies/service.js';
import { updateSettings } from '../../customer-records/settings.js';
import { wholeDays } from '../../customers/schema.js';
import { invoiceNumber } from '../../invoices/invoice-json.js';
import { decimal, text } from '../../platform/http/input/validate.js';
import { CSV_FORMATS, type CsvFormat } from '../../platform/values/csv.js';
import type { Permission } from '../../users/roles.js';
import { findShownActor } from '../../users/service.js';
import { changedOnly } from '../kit/forms/form.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { plainForm } from '../kit/forms/plain-form.js';
import { actorOf, type PageAnswer } from '../kit/page.js';
import { By, IfMay, PageHead, Time } from '../kit/ui/components.js';
import { FormSection } from '../kit/ui/field-groups.js';
import { Button, Checkbox, Field, Form, type Option, Select } from '../kit/ui/fields.js';
import { OpenedWith } from '../kit/ui/opened-with.js';
import { currencyOptions, timeZoneOptions } from './locale-options.js';
import { currentZoneName } from './time-zone-names.js';

/** The area of settings and members. */
export const SETTINGS = '/settings';

interface SettingsBody {
  readonly name: string;
  /** Absent once it is fixed, because browsers don't send disabled fields. */
  readonly currency?: string;
  readonly timeZone: string;
  readonly invoicePrefix: string;
  readonly creditNotePrefix: string;
  readonly termsDays: number | null;
  readonly defaultTaxRate: number | null;
  readonly creditLimitAction?: CreditLimitAction;
  readonly csvFormat?: CsvFormat;
  readonly allowNegativeStock: 'true' | 'false';
}

// The service refuses a longer one, with a sentence that says which characters are allowed.
const prefix = Joi.string()
  .default('')
  .meta({ schema: { type: 'string', maxLength: MAX_PREFIX } });

const settingsBody = Joi.object({
  name: text(255).required(),
  currency: Joi.string(),
  timeZone: Joi.string().required(),
  invoicePrefix: prefix,
  creditNotePrefix: prefix,
  termsDays: wholeDays().default(null),
  defaultTaxRate: decimal(0, 100).default(null),
  creditLimitAction: Joi.string().valid(...CREDIT_LIMIT_ACTIONS),
  csvFormat: Joi.string().valid(...CSV_FORMATS),
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
  'creditLimitAction',
  'csvFormat',
  'allowNegativeStock',
];

export const settingsForm = plainForm<SettingsBody, Permission, Company>({
  path: SETTINGS,
  guard: 'change-settings',
  pageGuard: 'see-settings',
  nav: { label: 'Settings', icon: 'settings', group: 'Company', tab: 'Company' },
  load: ({ session }) => getCompany(session.companyId),
  initial: ({ loaded }) => {
    const { name, currency, timeZone, invoicePrefix, creditNotePrefix } = loaded;
    const { termsDays, defaultTaxRate, creditLimitAction, csvFormat, allowNegativeStock } = loaded;
    return newForm({
      name,
      currency,
      timeZone: currentZoneName(timeZone),
      invoicePrefix,
      creditNotePrefix,
      termsDays: String(termsDays ?? ''),
      defaultTaxRate: defaultTaxRate === null ? '' : String(Number(defaultTaxRate)),
      creditLimitAction,
      csvFormat,
      ...(allowNegativeStock ? { allowNegativeStock: 'true' } : {}),
    });
  },
  schema: settingsBody,
  save: async ({ allowNegativeStock, defaultTaxRate, ...settings }, { session, form }) => {
    const changes = changedOnly(form, {
      ...settings,
      defaultTaxRate: defaultTaxRate === null ? null : String(defaultTaxRate),
      allowNegativeStock: allowNegativeStock === 'true',
    });
    await updateSettings(session.companyId, changes, actorOf(session));
    return { to: SETTINGS, flash: 'Settings saved.' };
  },
  page: async (state, { loaded }) => {
    if (recordsInCurrency(loaded) !== null && !state.values.has('currency'))
      state.values.set('currency', loaded.currency);
    const changedBy = await findShownActor(loaded.id, loaded.settingsChangedBy);
    return settingsPage(loaded, state, changedBy);
  },
});

const CSV_OPTIONS: readonly (Option & { readonly value: CsvFormat })[] = [
  { value: 'comma', label: 'Commas and decimal points (1.5)' },
  { value: 'semicolon', label: 'Semicolons and decimal commas (1,5)' },
];

const CREDIT_LIMIT_OPTIONS: readonly (Option & { readonly value: CreditLimitAction })[] = [
  { value: 'warn', label: 'Create them, and list the customer as over the limit' },
  { value: 'refuse', label: 'Refuse them' },
];

function settingsPage(
  company: Company,
  state: FormState,
  changedBy: ShownActor | null,
): PageAnswer {
  const records = recordsInCurrency(company);
  const isFixed = records !== null;
  const body = (
    <>
      <PageHead
        title="Company"
        note={<LastChange at={company.settingsChangedAt} by={changedBy} />}
      />
      <Form action={SETTINGS} state={state} label="Company" permission="change-settings" wide>
        <FormSection title="General">
          <Field name="name" label="Company name" autocomplete="organization" />
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
        </FormSection>
        <InvoiceSection company={company} />
        <FormSection title="Tax">
          <Field
            name="defaultTaxRate"
            label="Default tax rate (%)"
            hint="Used when no line sets a rate. Leave empty for no tax."
            autocomplete="off"
          />
        </FormSection>
        <FormSection title="Credit limits">
          <Select
            name="creditLimitAction"
            label="Invoices above a customer’s credit limit"
            hint="The limit is the customer’s. A hold always refuses new invoices."
            options={CREDIT_LIMIT_OPTIONS}
          />
        </FormSection>
        <FormSection title="Stock">
          <Checkbox
            name="allowNegativeStock"
            label="Allow negative stock"
            hint="Allow invoices to take stock below zero."
          />
        </FormSection>
        <FormSection title="Files">
          <Select
            name="csvFormat"
            label="CSV files"
            hint="The format of all downloads. Imports read either one."
            options={CSV_OPTIONS}
          />
        </FormSection>
        <OpenedWith names={SETTING_FIELDS} />
        <IfMay permission="change-settings">
          <Button>Save</Button>
        </IfMay>
      </Form>
    </>
  );
  return { title: 'Settings', body };
}

function InvoiceSection({ company }: { company: Company }) {
  const { invoicePrefix, nextInvoiceNumber } = company;
  const prefix = `Up to ${MAX_PREFIX} letters A–Z, digits or hyphens.`;
  const next = invoiceNumber(invoicePrefix, nextInvoiceNumber);
  return (
    <FormSection title="Invoices">
      <Field
        name="invoicePrefix"
        label="Invoice prefix"
        hint={`${prefix} Next invoice: ${next}. Existing numbers don’t change.`}
        autocomplete="off"
      />
      <Field
        name="creditNotePrefix"
        label="Credit note prefix"
        hint={`${prefix} Existing numbers don’t change.`}
        autocomplete="off"
      />
      <Field
        name="termsDays"
        label="Payment terms (days)"
        hint="New invoices are due this many days after their date. Leave empty for no due date."
        autocomplete="off"
      />
    </FormSection>
  );
}

function LastChange({ at, by }: { at: Date | null; by: ShownActor | null }) {
  if (at === null) return <>Used on invoices and in reports.</>;
  return (
    <>
      Last changed by {by ? <By actor={by} /> : 'an operator'} on <Time at={at.toISOString()} />
    </>
  );
}
