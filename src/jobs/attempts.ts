// Limits of the attempts at a job or a chunk of an import that fails because of a defect. Locks,
// conflicts, timeouts and outages count as no attempt.

/** Attempts before the work fails and is left to operators. */
export const MAX_ATTEMPTS = 5;
/** Attempts at a job, including those that repeats of its request with the same key may start. */
export const MAX_ATTEMPTS_BY_KEY = 20;
