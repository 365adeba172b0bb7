/** The longest payment terms of companies and customers, in days. */
export const MAX_TERMS_DAYS = 365;
