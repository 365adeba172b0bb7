// Calendar days counted from today in UTC. Forms ask about dates of more than a year ago, so a
// test that types a date into one takes a day from here.
import { addDays } from '../../src/platform/values/days.js';

/** The day (YYYY-MM-DD) so many days from today; earlier if negative. */
export function dayFromToday(days: number): string {
  return addDays(today(), days);
}

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
