// Downloads that are produced while they are sent. Each reads the database page by page as fast as
// its client takes it, so it is limited like uploads: one per company at a time, and few in all.

import { NoTurn, Turns } from '../../platform/async/turns.js';
import { Problem, unavailable } from '../../platform/errors.js';
import { CSV_TYPE, type CsvFormat } from '../../platform/values/csv.js';
import { dayIn } from '../../platform/values/days.js';
import type { Session } from '../../users/sessions.js';
import type { DateRange } from './lists/filters.js';
import type { ContentAnswer } from './page.js';

/** The content of a CSV file in one of the formats. */
export type CsvContent = (format: CsvFormat) => ContentAnswer['content'];

/** A CSV file in the company's format with today's date in its name: invoices-2026-11-24.csv. */
export function datedCsvFile(
  name: string,
  session: Session,
  content: CsvContent,
): Promise<ContentAnswer> {
  return csvFile(`${name}-${dayIn(session.timeZone, new Date())}.csv`, session, content);
}

/** Like `datedCsvFile`, with the days that the file is about, if it is not about all. */
export function periodCsvFile(
  name: string,
  { from, to }: DateRange,
  session: Session,
  content: CsvContent,
): Promise<ContentAnswer> {
  const days = [from ?? (to === null ? null : 'until'), to ?? (from === null ? null : 'on')];
  const period = days.filter(each => each !== null).join('-');
  if (period === '') return datedCsvFile(name, session, content);
  return csvFile(`${name}-${period}.csv`, session, content);
}

/**
 * The name of a list's file with the list's filters: invoices-paid-adler. A filter is named by its
 * value, and a flag by its name. `periodCsvFile` adds the period; an order selects nothing.
 */
export function filteredName(
  name: string,
  { q, from, to, order, sort, ...choices }: Readonly<Record<string, string | null>>,
): string {
  const chosen = Object.entries(choices).flatMap(([key, value]) =>
    value === null ? [] : [kebabCase(value === '1' ? key : value)],
  );
  // A search of other scripts leaves no character.
  const search = q ? [fileNamePart(q).replaceAll(/^-+|-+$/gu, '') || 'search'] : [];
  return [name, ...chosen, ...search].join('-');
}

/** days31To60 becomes days-31-to-60. */
function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]|(?<!\d)\d/gu, start => `-${start.toLowerCase()}`);
}

/** The text with only such characters as are safe in a file name everywhere. */
export function fileNamePart(text: string): string {
  return text.replaceAll(/[^\w.-]+/gu, '-').slice(0, MAX_NAME_PART);
}
const MAX_NAME_PART = 100;

/** A CSV file in the company's format. */
export async function csvFile(
  fileName: string,
  { csvFormat }: Session,
  content: CsvContent,
): Promise<ContentAnswer> {
  return { type: CSV_TYPE, content: content(csvFormat), fileName };
}

/** A download takes a turn until it ends. The server ends one whose client does not read. */
const TURNS = { running: 8, waitingPerKey: 4, waiting: 40, waitMs: 10_000 };
const RETRY_AFTER_SECONDS = '10';

export class Downloads {
  readonly #turns = new Turns(TURNS);

  /**
   * The content in a turn of the company, which ends with the content or when the client goes
   * away. Throws Problem `rate_limit_exceeded` or `service_unavailable` if too many are running.
   */
  async start(companyId: string, content: AsyncIterable<string>): Promise<AsyncIterable<string>> {
    try {
      return await new Promise((resolve, reject) => {
        const turn = () => new Promise<void>(end => resolve(new Download(content, end)));
        this.#turns.run(companyId, turn).catch(reject);
      });
    } catch (error) {
      if (!(error instanceof NoTurn)) throw error;
      throw error.isOwn ? tooManyOwn() : unavailable(MANY_DOWNLOADS);
    }
  }
}
const MANY_DOWNLOADS = 'Many files are being downloaded. Try again in a moment.';

function tooManyOwn(): Problem {
  return new Problem(
    'rate_limit_exceeded',
    'Your company is downloading a file already. Wait until it is complete, then try again.',
    { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
  );
}

/** An iterator and not a generator, whose `finally` would not run if it was never started. */
class Download implements AsyncIterableIterator<string> {
  readonly #chunks: AsyncIterator<string>;
  readonly #end: () => void;

  constructor(content: AsyncIterable<string>, end: () => void) {
    this.#chunks = content[Symbol.asyncIterator]();
    this.#end = end;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string>> {
    try {
      const result = await this.#chunks.next();
      if (result.done) this.#end();
      return result;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<string>> {
    this.#end();
    await this.#chunks.return?.();
    return { done: true, value: undefined };
  }
}
