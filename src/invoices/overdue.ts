// When an invoice is overdue: it is open, money is due, and its due date is before today.

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

/** The days that money has been overdue. `none`: it is not overdue, or has no due date. */
export const DUE_AGES = ['none', '1-30', '31-60', 'over-60'] as const;
export type DueAge = (typeof DUE_AGES)[number];

/** SQL for a due date of this age on a day. Each due date has exactly one age. */
export function isOfAge(age: DueAge, dueDate: string, day: string): string {
  const isOverdueBy = (days: number) => isPast(dueDate, `${day} - ${days}`);
  const conditions = {
    none: `COALESCE(${dueDate}, 'infinity') >= ${day}`,
    '1-30': `${isPast(dueDate, day)} AND NOT ${isOverdueBy(30)}`,
    '31-60': `${isOverdueBy(30)} AND NOT ${isOverdueBy(60)}`,
    'over-60': isOverdueBy(60),
  };
  return conditions[age];
}

/** SQL for an invoice with money due that is overdue for so long. Reads the same as OVERDUE. */
export const isOverdueFor = (age: DueAge) => `${IS_DUE} AND ${isOfAge(age, 'i.due_date', TODAY)}`;

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
