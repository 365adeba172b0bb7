// A delivery as it goes out, and the outcome of one attempt.

export const ATTEMPT_ERRORS = [
  'dns_failed',
  'address_refused',
  'connect_failed',
  'tls_failed',
  'timeout',
  'redirected',
  'invalid_response',
] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

export type HeaderMap = Readonly<Record<string, string>>;

export interface DeliveryRequest {
  /** As checkUrl stored it. */
  readonly url: string;
  readonly headers: HeaderMap;
  readonly body: string;
}

export interface AttemptOutcome {
  readonly durationMs: number;
  /** Null if no status line has arrived. */
  readonly status: number | null;
  /** Null for an answer other than a redirect, whatever its status is. */
  readonly error: AttemptError | null;
  /** The beginning of the answer. */
  readonly response: { readonly headers: HeaderMap; readonly body: string } | null;
  /** The pause that the receiver asked for with Retry-After; null without one. */
  readonly retryAfterMs: number | null;
}

/** The status line decides, even if the rest of the answer is missing. */
export function isSuccess({ status, error }: Pick<AttemptOutcome, 'status' | 'error'>): boolean {
  return error === null && status !== null && status >= 200 && status < 300;
}

/** The status with which a receiver says that it is gone for good. */
export const GONE = 410;
