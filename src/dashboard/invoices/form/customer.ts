// The record of the form's customer: the terms and the tax that the form suggests, and its credit.
import { listCustomers } from '../../../customers/queries.js';
import { type InvoiceSettings, settingsFor } from '../../../invoices/defaults.js';
import { Problem } from '../../../platform/errors.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { isCalendarDate } from '../../../platform/http/input/validate.js';
import { addDays } from '../../../platform/values/days.js';
import { searchText } from '../../../platform/values/search-text.js';
import { matchKey } from '../../../platform/values/text.js';
import { NOTHING_OWED, readOwed } from '../../../receivables/owed.js';
import { creditLeft } from '../../customers/account/head.js';
import { type Customer, customerPath } from '../../customers/customer-view.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import { formatCount, formatMoney } from '../../kit/ui/format.js';
import { countLines, invoiceFields, TERMS_FIELD, typedCategory } from './fields.js';

export interface FormCustomer {
  /** The match key if the record has terms or a tax, else empty. */
  readonly termsKey: string;
  /** The company's settings with the terms and the tax of the record. */
  readonly settings: InvoiceSettings;
  /** Says what the record has, for people. */
  readonly note: string;
  readonly path: string;
}

interface Company extends InvoiceSettings {
  readonly companyId: string;
}

/** The record in use that has this name or alias; null for any other name. */
export async function readFormCustomer(
  company: Company,
  name: string | null,
): Promise<FormCustomer | null> {
  const text = searchText(name);
  if (text === '') return null;
  const filter = { limit: 1, name: text };
  const { body } = await listCustomers(company.companyId, filter, undefined);
  const [customer] = parseDecimalJson<Customer[]>(body);
  if (!customer) return null;
  const { termsDays, tax } = customer;
  const hasTerms = termsDays !== null || tax !== null;
  return {
    termsKey: hasTerms ? matchKey(text) : '',
    settings: settingsFor(company, {
      termsDays: termsDays === null ? null : Number(termsDays),
      tax: tax && { ...tax, rate: Number(tax.rate) },
    }),
    note: await noteOf(company, customer),
    path: customerPath(customer),
  };
}

async function noteOf(
  { companyId, currency }: Company,
  { id, number, hold, termsDays, tax, creditLimit }: Customer,
): Promise<string> {
  const parts = [
    number,
    ...(hold ? ['on hold'] : []),
    ...(termsDays === null ? [] : [`due after ${formatCount(termsDays, 'day')}`]),
    ...(tax === null ? [] : [`${tax.rate}% tax`]),
  ];
  if (creditLimit === null) return parts.join(' · ');
  const owed = (await readOwed(companyId, [id])).get(id);
  const left = creditLeft(creditLimit, owed ?? NOTHING_OWED);
  const [shown, limit] = [left, creditLimit].map(amount => formatMoney(amount, currency));
  return [...parts, `${shown} credit left of ${limit}`].join(' · ');
}

/**
 * The form to check again: its customer has other terms or another tax than the form suggested, so
 * those were replaced. Null if the form may be sent as it is.
 */
export async function reviewTerms(company: Company, form: FormFields): Promise<FormState | null> {
  const fields = invoiceFields(form);
  const name = fields.get('customerName');
  const shownKey = fields.get(TERMS_FIELD) ?? '';
  const customer = await readFormCustomer(company, name);
  if ((customer?.termsKey ?? '') === shownKey) return null;
  const before = (await readFormCustomer(company, shownKey))?.settings ?? company;
  const shown = withTerms(fields, before, customer ?? noCustomer(company));
  const isSame = [...shown].every(
    ([field, text]) => field === TERMS_FIELD || fields.get(field) === text,
  );
  if (isSame) return null;
  const whose = customer ? `of ${name}` : 'of the company';
  const message = `The payment terms and the tax ${whose} are filled in. Check them first.`;
  return { ...newForm(shown), message };
}

type Suggested = Pick<FormCustomer, 'termsKey' | 'settings'>;

/** The suggestions for a name without a record. */
export function noCustomer(settings: InvoiceSettings): Suggested {
  return { termsKey: '', settings };
}

/** The fields with the suggestions of a customer in place of earlier ones. Edited fields stay. */
export function withTerms(
  fields: FormFields,
  before: InvoiceSettings,
  { termsKey, settings: after }: Suggested,
): FormFields {
  const shown = new FormFields(fields);
  const text = (name: string) => (fields.get(name) ?? '').trim();
  const replace = (name: string, old: string, suggested: string) => {
    if (text(name) === '' || text(name) === old) shown.set(name, suggested);
  };
  const date = text('date');
  replace('dueDate', dueDateOf(date, before), dueDateOf(date, after));
  replace('taxReason', before.defaultTaxReason ?? '', after.defaultTaxReason ?? '');
  for (let index = 0; index < countLines(fields); index += 1) {
    const [rate, category] = [`items.${index}.taxRate`, `items.${index}.taxCategory`];
    if (text(rate) !== rateOf(before) || text(category) !== categoryOf(before)) continue;
    shown.set(rate, rateOf(after));
    shown.set(category, categoryOf(after));
  }
  shown.set(TERMS_FIELD, termsKey);
  return shown;
}

export function dueDateOf(date: string, { termsDays }: InvoiceSettings): string {
  return termsDays !== null && isCalendarDate(date) ? addDays(date, termsDays) : '';
}

export function rateOf({ defaultTaxRate }: InvoiceSettings): string {
  return defaultTaxRate === null ? '' : String(defaultTaxRate);
}

export function categoryOf({ defaultTaxCategory }: InvoiceSettings): string {
  return typedCategory(defaultTaxCategory);
}

/** The refusals for a hold or a credit limit, with amounts in the currency. */
export function creditWords(currency: string) {
  const money = (amount: unknown) => formatMoney(String(amount), currency);
  return ({ code, details }: Problem): Problem | null => {
    const { available, creditLimit, requested } = details.members ?? {};
    switch (code) {
      case 'customer_on_hold':
        return new Problem(code, 'This customer is on hold, so new invoices are refused.');
      case 'credit_limit_exceeded':
        return new Problem(
          code,
          `The total of ${money(requested)} exceeds the credit that is left: ` +
            `${money(available)} of ${money(creditLimit)}.`,
        );
      default:
        return null;
    }
  };
}

/** True if the form was refused for a hold or a credit limit. */
export function isCreditRefusal({ refusal }: FormState): boolean {
  return refusal?.code === 'customer_on_hold' || refusal?.code === 'credit_limit_exceeded';
}
