// The tax report: net sales and tax per month and rate, and the files for the accountant of the
// same months.
import { dayIn } from '../../platform/values/days.js';
import {
  readTaxReport,
  type TaxFigures,
  type TaxMonth,
  type TaxReport,
  type TaxSection,
} from '../../summary/tax/report.js';
import { periodCsvFile } from '../kit/downloads.js';
import { DatesRefusal, readTyped, refusedBy, typedDays } from '../kit/lists/refused-dates.js';
import type { Answer, ContentAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, Money, PageHead, Panel } from '../kit/ui/components.js';
import { Button } from '../kit/ui/fields.js';
import { formatMonth } from '../kit/ui/format.js';
import { taxReportCsv } from './export.js';
import {
  daysQuery,
  type Months,
  monthsName,
  readMonths,
  TAX_REPORT,
  usualMonths,
} from './months.js';
import { taxName } from './tax-name.js';

export async function showTaxReport(request: PageRequest): Promise<Answer> {
  const { session, query } = request;
  const today = dayIn(session.timeZone, new Date());
  const typed = readTyped(() => readMonths(query, today));
  if ('refusal' in typed) return refusedPage(query, today, typed.refusal);
  const period = typed.read;
  const report = await readTaxReport(session.companyId, period);
  const body = (
    <>
      <PageHead title="Tax report" note={monthsName(period)}>
        <ButtonLink href={`${TAX_REPORT}/export.csv${monthsQuery(period)}`} quiet>
          Export
        </ButtonLink>
      </PageHead>
      <MonthsForm period={period} today={today} />
      <Sections report={report} period={period} />
      <Files period={period} canSee={request.canSee} />
    </>
  );
  return { title: 'Tax report', body };
}

/** The months as they were typed, with the sentence that says what is wrong with them. */
function refusedPage(query: URLSearchParams, today: string, refusal: string): Answer {
  const { from, to } = typedDays(query);
  const period = { from: from ?? '', to: to ?? '' };
  const body = (
    <>
      <PageHead title="Tax report" />
      <MonthsForm period={period} today={today} refusal={refusal} />
      <DatesRefusal refusal={refusal} />
    </>
  );
  return { title: 'Tax report', body, status: 400 };
}

export async function downloadTaxReport({ session, query }: PageRequest): Promise<ContentAnswer> {
  const { companyId, currency, timeZone } = session;
  const period = readMonths(query, dayIn(timeZone, new Date()));
  const report = await readTaxReport(companyId, period);
  return periodCsvFile('tax-report', period, session, format =>
    taxReportCsv(report, currency, format),
  );
}

function monthsQuery({ from, to }: Months): string {
  return `?from=${from}&to=${to}`;
}

interface MonthsProps {
  readonly period: Months;
  readonly today: string;
  readonly refusal?: string;
}

