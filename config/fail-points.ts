// The moments of a write at which FAIL_POINT may tell a process to die, to hang or to repeat itself. The fault harness
// shows with them that no moment loses or doubles anything; production refuses the variable.

/** In the order of a write: the worker's batch, then the web process's own steps. */
export const FAIL_STEPS = [
  'batch-taken',
  'stock-locked',
  'result-inserted',
  'stock-moved',
  'job-written',
  'committed',
  'replied',
  'enqueued',
  'persisted',
] as const;
export type FailStep = (typeof FAIL_STEPS)[number];

/** SIGKILL or SIGSTOP at the Nth passing of a step (`kill:STEP:N`, `stop:STEP:N`), or every queue job added three times. */
export const FAIL_POINT_FORM = new RegExp(
  `^(thrice|(kill|stop):(${FAIL_STEPS.join('|')}):[1-9]\\d{0,5})$`,
  'u',
);
