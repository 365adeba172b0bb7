// The customer of the form: the record that its text means, the terms and the tax that the form
// suggests, and the credit that is left.
import type { CreditLimitAction } from '../../../companies/credit-limit-action.js';
import { findMeant } from '../../../customers/names/typed.js';
import { type InvoiceSettings, settingsFor } from '../../../invoices/defaults.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { isCalendarDate } from '../../../platform/http/input/validate.js';
import { addDays } from '../../../platform/values/days.js';
import { searchText } from '../../../platform/values/search-text.js';
import { matchKey } from '../../../platform/values/text.js';
import { NOTHING_OWED, readOwed } from '../../../receivables/owed.js';
import { creditLeft } from '../../customers/account/head.js';
import { type Customer, getCustomer } from '../../customers/customer-view.js';
import {
  meantName,
  readTypedCustomer,
  type TypedCustomer,
} from '../../customers/typed-customer.js';
import { questionAt } from '../../kit/forms/date-question.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import type { Invoice } from '../invoice-view.js';
import { excessOf, type LimitLeft } from './credit.js';
import { countLines, invoiceFields, NEW_NAME_FIELD, TERMS_FIELD, typedCategory } from './fields.js';

/** The customer that a person's text means. */
export interface FormCustomer {
  readonly typed: TypedCustomer;
  /** The match key if the record has terms or a tax, else empty. */
  readonly termsKey: string;
  /** The company's settings with the terms and the tax of the record. */
  readonly settings: InvoiceSettings;
  /** The record in use; null without one. */
  readonly record: Customer | null;
  /** The limit of the record; null without one. */
  readonly credit: LimitLeft | null;
}

interface Company extends InvoiceSettings {
  readonly companyId: string;
  readonly creditLimitAction: CreditLimitAction;
}

/** Null for an empty text. */
export async function readFormCustomer(
  company: Company,
  name: string | null,
): Promise<FormCustomer | null> {
  const typed = await readTypedCustomer(company.companyId, name);
  if (typed === null) return null;
  if (typed.kind !== 'record' || typed.record.archived)
    return { typed, termsKey: '', settings: company, record: null, credit: null };
  const record = await getCustomer(company.companyId, typed.record.id);
  const { termsDays, tax } = record;
  const hasTerms = termsDays !== null || tax !== null;
  return {
    typed,
    termsKey: hasTerms ? matchKey(record.name) : '',
    settings: settingsFor(company, {
      termsDays: termsDays === null ? null : Number(termsDays),
      tax: tax && { ...tax, rate: Number(tax.rate) },
    }),
    record,
    credit: await readCredit(company, record),
  };
}

/** The match key of a new name; empty for a known one. */
export function newNameOf(customer: FormCustomer | null): string {
  return customer?.typed.kind === 'new' ? matchKey(customer.typed.name) : '';
}

/** The limit of a record, and what is left of it now. */
export async function readCredit(
  { companyId, creditLimitAction }: Pick<Company, 'companyId' | 'creditLimitAction'>,
  { id, creditLimit }: Pick<Customer, 'id' | 'creditLimit'>,
): Promise<LimitLeft | null> {
  if (creditLimit === null) return null;
  const owed = (await readOwed(companyId, [id])).get(id) ?? NOTHING_OWED;
  const left = creditLeft(creditLimit, owed);
  return { left, limit: creditLimit, refuses: creditLimitAction === 'refuse' };
}

/** The fields with the name of the customer that their text means. */
export async function withMeantCustomer(
  { companyId }: Pick<Company, 'companyId'>,
  fields: FormFields,
): Promise<FormFields> {
  const name = fields.get('customerName') ?? '';
  const meant = await meantName(companyId, name);
  if (meant === searchText(name)) return fields;
  const changed = new FormFields(fields);
  changed.set('customerName', meant);
  return changed;
}

/**
 * Asks once about a new name that is nearly a known one, unless the page has shown that. Throws
 * Problem `validation_failed`.
 */
export async function askAboutName({ companyId }: Company, fields: FormFields): Promise<void> {
  const typed = await readTypedCustomer(companyId, fields.get('customerName'));
  if (typed?.kind !== 'new' || typed.near.length === 0) return;
  if (fields.get(NEW_NAME_FIELD) === matchKey(typed.name)) return;
  throw questionAt(
    'customerName',
    'This is a new name. Choose one of these customers, or submit again.',
  );
}

/**
 * The form to check again: its customer has other terms or another tax than the form suggested, so
 * those were replaced. Null if the form may be sent as it is.
 */
export async function reviewTerms(company: Company, form: FormFields): Promise<FormState | null> {
  const fields = await withMeantCustomer(company, invoiceFields(form));
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
  const whose = customer?.record ? `of ${name}` : 'of the company';
  const message = `The payment terms and the tax ${whose} are filled in. Check them first.`;
  return { ...newForm(shown), message };
}

/** The form with another customer and its terms. */
export async function withCustomer(
  company: Company,
  form: FormFields,
  name: string,
): Promise<FormState> {
  const fields = invoiceFields(form);
  const before = await readFormCustomer(company, fields.get(TERMS_FIELD));
  fields.set('customerName', name);
  const customer = (await readFormCustomer(company, name)) ?? noCustomer(company);
  return newForm(withTerms(fields, before?.settings ?? company, customer));
}

/** Says by how much a customer exceeds its limit after an invoice; null if it does not. */
export async function readExcess(
  companyId: string,
  { customerName, total, currency }: Pick<Invoice, 'customerName' | 'total' | 'currency'>,
): Promise<string | null> {
  const record = await findMeant(companyId, customerName);
  if (!record || record.archived) return null;
  const customer = await getCustomer(companyId, record.id);
  const credit = await readCredit({ companyId, creditLimitAction: 'warn' }, customer);
  const excess = credit && total !== '0' ? excessOf(credit, currency) : null;
  return excess && `${customerName} is now ${excess.over} over its limit of ${excess.limit}.`;
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
  if (termsDays === null || !isCalendarDate(date)) return '';
  const due = addDays(date, termsDays);
  return isCalendarDate(due) ? due : '';
}

export function rateOf({ defaultTaxRate }: InvoiceSettings): string {
  return defaultTaxRate === null ? '' : String(defaultTaxRate);
}

export function categoryOf({ defaultTaxCategory }: InvoiceSettings): string {
  return typedCategory(defaultTaxCategory);
}

/** True if the form was refused for a hold or a credit limit. */
export function isCreditRefusal({ refusal }: FormState): boolean {
  return refusal?.code === 'customer_on_hold' || refusal?.code === 'credit_limit_exceeded';
}
