// The explanations of the problems of a customer's credit, for problem-guide.ts.

const CUSTOMER_ID = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e44';

export const customerProblems = {
  customer_on_hold: {
    means: 'The record of the customer is on hold. The property customerId is its id.',
    remedy:
      'End the hold, or send ignoreCredit with a key that has the scope customers:write. Nothing ' +
      'was written.',
    detail: 'This customer is on hold; nothing was written.',
    members: { customerId: CUSTOMER_ID },
  },
  credit_limit_exceeded: {
    means:
      'The company refuses invoices above a credit limit, and this one would exceed the limit of ' +
      'its customer. The property requested is the total of the invoice, and available is the ' +
      'limit less outstanding plus unallocated. It is negative if the limit is exceeded already.',
    remedy:
      'Record a payment, raise the limit, or send ignoreCredit with a key that has the scope ' +
      'customers:write. Nothing was written.',
    detail:
      'This exceeds the credit limit of the customer: 120 requested, 99.5 available. Nothing was ' +
      'written.',
    members: {
      customerId: CUSTOMER_ID,
      creditLimit: 1_000,
      outstanding: 950.5,
      unallocated: 50,
      requested: 120,
      available: 99.5,
    },
  },
};
