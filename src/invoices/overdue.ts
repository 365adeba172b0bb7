// When an invoice is overdue: it is open, money is due, and its due date is before today. The ages
// of debt are the same in the API and on every page.

/** SQL for a due date that has passed on a day. */
export const isPast = (dueDate: string, day: string) => `${dueDate} < ${day}`;

/** SQL for today in the company's time zone. Reads the company's id as $1. */
const TODAY = '(SELECT (now() AT TIME ZONE time_zone)::date FROM companies WHERE id = $1)';

/** SQL for a due date before today. Reads the invoices row as i and the company's id as $1. */
export const PAST_DUE = isPast('i.due_date', TODAY);

/** SQL for an invoice that is not paid or credited in full. Reads the invoices row as i. */
export const HAS_DUE = 'i.paid + i.credited < i.total';

/** SQL for an open invoice with something due. Reads the invoices row as i. */
export const IS_DUE = `i.status = 'open' AND ${HAS_DUE}`;

/** SQL for an open invoice that is paid in part. Reads the invoices row as i. */
export const IS_PARTLY_PAID = `i.status = 'open' AND i.paid > 0`;

/** SQL for an overdue invoice. Reads the invoices row as i and the company's id as $1. */
export const OVERDUE = `${IS_DUE}
  AND ${PAST_DUE}`;

/** The ages of debt with their last day. Current money is not yet due, or has no due date. */
const LAST_DAYS = { current: 0, days1To30: 30, days31To60: 60, days61To90: 90 } as const;
export const AGES = [...(Object.keys(LAST_DAYS) as (keyof typeof LAST_DAYS)[]), 'over90'] as const;
export type Age = (typeof AGES)[number];

/** Ages of money that is overdue. */
export const OVERDUE_AGES = AGES.filter(age => age !== 'current');

/** SQL for a due date from which a day is more than `days` later. */
const isOlderThan = (dueDate: string, day: string, days: number) =>
  isPast(dueDate, days === 0 ? day : `${day} - ${days}`);

/** SQL for a due date of this age on a day. Each due date, also NULL, has exactly one age. */
export function isOfAge(age: Age, dueDate: string, day: string): string {
  if (age === 'current') return `COALESCE(${dueDate}, 'infinity') >= ${day}`;
  const index = AGES.indexOf(age);
  const lastDays = Object.values(LAST_DAYS);
  const [before = 0, last] = [lastDays[index - 1], lastDays[index]];
  return [
    isOlderThan(dueDate, day, before),
    ...(last === undefined ? [] : [`NOT ${isOlderThan(dueDate, day, last)}`]),
  ].join(' AND ');
}

/** SQL for an invoice with money due that is overdue for so long. Reads the same as OVERDUE. */
export const isOverdueFor = (age: Age) => `${IS_DUE} AND ${isOfAge(age, 'i.due_date', TODAY)}`;

/** SQL for an invoice of the last two ages. Reads the same as OVERDUE. */
export const OVER_60_DAYS = `${IS_DUE}
  AND ${isOlderThan('i.due_date', TODAY, LAST_DAYS.days31To60)}`;

/** The members of an invoice's JSON that decide whether it is overdue. */
export interface DueInvoice {
  readonly status: string;
  readonly dueDate: string | null;
  readonly amountDue: string;
}

/** Like OVERDUE. `today` is in the company's time zone. */
export function isOverdue({ status, dueDate, amountDue }: DueInvoice, today: string): boolean {
  return status === 'open' && Number(amountDue) > 0 && dueDate !== null && dueDate < today;
}
