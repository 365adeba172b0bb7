// What happens to an invoice above the credit limit of its customer.

/** `warn` accepts it, and the customer is listed as over the limit; `refuse` refuses it. */
export const CREDIT_LIMIT_ACTIONS = ['warn', 'refuse'] as const;
export type CreditLimitAction = (typeof CREDIT_LIMIT_ACTIONS)[number];
