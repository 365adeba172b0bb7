// A company accepts or refuses invoices above the credit limits of its customers.

/** `warn` accepts it, and the customer is listed as over the limit; `refuse` refuses it. */
export const CREDIT_LIMIT_ACTIONS = ['warn', 'refuse'] as const;
export type CreditLimitAction = (typeof CREDIT_LIMIT_ACTIONS)[number];
