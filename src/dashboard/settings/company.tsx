// Settings: the company's record, as far as its owners decide it.
import Joi from 'joi';
import type { Company } from '../../companies/model.js';
import { getCompany, hasInvoice, MAX_PREFIX, updateCompany } from '../../companies/service.js';
import { text } from '../../platform/http/validate.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { PageHead, Panel } from '../kit/ui/components.js';
import { Button, Checkbox, Field, Form, Select } from '../kit/ui/fields.js';
import { CURRENCIES, timeZones } from './choices.js';

interface SettingsBody {
  readonly name: string;
  /** Absent where it cannot be changed any more. */
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
      timeZone,
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
      updateCompany(companyId, { ...settings, allowNegativeStock: allowNegativeStock === 'true' }),
  );
  if (outcome.done) return { to: '/settings', flash: 'The settings are saved.' };
  const company = await getCompany(companyId);
  const { state } = outcome;
  if (hasInvoice(company) && !state.values.has('currency'))
    state.values.set('currency', company.currency);
  return { ...settingsPage(company, state), ...outcome.answer };
}

function settingsPage(company: Company, state: FormState): PageAnswer {
  const isFixed = hasInvoice(company);
  const next = `${company.invoicePrefix}${company.nextInvoiceNumber.padStart(6, '0')}`;
  const body = (
    <>
      <PageHead title="Settings" note={company.name} />
      <Panel title="Company">
        <Form action="/settings" state={state} label="Company">
          <Field name="name" label="Company name" autocomplete="organization" maxLength={255} />
          <Select
            name="currency"
            label="Currency"
            hint={
              isFixed
                ? 'It is fixed, because there are invoices in it.'
                : 'Of prices and invoices. It is fixed with the first invoice.'
            }
            options={CURRENCIES}
            disabled={isFixed}
          />
          <Select
            name="timeZone"
            label="Time zone"
            hint="Where your days and months begin and end."
            options={timeZones()}
          />
          <Field
            name="invoicePrefix"
            label="Invoice prefix"
            hint={`At most ${MAX_PREFIX} of A to Z, 0 to 9 and hyphens. The next invoice is ${next}; those that exist keep their numbers.`}
            autocomplete="off"
            maxLength={MAX_PREFIX}
            optional
          />
          <Checkbox
            name="allowNegativeStock"
            label="Allow negative stock"
            hint="Invoices are created even where stock does not suffice."
          />
          <Button>Save</Button>
        </Form>
      </Panel>
    </>
  );
  return { title: 'Settings', body };
}