function MonthsForm({ period, today, refusal }: MonthsProps) {
  const isCurrent = ({ from, to }: Months) => from === period.from && to === period.to;
  return (
    <div class="period">
      <nav aria-label="Period">
        <ul>
          {Object.entries(usualMonths(today)).map(([name, months]) => (
            <li key={name}>
              <a
                href={`${TAX_REPORT}${monthsQuery(months)}`}
                aria-current={isCurrent(months) ? 'page' : undefined}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <details open={!Object.values(usualMonths(today)).some(isCurrent)}>
        <summary>Other months</summary>
        <form method="get" action={TAX_REPORT} aria-label="Other months">
          <MonthField name="from" label="From" value={period.from} refusal={refusal} />
          <MonthField name="to" label="to" value={period.to} refusal={refusal} />
          <Button quiet>Show</Button>
        </form>
      </details>
    </div>
  );
}

interface MonthProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly refusal: string | undefined;
}

/** Browsers without a month picker show a text field. */
function MonthField({ name, label, value, refusal }: MonthProps) {
  return (
    <span class="row">
      <label for={`months-${name}`}>{label}</label>
      <input
        id={`months-${name}`}
        type="month"
        name={name}
        value={value}
        placeholder="YYYY-MM"
        pattern="\d{4}-\d{2}"
        {...refusedBy(refusal)}
      />
    </span>
  );
}

function Sections({ report: { months, whole }, period }: { report: TaxReport; period: Months }) {
  if (months.length === 0)
    return (
      <Empty title="No invoices or credit notes in these months" icon="invoices">
        <p class="note">Choose other months.</p>
      </Empty>
    );
  const sections = [
    ...(period.from === period.to ? [] : [{ title: 'All months', section: whole }]),
    ...months.map((month: TaxMonth) => ({ title: formatMonth(month.month), section: month })),
  ];
  return (
    <div class="panel">
      <div class="wide-table">
        <table class="cards tax-table" role="table">
          <caption class="unseen">Tax of {monthsName(period)}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {['Tax', ...FIGURES.map(([head]) => head)].map((head, index) => (
                <th
                  key={head}
                  role="columnheader"
                  scope="col"
                  class={index > 0 ? 'end' : undefined}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          {sections.map(({ title, section }) => (
            <Section key={title} title={title} section={section} />
          ))}
        </table>
      </div>
    </div>
  );
}

/** Net is after credit notes and without tax, on every page. */
const FIGURES: readonly (readonly [head: string, name: keyof TaxFigures])[] = [
  ['Invoiced excl. tax', 'invoicedNet'],
  ['Tax invoiced', 'invoicedTax'],
  ['Credited excl. tax', 'creditedNet'],
  ['Tax credited', 'creditedTax'],
  ['Net sales', 'net'],
  ['Tax due', 'tax'],
];

/** The rows of one month, below its name. */
function Section({ title, section: { lines, total } }: { title: string; section: TaxSection }) {
  return (
    <tbody role="rowgroup">
      <tr role="row" class="group">
        <th scope="rowgroup" colSpan={FIGURES.length + 1}>
          {title}
        </th>
      </tr>
      {lines.map((line, index) => (
        <Row key={index} name={taxName(line)} figures={line} />
      ))}
      <Row name="Total" figures={total} isTotal />
    </tbody>
  );
}

interface RowProps {
  readonly name: string;
  readonly figures: TaxFigures;
  readonly isTotal?: boolean;
}

function Row({ name, figures, isTotal = false }: RowProps) {
  return (
    <tr role="row" class={isTotal ? 'total' : undefined}>
      <td role="cell">{name}</td>
      {FIGURES.map(([head, figure]) => (
        <td key={head} role="cell" class="end" data-label={head}>
          <Money value={figures[figure]} />
        </td>
      ))}
    </tr>
  );
}

interface FilesProps extends Pick<PageRequest, 'canSee'> {
  readonly period: Months;
}

function Files({ period, canSee }: FilesProps) {
  const days = daysQuery(period);
  return (
    <Panel title="Files for your accountant" note={`CSV files of ${monthsName(period)}.`} split>
      <ul>
        <li>
          <a href={`/invoices/lines.csv${days}`}>Invoice and credit note lines</a>: item, quantity,
          amount after all discounts excluding tax, tax category and rate.
        </li>
        <li>
          <a href={`/invoices/export.csv${days}`}>Invoices</a>: subtotal, tax, total, and what is
          paid, credited and due today.
        </li>
        <li>
          <a href={`/credit-notes/export.csv${days}`}>Credit notes</a>: subtotal, tax and total.
        </li>
        <li>
          <a href={`/payments/export.csv${days}`}>Payments</a>: amount, method and invoices.
        </li>
      </ul>
      <p class="note">
        A credit note is deducted in the month of its own date, even if it voids an invoice.{' '}
        {canSee('/settings') && (
          <>
            For semicolons and decimal commas, change the <a href="/settings">settings</a>.
          </>
        )}
      </p>
    </Panel>
  );
}
