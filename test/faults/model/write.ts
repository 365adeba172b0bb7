// A write of a client, and its outcome.
import type { ModelError } from './stock-plans.js';

/** A write whose outcome is known. */
export interface ModelWrite {
  readonly key: string;
  readonly companyId: string;
  readonly jobId: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly sentAt: number;
  /** When its client got the outcome; null if it did so after the run only. */
  readonly answeredAt: number | null;
  readonly status: number;
  readonly result: Outcome;
}

/** The created resource, or the problem document. */
export interface Outcome {
  readonly id?: string;
  readonly code?: string;
  readonly errors?: readonly ModelError[];
  readonly items?: readonly {
    readonly itemId: string | null;
    readonly qty: number | null;
    readonly restocked?: boolean;
  }[];
  readonly [member: string]: unknown;
}
