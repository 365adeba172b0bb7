// The days of a statement, as the query of its address, and the tools above it.

import { firstDayOfMonth, today } from '../../../platform/values/days.js';
import { type DateRange, readFilters } from '../../kit/lists/filters.js';
import { DatesRefusal, DayInput, type RefusedParameters } from '../../kit/lists/refused-dates.js';
import type { PageRequest } from '../../kit/page.js';
import { ButtonLink } from '../../kit/ui/components.js';
import { Button } from '../../kit/ui/fields.js';
import { CUSTOMERS } from '../customer-view.js';
import { accountPath, type Subject } from './subject.js';

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Months before this one that a statement shows by default. */
const MONTHS = 2;

/** Without a last day, it is today, or a later first day. Throws Problem `invalid_parameter`. */
export function readDays({ session, query }: PageRequest): Days {
  const filters = readFilters(query, {}, true);
  const now = today(session);
  const to = filters.to ?? (filters.from !== null && filters.from > now ? filters.from : now);
  return { from: filters.from ?? firstDayOfMonth(to, -MONTHS), to };
}

interface ToolsProps {
  readonly subject: Subject;
  /** The section of the account, if it is not the statement. */
  readonly show?: 'open';
  /** Open items have a last day only. */
  readonly days: Partial<Days>;
  /** The last part of the path of the CSV file. */
  readonly file: string;
}

/** The dates of a section of the account, its file and its page to print. */
export function AccountTools({ subject, show, days, file }: ToolsProps) {
  const shown = { ...(show && { show }), ...days };
  return (
    <div class="split account-tools">
      <DatesForm subject={subject} show={show} days={days} />
      <div class="actions">
        <ButtonLink href={accountPath(subject, file, days)} quiet>
          CSV
        </ButtonLink>
        <ButtonLink href={accountPath(subject, '/print', shown)} quiet>
          Print
        </ButtonLink>
      </div>
    </div>
  );
}

interface RefusedProps extends DateRange, RefusedParameters {
  readonly subject: Subject;
  readonly show: 'open' | undefined;
}

/** The dates as they were typed, with the sentence that says what is wrong with them. */
export function RefusedDays({ subject, show, from, to, refusal }: RefusedProps) {
  const days = { from: from ?? '', to: to ?? '' };
  return (
    <div class="stack">
      <DatesForm subject={subject} show={show} days={days} refusal={refusal} />
      <DatesRefusal refusal={refusal} />
    </div>
  );
}

interface DatesProps extends Pick<ToolsProps, 'subject' | 'days'> {
  readonly show: 'open' | undefined;
  readonly refusal?: string;
}

/** A plain name is a parameter of its address. */
function DatesForm({ subject, show, days: { from, to }, refusal }: DatesProps) {
  const { customer, name } = subject;
  const path = customer === null ? `${CUSTOMERS}/name` : accountPath(subject);
  return (
    <form method="get" action={path} class="row days-form" aria-label="Dates">
      {customer === null && <input type="hidden" name="name" value={name} />}
      {show && <input type="hidden" name="show" value={show} />}
      {from !== undefined && <LabelledDay name="from" label="From" day={from} refusal={refusal} />}
      <LabelledDay
        name="to"
        label={from === undefined ? 'As of' : 'to'}
        day={to}
        refusal={refusal}
      />
      <Button quiet>Show</Button>
    </form>
  );
}

interface DayProps {
  readonly name: string;
  readonly label: string;
  readonly day: string | undefined;
  readonly refusal: string | undefined;
}

function LabelledDay({ name, label, day, refusal }: DayProps) {
  return (
    <>
      <label for={`days-${name}`}>{label}</label>
      <DayInput id={`days-${name}`} name={name} day={day} refusal={refusal} />
    </>
  );
}
