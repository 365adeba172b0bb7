/** A row that violates an invariant. */
export interface Violation extends Record<string, unknown> {
  /** The invariant that does not hold. */
  readonly violation: string;
}
