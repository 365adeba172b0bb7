// How much of its requests of the hour a company has used.

export interface Usage {
  readonly used: number;
  readonly limit: number;
  /** Until the count starts anew; null where no request was made this hour. */
  readonly resetMs: number | null;
}

/** The usage of a company by its own limit, null for the installation's. Looking counts nothing. */
export type UsageOf = (companyId: string, rateLimitPerHour: number | null) => Promise<Usage>;
