// When an invoice is overdue: it is open, money is due, and its due date is before today.

/** SQL for a due date that has passed on a day. */
export const isPast = (dueDate: string, day: string) => `${dueDate} < ${day}`;

/** SQL for a due date before today. Reads the invoices row as i and the company's id as $1. */
export const PAST_DUE = isPast(
  'i.due_date',
  '(SELECT (now() AT TIME ZONE time_zone)::date FROM companies WHERE id = $1)',
);

/** SQL for an invoice that is not paid or credited in full. Reads the invoices row as i. */
export const HAS_DUE = 'i.paid + i.credited < i.total';

/** SQL for an open invoice with something due. Reads the invoices row as i. */
export const IS_DUE = `i.status = 'open' AND ${HAS_DUE}`;

/** SQL for an open invoice that is paid in part. Reads the invoices row as i. */
export const IS_PARTLY_PAID = `i.status = 'open' AND i.paid > 0`;

/** SQL for an overdue invoice. Reads the invoices row as i and the company's id as $1. */
export const OVERDUE = `${IS_DUE}
  AND ${PAST_DUE}`;

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
