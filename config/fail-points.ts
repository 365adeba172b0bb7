// The steps of a write at which FAIL_POINT can make a process crash, hang or deliver a job again.
// The fault harness uses them to show that no step loses or duplicates a write.

/** In the order of a write: the worker's batch, then the web process's own steps. */
export const FAIL_STEPS = [
  'batch-taken',
  'locked',
  'result-inserted',
  'stock-moved',
  'job-written',
  'committed',
  'replied',
  'enqueued',
  'persisted',
] as const;
/** Not of a write: a mail server has accepted an e-mail, and its outcome is not stored yet. */
const MAIL_STEPS = ['mail-delivered'] as const;
export type FailStep = (typeof FAIL_STEPS)[number] | (typeof MAIL_STEPS)[number];

/**
 * `kill:STEP:N` and `stop:STEP:N` send SIGKILL or SIGSTOP the Nth time that the step is reached;
 * `thrice` adds every queue job three times.
 */
export const FAIL_POINT_PATTERN = new RegExp(
  `^(thrice|(kill|stop):(${[...FAIL_STEPS, ...MAIL_STEPS].join('|')}):[1-9]\\d{0,5})$`,
  'u',
);
