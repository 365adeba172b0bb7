// The working days of the demo company, in UTC: sales from 8 to 17 o'clock, fewer on Saturdays and
// none on Sundays. The last sale is of now, whatever the day.
const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const OPENS_MS = 8 * HOUR_MS;
const CLOSES_MS = 17 * HOUR_MS;
/** Sales from Sunday to Saturday, as shares of those of a usual day. */
const SHARES = [0, 1, 1.1, 1, 1.2, 0.9, 0.4];
/** Of today, at least: the last sale is always of today. */
const LEAST_SHARE = 0.01;

interface Day {
  readonly opens: number;
  readonly closes: number;
  readonly share: number;
}

/** The times of so many sales in order, between the midnight `start` and `now`. */
export function saleTimes(start: Date, now: Date, count: number): Date[] {
  const days = workingDays(start.getTime(), now.getTime());
  const total = days.reduce((sum, { share }) => sum + share, 0);
  let [place, before] = [0, 0];
  return Array.from({ length: count }, (_, index) => {
    const wanted = (total * (index + 1)) / count;
    let day = days[place] as Day;
    for (; before + day.share < wanted && place < days.length - 1; day = days[place] as Day) {
      before += day.share;
      place += 1;
    }
    const part = Math.min(1, day.share === 0 ? 1 : (wanted - before) / day.share);
    return new Date(Math.floor(day.opens + part * (day.closes - day.opens)));
  });
}

/** So many days later at the same time, or the Monday after that if it is on a weekend. */
export function later(at: Date, days: number): Date {
  const day = new Date(at.getTime() + days * DAY_MS);
  const weekend: Readonly<Record<number, number>> = { 0: 1, 6: 2 };
  return new Date(day.getTime() + (weekend[day.getUTCDay()] ?? 0) * DAY_MS);
}

function workingDays(start: number, now: number): Day[] {
  const days: Day[] = [];
  for (let midnight = start; midnight <= now; midnight += DAY_MS) {
    const share = SHARES[new Date(midnight).getUTCDay()] ?? 0;
    const isToday = now < midnight + DAY_MS;
    days.push(isToday ? today(midnight, now, share) : whole(midnight, share));
  }
  return days;
}

function whole(midnight: number, share: number): Day {
  return { opens: midnight + OPENS_MS, closes: midnight + CLOSES_MS, share };
}

/** Until now, which may be before the opening. */
function today(midnight: number, now: number, share: number): Day {
  const opens = Math.min(midnight + OPENS_MS, (midnight + now) / 2);
  const part = Math.min(1, Math.max(0, (now - midnight - OPENS_MS) / (CLOSES_MS - OPENS_MS)));
  return { opens, closes: now, share: Math.max(LEAST_SHARE, share * part) };
}
