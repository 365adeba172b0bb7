// The days of a statement, as the query of its address.

import { Problem } from '../../../platform/errors.js';
import { firstDayOfMonth, today } from '../../../platform/values/days.js';
import { readFilters } from '../../kit/lists/filters.js';
import type { PageRequest } from '../../kit/page.js';
import { Button } from '../../kit/ui/fields.js';

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Months before this one that a statement shows by default. */
const MONTHS = 2;

/** Throws Problem `invalid_parameter`. */
export function readDays({ session, query }: PageRequest): Days {
  const filters = readFilters(query, {}, true);
  const to = filters.to ?? today(session);
  const from = filters.from ?? firstDayOfMonth(to, -MONTHS);
  if (from > to) throw new Problem('invalid_parameter', 'The first day is after the last day.');
  return { from, to };
}

interface PeriodProps {
  /** The path of the page; its other parameters are hidden fields. */
  readonly path: string;
  readonly hiddenFields: Readonly<Record<string, string>>;
  readonly days: Partial<Days>;
}

/** Open items have a last day only. */
export function AccountPeriod({ path, hiddenFields, days: { from, to } }: PeriodProps) {
  return (
    <form method="get" action={path} class="row days-form" aria-label="Dates">
      {Object.entries(hiddenFields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {from !== undefined && <DayInput name="from" label="From" day={from} />}
      <DayInput name="to" label={from === undefined ? 'As of' : 'to'} day={to} />
      <Button quiet>Show</Button>
    </form>
  );
}

interface DayProps {
  readonly name: string;
  readonly label: string;
  readonly day: string | undefined;
}

function DayInput({ name, label, day }: DayProps) {
  return (
    <>
      <label for={`days-${name}`}>{label}</label>
      <input id={`days-${name}`} type="date" name={name} value={day} />
    </>
  );
}
