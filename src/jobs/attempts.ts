// Limits of the attempts at a job or a chunk of an import that fails because of a defect. Locks,
// conflicts, timeouts and outages count as no attempt. And the rows that wait too long for one.

/** Attempts before the work fails and is left to operators. */
export const MAX_ATTEMPTS = 5;
/** Attempts at a job, including those that repeats of its request with the same key may start. */
export const MAX_ATTEMPTS_BY_KEY = 20;
/**
 * SQL of a queued job or import: its run_at is later than any pause (at most 90 s) makes it, so the
 * clock of Postgres was set back, or a server with an earlier one took over. It would wait for as
 * long as the step. `infinity` is no time: no worker takes such a row.
 */
export const IS_AHEAD_OF_CLOCK = "(run_at > now() + interval '2 minutes' AND run_at < 'infinity')";
