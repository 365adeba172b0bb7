// The explanations of the problems of documents, for problem-guide.ts.

export const documentProblems = {
  document_incomplete: {
    means:
      'Data that the document needs are missing. Each entry of errors points to one, in /company ' +
      "(the company's profile), /customer (the customer's record) or /invoice. An electronic " +
      'invoice needs more than a PDF: the property rule of an entry names the rule of EN 16931.',
    remedy:
      "Enter the data under Settings → Documents or in the customer's record: an address, a tax " +
      'or registration number or an electronic address that was missing when the document was ' +
      'issued is added to it. Other data are those of the day of issue.',
    detail: 'An electronic invoice needs more data. A PDF is possible.',
    errors: [
      {
        pointer: '/company/taxId',
        code: 'required',
        rule: 'BR-S-02',
        detail: 'Enter your VAT or tax number under Settings → Documents.',
      },
    ],
  },
  document_unavailable: {
    means:
      'The document cannot be made in this form, whatever is entered: an electronic invoice in a ' +
      'currency with more than two decimals or with tax at a rate below 0.5%, or a PDF with a ' +
      'name in a script that it cannot show. Then errors points to the names.',
    remedy: 'Use the other form: the PDF for an electronic invoice, or the reverse.',
    detail:
      'Electronic invoices have amounts of at most 2 decimals, and the currency has more. A PDF ' +
      'is possible.',
  },
  email_not_configured: {
    means: 'The installation has no mail server, so nothing can be sent by e-mail.',
    remedy: 'Ask the operator of the installation to set one up, or send the PDF yourself.',
    detail: 'This installation has no mail server. Its operator sets MAIL_URL and MAIL_FROM.',
  },
  email_limit_exceeded: {
    means: 'The company has sent as many e-mails in the last hour as it may.',
    remedy: 'Wait for the seconds in Retry-After. Invoices with "send": true wait by themselves.',
    detail: 'Your company has sent 200 e-mails within an hour, which is the limit.',
  },
};
