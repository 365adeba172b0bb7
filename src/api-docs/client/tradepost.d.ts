// The types of the Tradepost API, generated from its OpenAPI document. Do not edit.
// Use them with openapi-fetch: see /docs/client.
export interface paths {
    "/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Financial summary of the current month
         * @description The month goes by the dates of invoices, payments, refunds and credit notes, in the time zone of the company. `invoices`, `sales`, `previous` and `change` are what was invoiced, even if it is credited later: `sales.net` is without tax, but before credit notes. The top lists are after credit notes, whose quantities and money count in the month of their own date; `topCustomers` include tax, `topItems` do not. A voided invoice has a credit note for all of it. `outstanding`, `overdue` and `unallocated` are as of today. The figures are precomputed: reading them costs the same with ten invoices or ten million. They include a write within 5 seconds.
         *
         *     Scope: `summary:read`.
         */
        get: operations["getSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description Newest first: by date, then by creation. A plain array; the `Link` header leads to the next page. With several filters, or with `q` or `updatedSince`, a page may have fewer rows than the limit, or none, and still have a next page.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Create an invoice
         * @description Creates the invoice and reduces the stock of its items, both or neither. Each line amount is rounded half up. The total is their exact sum, less the discount of the invoice, plus the tax of each category and rate, rounded half up once. Numbers are gap-free and in order of creation.
         *
         *     Scope: `invoices:write`.
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many invoices
         * @description Up to 100 invoices in one request, which counts once towards the rate limit. Together they have at most 2,500 lines. A refused invoice does not affect the others. They are created in the order sent, also after a 202. With an Idempotency-Key the n-th invoice has the key `<key>/<n>`, from 0, and is replayed by itself. The problems of a response together list the first 100 field errors; `errorsOmitted` of each problem says how many of its errors are not listed.
         *
         *     Scope: `invoices:write`.
         */
        post: operations["createInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice
         * @description The same object that creation and the list return.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inventory/adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive, count or correct stock
         * @description Applies the entries in order, all or none. With the reason `received` or `count`, an unknown name creates an item; with other reasons it is refused as `unknown_item`.
         *
         *     Scope: `inventory:write`.
         */
        post: operations["adjustInventory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inventory/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a stock item
         * @description The same object that the list returns. Finds archived items too.
         *
         *     Scope: `inventory:read`.
         */
        get: operations["getItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a stock item
         * @description A JSON Merge Patch (RFC 7396): only the given fields change, and null removes a value. Only adjustments change stock. A renamed item still matches its former names until another item takes them. An archived item appears only in the list of archived items (`archived=1`). Invoice lines and stock entries no longer match it; it keeps its history.
         *
         *     Scope: `inventory:write`.
         */
        patch: operations["updateItem"];
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description Newest first: by date, then by creation. A plain array; the `Link` header leads to the next page. With several filters, or with `q` or `updatedSince`, a page may have fewer rows than the limit, or none, and still have a next page.
         *
         *     Scope: `payments:read`.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Record a payment
         * @description Records money from a customer and allocates it to invoices, in the order given. The remainder stays unallocated: allocate it to other invoices later, or refund it. An invoice on which nothing is due, and an `amount` above the balance of its invoice, are refused with `amount_exceeds_due`: send money without an invoice without `invoices`.
         *
         *     Scope: `payments:write`.
         */
        post: operations["recordPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment
         * @description The payment as it is now, with the invoices that have its money.
         *
         *     Scope: `payments:read`.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/reversal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse a payment
         * @description For a payment that bounced or was a mistake. Ends all its allocations, so the invoices are due again.
         *
         *     Scope: `payments:write`.
         */
        post: operations["reversePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/allocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Allocate unallocated money
         * @description Allocates the unallocated money of a payment or credit note to invoices of the same customer. A negative amount takes money back from an invoice.
         *
         *     Scope: `payments:write`.
         */
        post: operations["allocate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds
         * @description Newest first: by date, then by creation. A plain array; the `Link` header leads to the next page. With several filters, or with `q` or `updatedSince`, a page may have fewer rows than the limit, or none, and still have a next page.
         *
         *     Scope: `payments:read`.
         */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Record a refund
         * @description Records that unallocated money went back to the customer.
         *
         *     Scope: `payments:write`.
         */
        post: operations["recordRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a refund
         * @description The same object that recording it returned.
         *
         *     Scope: `payments:read`.
         */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credit-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List credit notes
         * @description Newest first: by date, then by creation. A plain array; the `Link` header leads to the next page. With several filters, or with `q` or `updatedSince`, a page may have fewer rows than the limit, or none, and still have a next page.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["listCreditNotes"];
        put?: never;
        /**
         * Credit an invoice
         * @description Credits quantities or amounts of lines, or all of the remainder. The discount and the tax are credited in proportion; once everything is credited, the sums equal the invoice's to the cent. The credit note reduces the amount due on its invoice; any excess is unallocated.
         *
         *     Scope: `credits:write`.
         */
        post: operations["createCreditNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credit-notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a credit note
         * @description The credit note as it is now, with the invoices that have its money.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["getCreditNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void an invoice
         * @description For an invoice that was a mistake, while nothing on it is paid or credited. Creates a credit note for the whole invoice, which keeps its number and lines.
         *
         *     Scope: `credits:write`.
         */
        post: operations["voidInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an invoice's entries
         * @description Entries that changed the invoice's balance, by sequence, the earliest first. A plain array; the `Link` header leads to the next page.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["listInvoiceEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stock items
         * @description By name; `low=1` returns the items to reorder, `archived=1` the archived ones. A plain array; the `Link` header leads to the next page. With several filters, or with `q` or `updatedSince`, a page may have fewer rows than the limit, or none, and still have a next page.
         *
         *     Scope: `inventory:read`.
         */
        get: operations["listInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inventory/{id}/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an item's movements
         * @description Newest first. A plain array; the `Link` header leads to the next page. Each movement comes from an invoice, an adjustment or a credit note. With filters, a page may have fewer movements than the limit, or none, and still have a next page.
         *
         *     Scope: `inventory:read`.
         */
        get: operations["listItemMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description The records by name. A plain array; the `Link` header leads to the next page. `archived=1` returns the archived records and those that were merged. The number and the external id of a merged record find the record that remains.
         *
         *     Scope: `customers:read`.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description Creates a record for one or more names. Invoices and payments belong to it by their customer name, even those that existed before. A number, external id or name that another record has, even an archived one, is refused with `existingId`.
         *
         *     Scope: `customers:write`.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update many customers
         * @description Up to 100 customers in one request, which counts once towards the rate limit. A refused customer does not affect the others. With `"onExisting": "update"`, a customer whose `externalId`, else whose `name`, a record has changes the fields of that record that were sent. With an Idempotency-Key the n-th customer has the key `<key>/<n>`, from 0.
         *
         *     Scope: `customers:write`.
         */
        post: operations["createCustomers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer
         * @description The id of a merged record returns the record that remains.
         *
         *     Scope: `customers:read`.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        /**
         * Delete a customer
         * @description Only while no invoice, payment, refund or credit note has one of its names.
         *
         *     Scope: `customers:write`.
         */
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description A JSON Merge Patch (RFC 7396): only the given fields change, and null removes a value. So do the given parts of an address; `tax` is replaced as a whole. After a rename the former name remains as an alias. An alias that an invoice or payment has cannot be removed. `"archived": true` needs a customer without anything outstanding or unallocated.
         *
         *     Scope: `customers:write`.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/customers/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge another customer into this one
         * @description The record in the body ends: its names become aliases of this one, which keeps its own data. Its id, number and external id then find this record. A merge is final.
         *
         *     Scope: `customers:write`.
         */
        post: operations["mergeCustomers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's statement of account
         * @description The lines that move the balance of a customer, or its open items at the end of a day. The balance is all debits less all credits, and also what is due on invoices less what is unallocated. Invoices, payments and credit notes count from their own date. Reversals and refunds have their effective date: the latest of their own date and the dates of everything recorded earlier for the same payment, credit note or invoice. Allocations move no balance and are not listed. `closing` and `ageing` cover the whole statement on every page; `opening` is the balance before the first line of the page.
         *
         *     Scopes: `invoices:read` and `payments:read`.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receivables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List receivables by age
         * @description One row for each record, or name without a record, that has something outstanding or unallocated. `totals` are the sums of all rows, not only of the page. The ages are days after the due date; `current` is not yet due or has no due date. They add up to `outstanding`, and `balance` is that less `unallocated`.
         *
         *     Scopes: `invoices:read` and `payments:read`.
         */
        get: operations["getReceivables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the PDF of an invoice
         * @description A PDF that follows the structure of PDF/A-3b. If the data allow it, it has the electronic invoice in it (Factur-X, ZUGFeRD): the header `Document-Profile` is `en16931` then, else `plain`. It shows the data of the day of issue: the same bytes for the same data, and another ETag for others. An address or a tax or registration number that was missing then and was entered later is added; nothing else changes.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["getInvoicePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/ubl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice as UBL
         * @description An electronic invoice by EN 16931 in UBL 2.1. It shows the data of the day of issue: the same bytes for the same data, and another ETag for others. An address or a tax or registration number that was missing then and was entered later is added; nothing else changes.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["getInvoiceUbl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/cii": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice as CII
         * @description An electronic invoice by EN 16931 in UN/CEFACT CII. It shows the data of the day of issue: the same bytes for the same data, and another ETag for others. An address or a tax or registration number that was missing then and was entered later is added; nothing else changes.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["getInvoiceCii"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/delivery-note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the delivery note of an invoice
         * @description A PDF for the parcel: names, SKUs and quantities, no amounts. It shows the data of the day of issue: the same bytes for the same data, and another ETag for others. An address or a tax or registration number that was missing then and was entered later is added; nothing else changes.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["getInvoiceDeliveryNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credit-notes/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the PDF of a credit note
         * @description A PDF that follows the structure of PDF/A-3b. If the data allow it, it has the electronic invoice in it (Factur-X, ZUGFeRD): the header `Document-Profile` is `en16931` then, else `plain`. It shows the data of the day of issue: the same bytes for the same data, and another ETag for others. An address or a tax or registration number that was missing then and was entered later is added; nothing else changes.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["getCreditNotePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credit-notes/{id}/ubl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a credit note as UBL
         * @description An electronic invoice by EN 16931 in UBL 2.1. It shows the data of the day of issue: the same bytes for the same data, and another ETag for others. An address or a tax or registration number that was missing then and was entered later is added; nothing else changes.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["getCreditNoteUbl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credit-notes/{id}/cii": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a credit note as CII
         * @description An electronic invoice by EN 16931 in UN/CEFACT CII. It shows the data of the day of issue: the same bytes for the same data, and another ETag for others. An address or a tax or registration number that was missing then and was entered later is added; nothing else changes.
         *
         *     Scope: `invoices:read`.
         */
        get: operations["getCreditNoteCii"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List e-mails
         * @description Newest first. A plain array; the `Link` header leads to the next page. With `status`, a page may have fewer e-mails than the limit, or none, and still have a next page.
         *
         *     Scope: `documents:send`.
         */
        get: operations["listEmails"];
        put?: never;
        /**
         * Send a document by e-mail
         * @description Sends an invoice or a credit note. Its attachments are made before the answer and kept as they were sent. A worker then sends the e-mail, and tries again while the mail server cannot take it: the status of the e-mail shows what became of it. Up to 200 e-mails per company and hour.
         *
         *     Scope: `documents:send`.
         */
        post: operations["createEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an e-mail
         * @description Its status shows whether the mail server has accepted it.
         *
         *     Scope: `documents:send`.
         */
        get: operations["getEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the feed of events
         * @description Every change of your company, in the order in which the changes were made. Pass the `after` of each answer on, and store it with the data: the feed has no gaps. A page with `types` may be empty although `hasMore` is true. Events are retained for 30 days. See [Events](/docs/events).
         *
         *     Scope: `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{sequence}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description The whole event, also where the feed has `"partial": true`.
         *
         *     Scope: `events:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description All of them, oldest first: a plain array without pages.
         *
         *     Scope: `webhooks:write`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events of `types` are then sent to `url`: from the next one on, or those after `after`. The answer shows the secret, once. The same URL again is refused with `existingId`.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description Its health, and how far it is behind the newest event.
         *
         *     Scope: `webhooks:write`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing more is sent to it, and its deliveries are not shown any more.
         *
         *     Scope: `webhooks:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description A JSON Merge Patch (RFC 7396). `"status": "active"` makes it healthy from any status; it continues at its position. `after` moves the position: events that were delivered are not sent again.
         *
         *     Scope: `webhooks:write`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret
         * @description The answer shows the new secret, once. Until the overlap ends, each delivery has a signature of the current secret, too; 0 hours end all others at once.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Sends a `webhook_endpoint.test`, or a sample of `type`, with `"test": true`, in any status of the endpoint. Its health and its deliveries stay as they are. 10 per minute.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver events
         * @description Sends deliveries again, with the same bytes and id, after new events: those of `sequences`, or those of a time. Up to 10,000.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["redeliverWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Newest first, for 30 days. A plain array; the `Link` header leads to the next page. With a filter, a page may have fewer deliveries than the limit and still have a next page.
         *
         *     Scope: `webhooks:write`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/deliveries/{sequence}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description With its attempts, oldest first.
         *
         *     Scope: `webhooks:write`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/deliveries/{sequence}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Sends it again with the same bytes and id, in any status of the endpoint.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/deliveries/{sequence}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip a delivery
         * @description A pending delivery is not tried again, and holds up no other.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["skipWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a queued write
         * @description Status of a write that returned 202. Available for 30 days, with the matching scope.
         *
         *     Scope: `invoices:read` or `inventory:read` or `payments:read`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description Needs no key and does not count towards the rate limit.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "invoice.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * invoice.created
         * @description An invoice was issued.
         */
        post: operations["on_invoice_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * invoice.paid
         * @description Nothing is due on an invoice any more.
         */
        post: operations["on_invoice_paid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.reopened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * invoice.reopened
         * @description Money is due again on a paid invoice.
         */
        post: operations["on_invoice_reopened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * invoice.voided
         * @description An invoice was voided.
         */
        post: operations["on_invoice_voided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * invoice.updated
         * @description An invoice changed otherwise: paid in part.
         */
        post: operations["on_invoice_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * invoice.overdue
         * @description The due date of an open invoice has passed. Once per invoice.
         */
        post: operations["on_invoice_overdue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.recorded
         * @description A payment was recorded.
         */
        post: operations["on_payment_recorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.updated
         * @description A payment was allocated or refunded.
         */
        post: operations["on_payment_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.reversed
         * @description A payment was reversed.
         */
        post: operations["on_payment_reversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit_note.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * credit_note.created
         * @description A credit note was issued.
         */
        post: operations["on_credit_note_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit_note.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * credit_note.updated
         * @description A credit note was allocated or refunded.
         */
        post: operations["on_credit_note_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.recorded
         * @description A refund was recorded.
         */
        post: operations["on_refund_recorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.created
         * @description A customer's record was created.
         */
        post: operations["on_customer_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.updated
         * @description A customer's record changed, or was merged.
         */
        post: operations["on_customer_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.deleted
         * @description A customer's record was deleted.
         */
        post: operations["on_customer_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "item.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * item.created
         * @description An item was created.
         */
        post: operations["on_item_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "item.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * item.updated
         * @description An item changed other than in stock.
         */
        post: operations["on_item_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "adjustment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * adjustment.created
         * @description Stock was adjusted.
         */
        post: operations["on_adjustment_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * stock.changed
         * @description The new levels of all items that were moved.
         */
        post: operations["on_stock_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * stock.low
         * @description An item is at or below its reorder point.
         */
        post: operations["on_stock_low"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock.out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * stock.out
         * @description Nothing of an item is left.
         */
        post: operations["on_stock_out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "stock.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * stock.recovered
         * @description An item is above its reorder point again.
         */
        post: operations["on_stock_recovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * import.finished
         * @description An import ended.
         */
        post: operations["on_import_finished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.undone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * import.undone
         * @description An import was undone.
         */
        post: operations["on_import_undone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * key.created
         * @description An API key was created.
         */
        post: operations["on_key_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * key.rotated
         * @description An API key got a new secret.
         */
        post: operations["on_key_rotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * key.updated
         * @description An API key's scopes changed.
         */
        post: operations["on_key_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * key.revoked
         * @description An API key was revoked.
         */
        post: operations["on_key_revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * email.sent
         * @description The mail server accepted an e-mail.
         */
        post: operations["on_email_sent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * email.failed
         * @description An e-mail was not sent and will not be tried again.
         */
        post: operations["on_email_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.failing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.failing
         * @description An endpoint answers with failures.
         */
        post: operations["on_webhook_endpoint_failing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.disabled
         * @description An endpoint gets no more events.
         */
        post: operations["on_webhook_endpoint_disabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        InvoiceRequest: {
            /** @description Required without `customerId` and `customerNumber`. */
            customerName?: string | null;
            /**
             * Format: uuid
             * @description Id of the customer's record, whose `name` the invoice gets.
             */
            customerId?: string | null;
            /** @description The customer's number, ignoring case. */
            customerNumber?: string | null;
            /**
             * Format: date
             * @description The invoice date.
             */
            date: string;
            /** @description The lines, in the order they appear on the invoice. */
            items: {
                /** @description Product or service. Without `sku`, it is required and reduces the stock of the item with this name, ignoring case and spacing. If no item has this name, the line moves no stock. With `sku`, it defaults to the name of the item. */
                name?: string | null;
                /** @description Quantity, greater than zero. At most 4 decimals. */
                qty: number;
                /** @description Price of one unit, excluding tax. Required, unless `sku` names an item that has a `unitPrice`, which is then the default. At most 4 decimals. */
                price?: number | null;
                /** @description Stock-keeping unit of the item whose stock is reduced, ignoring case and spacing, instead of the name. Must exist. The line keeps its `name`, which may differ from the item's name. */
                sku?: string | null;
                /** @description Reduces the amount of the line. */
                discount?: ({
                    /** @description In percent. Rounded half up to the minor unit. At most 4 decimals. */
                    percent?: number | null;
                    /** @description With at most the decimals of the currency. At most 4 decimals. */
                    amount?: number | null;
                } & ({
                    percent: unknown;
                } | {
                    amount: unknown;
                })) | null;
                /** @description Tax in percent: on every line or on none. On none: the tax of the customer's record, or else the default of the company, if there is one. At most 4 decimals. */
                taxRate?: number | null;
                /**
                 * @description `S` standard or reduced rate (with a rate above 0; the default there), `Z` zero rate (the default at 0), `E` exempt, `AE` reverse charge, `K` intra-Community supply, `G` export, `O` not subject to tax (on all lines or none).
                 * @enum {string|null}
                 */
                taxCategory?: "S" | "Z" | "E" | "AE" | "K" | "G" | "O" | null;
            }[];
            /** @description Your own reference for this invoice. The list can be filtered by it. */
            reference?: string | null;
            /**
             * Format: date
             * @description Not before `date`. Without it: `date` and the payment terms of the customer, or else of the company, if there are any.
             */
            dueDate?: string | null;
            /** @description The buyer's order number. */
            orderReference?: string | null;
            /**
             * Format: date
             * @description When the goods or services are delivered.
             */
            deliveryDate?: string | null;
            /** @description Free text, with line feeds. */
            note?: string | null;
            /** @description Reduces the sum of the lines. */
            discount?: ({
                /** @description In percent. Rounded half up to the minor unit. At most 4 decimals. */
                percent?: number | null;
                /** @description With at most the decimals of the currency. At most 4 decimals. */
                amount?: number | null;
                /** @description The reason, in your words. */
                reason?: string | null;
            } & ({
                percent: unknown;
            } | {
                amount: unknown;
            })) | null;
            /** @description Why no tax is due on lines with category `E`. Required when a line has it. */
            taxReason?: string | null;
            /** @description `true` skips hold and limit. Also needs `customers:write`. */
            ignoreCredit?: boolean | null;
            /** @description `true` e-mails it. Also needs `documents:send`. */
            send?: boolean | null;
        };
        InvoiceBatch: {
            /** @description The invoices. Each has the form of a single create request. */
            invoices: components["schemas"]["InvoiceRequest"][];
        };
        AdjustmentRequest: {
            /**
             * @description Why stock changes, for the history: `received` from a supplier, `returned` by a customer or to a supplier, `count` for a stock count, `correction` of an error, `damaged`, `lost`, `theft`, `transfer` to or from another location, or `other`. A reason does not decide the direction: the sign of `delta` does, so `received` with a negative `delta` removes stock. `received` and `count` create unknown items; other reasons refuse them.
             * @enum {string}
             */
            reason: "received" | "returned" | "count" | "correction" | "damaged" | "lost" | "theft" | "transfer" | "other";
            /** @description Your own reference, such as a delivery note number. */
            reference?: string | null;
            /** @description Free text. */
            note?: string | null;
            /** @description Applied in order, all or none. Each entry names one item and has either `delta` or `count`. */
            items: ({
                /** @description Name of an existing item, ignoring case and spacing, or of a new item. */
                name?: string | null;
                /** @description Stock-keeping unit of an existing item, ignoring case and spacing, or of a new item. If an item has it, the entry is for that item and `name` is ignored. If no item has it but one has the `name`, the two contradict each other: `unknown_item`. */
                sku?: string | null;
                /**
                 * Format: uuid
                 * @description Id of an existing item. Replaces `name` and `sku`.
                 */
                itemId?: string | null;
                /** @description Quantity to add. A negative quantity is removed. At most 4 decimals. */
                delta?: number | null;
                /** @description New stock level. Below zero only if the company allows negative stock. At most 4 decimals. */
                count?: number | null;
                /** @description Expected stock before this entry. If it differs, the adjustment fails with `stock_conflict`. At most 4 decimals. */
                expectedOnHand?: number | null;
                /** @description The item is low at or below this quantity. Defaults to 0 for a new item. At most 4 decimals. */
                reorderPoint?: number | null;
                /** @description Cost of one unit. At most 4 decimals. */
                unitCost?: number | null;
                /** @description Sales price of one unit, excluding tax. At most 4 decimals. */
                unitPrice?: number | null;
                /** @description Unit of measure, such as pc, m or kg. */
                unit?: string | null;
            } & (({
                name: unknown;
            } | {
                sku: unknown;
            } | {
                itemId: unknown;
            }) & unknown & unknown & ({
                delta: unknown;
            } | {
                count: unknown;
            })))[];
        };
        ItemPatch: {
            /** @description The former name still matches, until another item takes it. */
            name?: string;
            /** @description Stock-keeping unit. */
            sku?: string | null;
            /** @description Unit of measure, such as pc, m or kg. */
            unit?: string | null;
            /** @description The item is low at or below this quantity. At most 4 decimals. */
            reorderPoint?: number;
            /** @description Cost of one unit. At most 4 decimals. */
            unitCost?: number | null;
            /** @description Sales price of one unit, excluding tax. At most 4 decimals. */
            unitPrice?: number | null;
            /** @description `true` takes an item without stock out of use, `false` restores it. */
            archived?: boolean;
        };
        PaymentRequest: {
            /** @description At most the currency's decimals. At most 4 decimals. */
            amount: number;
            /**
             * Format: date
             * @description The day of the payment. At most 366 days after today.
             */
            date: string;
            /** @description Required without `invoices`, `customerId` and `customerNumber`. With `invoices`, it must be their customer. The payment keeps it as sent. */
            customerName?: string | null;
            /**
             * Format: uuid
             * @description Id of the customer's record, instead of the name.
             */
            customerId?: string | null;
            /** @description The customer's number, ignoring case. */
            customerNumber?: string | null;
            /** @description The invoices that are paid, each once and all of one customer. The remainder of the money stays unallocated. */
            invoices?: ({
                /**
                 * Format: uuid
                 * @description Id of the invoice, instead of its number.
                 */
                invoiceId?: string | null;
                /** @description Number of the invoice, instead of its id. */
                number?: string | null;
                /** @description By default the balance of the invoice, as far as the money reaches. At most 4 decimals. */
                amount?: number | null;
            } & ({
                invoiceId: unknown;
            } | {
                number: unknown;
            }))[] | null;
            /**
             * @description How the money was transferred.
             * @enum {string|null}
             */
            method?: "bank_transfer" | "cash" | "card" | "cheque" | "direct_debit" | "other" | null;
            /** @description Your own reference. */
            reference?: string | null;
            /** @description The transfer's ID elsewhere, for example at the bank. Each ID can be used only once. */
            externalId?: string | null;
            /** @description Free text. */
            note?: string | null;
        };
        ReversalRequest: {
            /**
             * Format: date
             * @description The day of the reversal. At most 366 days after today.
             */
            date: string;
            /** @description Why the payment is reversed. */
            reason?: string | null;
        };
        AllocationRequest: {
            /**
             * Format: uuid
             * @description The payment that the money comes from.
             */
            paymentId?: string | null;
            /**
             * Format: uuid
             * @description The credit note that the money comes from.
             */
            creditNoteId?: string | null;
            /** @description Invoices of the same customer, each once. All allocations of one payment or credit note together name at most 1,000 invoices. */
            invoices: ({
                /**
                 * Format: uuid
                 * @description Id of the invoice, instead of its number.
                 */
                invoiceId?: string | null;
                /** @description Number of the invoice, instead of its id. */
                number?: string | null;
                /** @description By default the balance of the invoice, as far as the unallocated money reaches. A negative amount takes back money that was allocated. At most 4 decimals. */
                amount?: number | null;
            } & ({
                invoiceId: unknown;
            } | {
                number: unknown;
            }))[];
            /**
             * Format: date
             * @description By default today in the company's time zone. At most 366 days after today.
             */
            date?: string | null;
        } & ({
            paymentId: unknown;
        } | {
            creditNoteId: unknown;
        });
        RefundRequest: {
            /**
             * Format: uuid
             * @description The payment that the money comes from.
             */
            paymentId?: string | null;
            /**
             * Format: uuid
             * @description The credit note that the money comes from.
             */
            creditNoteId?: string | null;
            /** @description At most what is unallocated. At most 4 decimals. */
            amount: number;
            /**
             * Format: date
             * @description The day of the refund. At most 366 days after today.
             */
            date: string;
            /**
             * @description How the money was transferred.
             * @enum {string|null}
             */
            method?: "bank_transfer" | "cash" | "card" | "cheque" | "direct_debit" | "other" | null;
            /** @description Your own reference. */
            reference?: string | null;
            /** @description The transfer's ID elsewhere, for example at the bank. Each ID can be used only once. */
            externalId?: string | null;
            /** @description Free text. */
            note?: string | null;
        } & ({
            paymentId: unknown;
        } | {
            creditNoteId: unknown;
        });
        CreditNoteRequest: {
            /**
             * Format: uuid
             * @description The invoice to correct.
             */
            invoiceId: string;
            /**
             * Format: date
             * @description Not before the invoice's date. At most 366 days after today.
             */
            date: string;
            /**
             * @description Why the invoice is corrected.
             * @enum {string}
             */
            reason: "return" | "damaged" | "price" | "order_change" | "duplicate" | "cancelled" | "other";
            /** @description The credited lines, in order. Without `items`, everything that remains, by quantity. */
            items?: ({
                /** @description The invoice's line, counted from 1. */
                line: number;
                /** @description Goods: their share of the line is credited. At most 4 decimals. */
                qty?: number | null;
                /** @description A net amount, without goods. Reduces the value of a quantity that is returned later. At most 4 decimals. */
                amount?: number | null;
                /** @description Whether the goods go back into stock. Required, here or for the whole note, with `qty` of a line with a stock item. */
                restock?: boolean | null;
            } & ({
                qty: unknown;
            } | {
                amount: unknown;
            }))[] | null;
            /** @description For items without their own `restock`. */
            restock?: boolean | null;
            /** @description Your own reference. */
            reference?: string | null;
            /** @description Free text. */
            note?: string | null;
        };
        VoidRequest: {
            /**
             * Format: date
             * @description By default today in the company's time zone, or the invoice's date if that is later. At most 366 days after today.
             */
            date?: string | null;
            /** @description Whether the goods go back into stock. By default true. */
            restock?: boolean | null;
            /** @description Why the invoice was a mistake. */
            reason?: string | null;
            /** @description Free text on the credit note. */
            note?: string | null;
        };
        CustomerRequest: {
            /** @description The name that invoices have. */
            name: string;
            /** @description Your number of the customer, by default the next of C-00001, … */
            number?: string | null;
            /** @description Printed on documents in place of `name`. */
            legalName?: string | null;
            /** @description Further names on invoices and payments that mean this customer. */
            aliases?: string[] | null;
            /** @description The id of the customer in another system. */
            externalId?: string | null;
            /** @description The address that documents go to. */
            email?: string | null;
            /** @description Addresses that get a copy. */
            emailCc?: string[] | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description The person to talk to. */
            contactName?: string | null;
            /** @description The billing address. */
            address?: {
                line1?: string | null;
                line2?: string | null;
                line3?: string | null;
                city?: string | null;
                postalCode?: string | null;
                region?: string | null;
                /** @description ISO 3166-1 alpha-2 code, such as DE. Must be an ISO 3166-1 alpha-2 code in upper case. */
                country: string;
            } | null;
            /** @description Where goods go. */
            deliveryAddress?: {
                line1?: string | null;
                line2?: string | null;
                line3?: string | null;
                city?: string | null;
                postalCode?: string | null;
                region?: string | null;
                /** @description ISO 3166-1 alpha-2 code, such as DE. Must be an ISO 3166-1 alpha-2 code in upper case. */
                country: string;
            } | null;
            /** @description VAT or tax number. Spaces, dots and hyphens are removed. */
            taxId?: string | null;
            /** @description Number in a register of companies. */
            registrationId?: string | null;
            /** @description For electronic invoices: a scheme of the EAS list, and the id. */
            electronicAddress?: {
                /** @description Must be a code of the EAS list. */
                scheme: string;
                id: string;
            } | null;
            /** @description A reference that the customer wants on each invoice (BT-10). */
            buyerReference?: string | null;
            /**
             * @description The language of documents.
             * @enum {string|null}
             */
            language?: "en" | "de" | "fr" | "es" | "it" | "nl" | null;
            /** @description Days from an invoice's date to its due date. */
            termsDays?: number | null;
            /** @description The tax of invoices whose lines have no rate. */
            tax?: {
                /** @description At most 4 decimals. */
                rate: number;
                /** @enum {string|null} */
                category?: "S" | "Z" | "E" | "AE" | "K" | "G" | "O" | null;
                reason?: string | null;
            } | null;
            /** @description The most the customer may owe, with the decimals of the currency. At most 4 decimals. */
            creditLimit?: number | null;
            /** @description `true` refuses new invoices. */
            hold?: boolean | null;
            /** @description The company's currency. Another one is refused. */
            currency?: string | null;
            /** @description Free text, with line feeds. Never printed. */
            note?: string | null;
        };
        CustomerBatch: {
            /** @description The customers. Each has the form of a single create request. */
            customers: components["schemas"]["CustomerRequest"][];
            /**
             * @description For a customer whose `externalId`, else whose `name`, a record has: `refuse` (the default), or `update`, which changes the fields that were sent.
             * @enum {string|null}
             */
            onExisting?: "refuse" | "update" | null;
        };
        CustomerPatch: {
            /** @description The name that invoices have. */
            name?: string;
            /** @description Your number of the customer, by default the next of C-00001, … */
            number?: string;
            /** @description Printed on documents in place of `name`. */
            legalName?: string | null;
            /** @description Further names on invoices and payments that mean this customer. */
            aliases?: string[] | null;
            /** @description The id of the customer in another system. */
            externalId?: string | null;
            /** @description The address that documents go to. */
            email?: string | null;
            /** @description Addresses that get a copy. */
            emailCc?: string[] | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description The person to talk to. */
            contactName?: string | null;
            /** @description The billing address. */
            address?: {
                line1?: string | null;
                line2?: string | null;
                line3?: string | null;
                city?: string | null;
                postalCode?: string | null;
                region?: string | null;
                /** @description ISO 3166-1 alpha-2 code, such as DE. Must be an ISO 3166-1 alpha-2 code in upper case. */
                country?: string;
            } | null;
            /** @description Where goods go. */
            deliveryAddress?: {
                line1?: string | null;
                line2?: string | null;
                line3?: string | null;
                city?: string | null;
                postalCode?: string | null;
                region?: string | null;
                /** @description ISO 3166-1 alpha-2 code, such as DE. Must be an ISO 3166-1 alpha-2 code in upper case. */
                country?: string;
            } | null;
            /** @description VAT or tax number. Spaces, dots and hyphens are removed. */
            taxId?: string | null;
            /** @description Number in a register of companies. */
            registrationId?: string | null;
            /** @description For electronic invoices: a scheme of the EAS list, and the id. */
            electronicAddress?: {
                /** @description Must be a code of the EAS list. */
                scheme?: string;
                id?: string;
            } | null;
            /** @description A reference that the customer wants on each invoice (BT-10). */
            buyerReference?: string | null;
            /**
             * @description The language of documents.
             * @enum {string|null}
             */
            language?: "en" | "de" | "fr" | "es" | "it" | "nl" | null;
            /** @description Days from an invoice's date to its due date. */
            termsDays?: number | null;
            /** @description The tax of invoices whose lines have no rate. */
            tax?: {
                /** @description At most 4 decimals. */
                rate: number;
                /** @enum {string|null} */
                category?: "S" | "Z" | "E" | "AE" | "K" | "G" | "O" | null;
                reason?: string | null;
            } | null;
            /** @description The most the customer may owe, with the decimals of the currency. At most 4 decimals. */
            creditLimit?: number | null;
            /** @description `true` refuses new invoices. */
            hold?: boolean | null;
            /** @description The company's currency. Another one is refused. */
            currency?: string | null;
            /** @description Free text, with line feeds. Never printed. */
            note?: string | null;
            /** @description `true` takes a customer who owes nothing out of use, `false` restores it. */
            archived?: boolean;
        };
        CustomerMerge: {
            /**
             * Format: uuid
             * @description The duplicate. Its names become aliases.
             */
            customerId: string;
        };
        EmailRequest: {
            /**
             * Format: uuid
             * @description The invoice. Either this or `creditNoteId`.
             */
            invoiceId?: string | null;
            /**
             * Format: uuid
             * @description The credit note.
             */
            creditNoteId?: string | null;
            /** @description The recipients. Without it, the `email` of the customer's record. Each is one plain address. With `cc` up to 10, and one that is named twice counts once. */
            to?: string[] | null;
            /** @description The recipients of a copy. Without `to` and this, the `emailCc` of the customer's record. */
            cc?: string[] | null;
            /** @description Without it, the number of the document and the name of the company, in its language. */
            subject?: string | null;
            /** @description The text, with line feeds. Without it, a short one in the language of the document. */
            message?: string | null;
            /** @description The forms of the document that are attached: `["pdf"]` without it. */
            attach?: ("pdf" | "ubl")[] | null;
        } & ({
            invoiceId: unknown;
        } | {
            creditNoteId: unknown;
        });
        WebhookEndpointRequest: {
            /**
             * Format: uri
             * @description An https URL with a public host, of at most 2,000 characters.
             */
            url: string;
            /** @description Types of events, groups such as `invoice.*`, or `*` for all of them. */
            types: string[];
            /** @description For people. Nothing depends on it. */
            description?: string | null;
            /** @description True: one event at a time, and one that fails holds up the next. Default: false. */
            ordered?: boolean | null;
            /** @description The sequence after which to begin. Default: that of the newest event, `last`. */
            after?: (number | "last") | null;
        };
        WebhookEndpointPatch: {
            /**
             * Format: uri
             * @description An https URL with a public host, of at most 2,000 characters.
             */
            url?: string;
            /** @description Types of events, groups such as `invoice.*`, or `*` for all of them. */
            types?: string[];
            /** @description For people. Nothing depends on it. */
            description?: string | null;
            /** @description True: one event at a time, and one that fails holds up the next. Default: false. */
            ordered?: boolean;
            /** @description The sequence after which to begin. Default: that of the newest event, `last`. */
            after?: number | "last";
            /**
             * @description `active` makes an endpoint healthy, from any status.
             * @enum {string}
             */
            status?: "active" | "paused";
        };
        WebhookSecretRotation: {
            /** @description How long the current secret signs, too. Default: 24. */
            overlapHours?: number | null;
        };
        WebhookTest: {
            /** @description A type of event, of which a sample is sent. */
            type?: string | null;
        };
        WebhookRedeliveryRequest: {
            /** @description Deliveries by the sequences of their events. In place of `from`. A repeated one counts once. */
            sequences?: number[] | null;
            /**
             * Format: date-time
             * @description The first time of an event's `timestamp`.
             */
            from?: string | null;
            /**
             * Format: date-time
             * @description The last time of an event's `timestamp`. Default: now.
             */
            to?: string | null;
            /**
             * @description Which deliveries. Required with `from`.
             * @enum {string|null}
             */
            only?: "failed" | "all" | null;
        } & ({
            sequences: unknown;
        } | {
            from: unknown;
        });
        EmptyRequest: Record<string, never>;
        Payment: {
            /** Format: uuid */
            id: string;
            /** @description allocations + refunded + unallocated, unless it is reversed: then these are 0. */
            amount: number;
            /** Format: date */
            date: string;
            /** @description ISO 4217. */
            currency: string;
            customerName: string;
            /** @enum {string|null} */
            method: "bank_transfer" | "cash" | "card" | "cheque" | "direct_debit" | "other" | null;
            reference: string | null;
            externalId: string | null;
            note: string | null;
            /** @enum {string} */
            status: "recorded" | "reversed";
            /** @description The current allocations to invoices. */
            allocations: components["schemas"]["Allocation"][];
            /** @description The amount paid back to the customer. */
            refunded: number;
            /** @description The amount left for other invoices or a refund. */
            unallocated: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
        };
        Allocation: {
            /** Format: uuid */
            invoiceId: string;
            invoiceNumber: string;
            /** @description In major units, exact to the minor unit of the currency. */
            amount: number;
        };
        Refund: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The payment, unless it is a refund of a credit note.
             */
            paymentId: string | null;
            /** Format: uuid */
            creditNoteId: string | null;
            /** @description In major units, exact to the minor unit of the currency. */
            amount: number;
            /** Format: date */
            date: string;
            /** @description ISO 4217. */
            currency: string;
            customerName: string;
            /** @enum {string|null} */
            method: "bank_transfer" | "cash" | "card" | "cheque" | "direct_debit" | "other" | null;
            reference: string | null;
            externalId: string | null;
            note: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
        };
        CreditNote: {
            /** Format: uuid */
            id: string;
            /** @description Gap-free per company, a series of its own. */
            number: string;
            /** Format: uuid */
            invoiceId: string;
            invoiceNumber: string;
            customerName: string;
            /** Format: date */
            date: string;
            /** @description ISO 4217. */
            currency: string;
            /** @enum {string} */
            reason: "return" | "damaged" | "price" | "order_change" | "duplicate" | "cancelled" | "other";
            items: components["schemas"]["CreditNoteItem"][];
            /** @description Net: the amounts less their share of a document discount. */
            subtotal: number;
            /** @description In major units, exact to the minor unit of the currency. */
            taxTotal: number;
            /** @description By the tax groups of the invoice. */
            taxes: {
                category: string;
                rate: number;
                /** @description In major units, exact to the minor unit of the currency. */
                base: number;
                /** @description In major units, exact to the minor unit of the currency. */
                amount: number;
                reason: string | null;
            }[];
            /** @description subtotal + taxTotal. All amounts are positive. */
            total: number;
            /** @description The current allocations to invoices. */
            allocations: components["schemas"]["Allocation"][];
            /** @description The amount paid back to the customer. */
            refunded: number;
            /** @description The amount left for other invoices or a refund. */
            unallocated: number;
            reference: string | null;
            note: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
        };
        CreditNoteItem: {
            /** @description The invoice's line, counted from 1. */
            line: number;
            name: string;
            sku: string | null;
            /** @description Null for a credit by amount. */
            qty: number | null;
            /** @description In major units, exact to the minor unit of the currency. */
            amount: number;
            /** Format: uuid */
            itemId: string | null;
            /** @description Whether the quantity went back into stock. */
            restocked: boolean;
        };
        InvoiceEntry: {
            sequence: number;
            /**
             * @description More values may follow.
             * @enum {string}
             */
            type: "payment" | "reversal" | "allocation" | "creditNote";
            /** Format: uuid */
            id: string;
            /** @description The number of a credit note; null for other types. */
            number: string | null;
            /** Format: date */
            date: string;
            /** @description The change of the amount due: negative for a payment. */
            amount: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
        };
        PaymentResult: {
            /** @constant */
            type: "payment";
            /** Format: uuid */
            id: string;
            /** Format: uri-reference */
            href: string;
        };
        RefundResult: {
            /** @constant */
            type: "refund";
            /** Format: uuid */
            id: string;
            /** Format: uri-reference */
            href: string;
        };
        CreditNoteResult: {
            /** @constant */
            type: "creditNote";
            /** Format: uuid */
            id: string;
            /** Format: uri-reference */
            href: string;
        };
        Customer: {
            /** Format: uuid */
            id: string;
            number: string;
            /** @description The name that new invoices get. */
            name: string;
            /** @description Printed in place of `name`. */
            legalName: string | null;
            /** @description Further names that mean this customer. */
            aliases: string[];
            externalId: string | null;
            email: string | null;
            emailCc: string[];
            phone: string | null;
            contactName: string | null;
            address: components["schemas"]["CustomerAddress"] | null;
            deliveryAddress: components["schemas"]["CustomerAddress"] | null;
            taxId: string | null;
            registrationId: string | null;
            electronicAddress: {
                /** @description A code of the EAS list. */
                scheme: string;
                id: string;
            } | null;
            buyerReference: string | null;
            /** @enum {string|null} */
            language: "en" | "de" | "fr" | "es" | "it" | "nl" | null;
            /** @description Days from an invoice's date to its due date. */
            termsDays: number | null;
            /** @description The tax of invoices whose lines have no rate. */
            tax: components["schemas"]["CustomerTax"] | null;
            /** @description In major units, exact to the minor unit of the currency. */
            creditLimit: number | null;
            /** @description New invoices are refused. */
            hold: boolean;
            /** @description ISO 4217. */
            currency: string;
            note: string | null;
            /** @description Out of use, or merged. */
            archived: boolean;
            /**
             * Format: uuid
             * @description The record that this one was merged into.
             */
            mergedInto: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            updatedAt: string;
        };
        CustomerAddress: {
            line1: string | null;
            line2: string | null;
            line3: string | null;
            city: string | null;
            postalCode: string | null;
            region: string | null;
            /** @description ISO 3166-1 alpha-2 code. */
            country: string;
        };
        CustomerTax: {
            /** @description In percent. */
            rate: number;
            /** @enum {string|null} */
            category?: "S" | "Z" | "E" | "AE" | "K" | "G" | "O" | null;
            reason?: string | null;
        };
        CustomerResult: {
            /**
             * @description 200 for an updated record.
             * @enum {integer}
             */
            status: 200 | 201;
            customer: components["schemas"]["Customer"];
        };
        CustomerBatchResults: {
            /** @description In the order of the request. */
            results: (components["schemas"]["CustomerResult"] | components["schemas"]["RefusedResult"])[];
        };
        Activity: {
            /** @constant */
            type: "activity";
            customer: components["schemas"]["StatementCustomer"];
            /** @description ISO 4217. */
            currency: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description The balance before the first line of this page. */
            opening: number;
            /** @description By date: the invoices of a day by number, then its entries by sequence. */
            entries: components["schemas"]["ActivityLine"][];
            /** @description The balance at the end of `to`. */
            closing: number;
            ageing: components["schemas"]["Ageing"];
        };
        ActivityLine: {
            /**
             * Format: date
             * @description Of a reversal or refund: its effective date.
             */
            date: string;
            /** @enum {string} */
            type: "invoice" | "payment" | "creditNote" | "reversal" | "refund";
            /**
             * Format: uuid
             * @description Of a reversal: the id of its payment.
             */
            id: string;
            /** @description The number of an invoice or credit note. */
            number: string | null;
            reference: string | null;
            /** Format: date */
            dueDate: string | null;
            /** @description Of an invoice, reversal or refund. */
            debit: number | null;
            /** @description Of a payment or credit note. */
            credit: number | null;
            /** @description After this line. */
            balance: number;
            /** @description The buyer's order number on an invoice. */
            orderReference: string | null;
        };
        Ageing: {
            /** @description The money due on invoices: the sum of the five ages. */
            outstanding: number;
            /** @description Not yet due, or without a due date. */
            current: number;
            /** @description In major units, exact to the minor unit of the currency. */
            days1To30: number;
            /** @description In major units, exact to the minor unit of the currency. */
            days31To60: number;
            /** @description In major units, exact to the minor unit of the currency. */
            days61To90: number;
            /** @description In major units, exact to the minor unit of the currency. */
            over90: number;
            /** @description The unallocated money of payments and credit notes. */
            unallocated: number;
            /** @description `outstanding` less `unallocated`. */
            balance: number;
        };
        CustomerReceivables: {
            /**
             * Format: uuid
             * @description Null for a name without a record.
             */
            customerId: string | null;
            name: string;
            /** @description In major units, exact to the minor unit of the currency. */
            creditLimit: number | null;
            /** @description New invoices are refused. */
            hold: boolean;
            /** @description The money due on invoices: the sum of the five ages. */
            outstanding: number;
            /** @description Not yet due, or without a due date. */
            current: number;
            /** @description In major units, exact to the minor unit of the currency. */
            days1To30: number;
            /** @description In major units, exact to the minor unit of the currency. */
            days31To60: number;
            /** @description In major units, exact to the minor unit of the currency. */
            days61To90: number;
            /** @description In major units, exact to the minor unit of the currency. */
            over90: number;
            /** @description The unallocated money of payments and credit notes. */
            unallocated: number;
            /** @description `outstanding` less `unallocated`. */
            balance: number;
        };
        OpenItems: {
            /** @constant */
            type: "open";
            customer: components["schemas"]["StatementCustomer"];
            /** @description ISO 4217. */
            currency: string;
            /** Format: date */
            asOf: string;
            /** @description By due date, those without one last; then by date and number. */
            invoices: {
                /** Format: uuid */
                id: string;
                number: string;
                /** Format: date */
                date: string;
                /** Format: date */
                dueDate: string | null;
                reference: string | null;
                /** @description In major units, exact to the minor unit of the currency. */
                total: number;
                /** @description At the end of `asOf`. */
                due: number;
                /** @description 0 if it is not overdue; null without a due date. */
                daysOverdue: number | null;
                /** @description The buyer's order number. */
                orderReference: string | null;
            }[];
            /** @description After all invoices, by date. */
            credits: {
                /** @enum {string} */
                type: "payment" | "creditNote";
                /** Format: uuid */
                id: string;
                /** @description The number of a credit note. */
                number: string | null;
                /** Format: date */
                date: string;
                /** @description At the end of `asOf`. */
                unallocated: number;
            }[];
            ageing: components["schemas"]["Ageing"];
        };
        Receivables: {
            /**
             * Format: date
             * @description The day from which the ages count.
             */
            asOf: string;
            /** @enum {string} */
            basis: "dueDate" | "date";
            /** @description ISO 4217. */
            currency: string;
            /** @description Of all matching customers, on every page. */
            totals: components["schemas"]["Ageing"];
            customers: components["schemas"]["CustomerReceivables"][];
        };
        StatementCustomer: {
            /**
             * Format: uuid
             * @description Null for a name without a record.
             */
            id: string | null;
            number: string | null;
            name: string;
        };
        Summary: {
            period: {
                month: string;
                /** Format: date */
                from: string;
                /**
                 * Format: date
                 * @description The last day of the month.
                 */
                to: string;
                /** @description IANA name. */
                timezone: string;
            };
            /** @description ISO 4217. */
            currency: string;
            invoices: {
                count: number;
                /** @description In major units, exact to the minor unit of the currency. */
                total: number;
                /** @description Rounded half up to the minor unit of the currency; null without invoices. */
                average: number | null;
            };
            previous: {
                month: string;
                count: number;
                /** @description In major units, exact to the minor unit of the currency. */
                total: number;
                /** @description The previous month, up to the same day of the month. */
                toSameDay: {
                    count: number;
                    /** @description In major units, exact to the minor unit of the currency. */
                    total: number;
                };
            };
            /** @description This month compared with `previous.toSameDay`. */
            change: {
                /** @description One decimal, rounded half up; null where the base is 0. */
                countPercent: number | null;
                /** @description One decimal, rounded half up; null where the base is 0. */
                totalPercent: number | null;
            };
            /** @description The customers with the largest net totals, if these are above 0. */
            topCustomers: {
                name: string;
                /** @description The customer's invoices of the month, credited or not. */
                count: number;
                /** @description With tax, less credit notes. */
                total: number;
            }[];
            /** @description The items with the largest net totals, if both net figures are above 0. */
            topItems: {
                name: string;
                /** @description Sold less credited. A credit note by amount does not change it. */
                qty: number;
                /** @description Before tax and the invoice's own discount, less credit notes. */
                total: number;
            }[];
            inventory: {
                items: number;
                low: number;
                outOfStock: number;
                /** @description Σ onHand × unitCost, the sum rounded half up to the minor unit of the currency. */
                value: number;
            };
            /**
             * Format: date-time
             * @description When the figures were computed. They include a change within 5 seconds.
             */
            computedAt: string;
            /** @description `invoices.total`, split. */
            sales: {
                /** @description In major units, exact to the minor unit of the currency. */
                net: number;
                /** @description In major units, exact to the minor unit of the currency. */
                tax: number;
            };
            /** @description The month's credit notes, by their own dates. */
            credited: {
                count: number;
                /** @description In major units, exact to the minor unit of the currency. */
                total: number;
                /** @description In major units, exact to the minor unit of the currency. */
                net: number;
                /** @description In major units, exact to the minor unit of the currency. */
                tax: number;
            };
            /** @description The month's payments less its reversals, by their own dates. Below 0 if more was reversed. */
            received: {
                count: number;
                /** @description In major units, exact to the minor unit of the currency. */
                total: number;
            };
            /** @description The month's refunds, by their own dates. */
            refunded: {
                count: number;
                /** @description In major units, exact to the minor unit of the currency. */
                total: number;
            };
            /** @description The invoices of any month with an amount due. */
            outstanding: {
                count: number;
                /** @description In major units, exact to the minor unit of the currency. */
                total: number;
            };
            /** @description Those of them with a due date before today, in the time zone of the company. */
            overdue: {
                count: number;
                /** @description In major units, exact to the minor unit of the currency. */
                total: number;
            };
            /** @description The unallocated money of payments and credit notes. */
            unallocated: {
                /** @description In major units, exact to the minor unit of the currency. */
                total: number;
            };
            /** @description `outstanding.total` by the days after the due date, in the time zone of the company. `current` is not yet due or has no due date. */
            receivables: {
                /** @description In major units, exact to the minor unit of the currency. */
                current: number;
                /** @description In major units, exact to the minor unit of the currency. */
                days1To30: number;
                /** @description In major units, exact to the minor unit of the currency. */
                days31To60: number;
                /** @description In major units, exact to the minor unit of the currency. */
                days61To90: number;
                /** @description In major units, exact to the minor unit of the currency. */
                over90: number;
            };
        };
        Invoice: {
            /** Format: uuid */
            id: string;
            /** @description Gap-free per company, in order of creation. */
            number: string;
            /**
             * @description `open`: issued; `paid`: nothing is due any more; `void`: withdrawn, which is final. More values may follow.
             * @enum {string}
             */
            status: "open" | "paid" | "void";
            customerName: string;
            /** Format: date */
            date: string;
            /** @description ISO 4217. */
            currency: string;
            items: components["schemas"]["InvoiceLine"][];
            /** @description What the customer owes: `subtotal` plus `taxTotal`. */
            total: number;
            /** @description Your own number, as given. */
            reference: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
            /** Format: date */
            dueDate: string | null;
            /** @description The buyer's order number. */
            orderReference: string | null;
            /** Format: date */
            deliveryDate: string | null;
            note: string | null;
            /** @description Reduces the sum of the lines. */
            discount: components["schemas"]["DocumentDiscount"] | null;
            /** @description The sum of the line amounts less the discount; net. */
            subtotal: number;
            /** @description The sum of the taxes. */
            taxTotal: number;
            /** @description One per tax category and rate, in the order of their first lines. Empty without taxes. */
            taxes: components["schemas"]["TaxGroup"][];
            /** @description In major units, exact to the minor unit of the currency. */
            amountPaid: number;
            /** @description In major units, exact to the minor unit of the currency. */
            amountCredited: number;
            /** @description `total` less `amountPaid` and `amountCredited`. */
            amountDue: number;
            /**
             * Format: date
             * @description The date of the payment or credit note that brought `amountDue` to 0.
             */
            settledOn: string | null;
            /**
             * Format: uuid
             * @description As sent. Present only if the request had it. If that record is merged later, the id stands for the record that remains.
             */
            customerId?: string;
        };
        InvoiceLine: {
            name: string;
            /** @description The SKU of the matched stock item. */
            sku: string | null;
            /** @description At most 4 decimals. */
            qty: number;
            /** @description Net price of one unit, at most 4 decimals. */
            price: number;
            /** @description qty × price, rounded half up to the minor unit of the currency, less the discount; net. */
            amount: number;
            /**
             * Format: uuid
             * @description The stock item whose stock the line reduces; null for a line that matches none.
             */
            itemId: string | null;
            discount?: components["schemas"]["LineDiscount"];
            /** @description In percent, at most 4 decimals. On every line or on none. */
            taxRate?: number;
            /**
             * @description As in EN 16931: `S`, `Z`, `E`, `AE`, `K`, `G` or `O`.
             * @enum {string}
             */
            taxCategory?: "S" | "Z" | "E" | "AE" | "K" | "G" | "O";
        };
        /** @description Present only on a line with a discount. */
        LineDiscount: {
            /** @description In percent; null if it was given as an amount. */
            percent: number | null;
            /** @description In major units, exact to the minor unit of the currency. */
            amount: number;
        };
        DocumentDiscount: {
            /** @description In percent; null if it was given as an amount. */
            percent: number | null;
            /** @description In major units, exact to the minor unit of the currency. */
            amount: number;
            reason: string | null;
        };
        TaxGroup: {
            /**
             * @description As in EN 16931: `S`, `Z`, `E`, `AE`, `K`, `G` or `O`.
             * @enum {string}
             */
            category: "S" | "Z" | "E" | "AE" | "K" | "G" | "O";
            /** @description In percent, at most 4 decimals. */
            rate: number;
            /** @description The lines' amounts less their share of the invoice's discount. */
            base: number;
            /** @description base × rate, rounded half up once. */
            amount: number;
            /** @description Why no tax is due. */
            reason: string | null;
        };
        InvoiceBatchResults: {
            /** @description In the order of the request. */
            results: (components["schemas"]["CreatedResult"] | components["schemas"]["RefusedResult"] | components["schemas"]["AcceptedResult"])[];
        };
        CreatedResult: {
            /** @constant */
            status: 201;
            invoice: components["schemas"]["Invoice"];
        };
        RefusedResult: {
            /** @description 403, 409 or 422. 500 or 503 if the same single request would have returned it. */
            status: number;
            problem: components["schemas"]["Problem"];
        };
        AcceptedResult: {
            /** @constant */
            status: 202;
            job: components["schemas"]["Job"];
        };
        Item: {
            /** Format: uuid */
            id: string;
            sku: string | null;
            name: string;
            unit: string | null;
            /** @description The sum of all movements, at most 4 decimals. */
            onHand: number;
            /** @description At most 4 decimals. */
            reorderPoint: number;
            /** @description `onHand <= reorderPoint`. */
            low: boolean;
            unitCost: number | null;
            unitPrice: number | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            updatedAt: string;
            /** @description Out of use: only in the list of archived items. Lines and entries do not match it. */
            archived: boolean;
        };
        Adjustment: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            reason: "received" | "returned" | "count" | "correction" | "damaged" | "lost" | "theft" | "transfer" | "other";
            reference: string | null;
            note: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
            /** @description One per entry, in the order of the request. */
            movements: components["schemas"]["Movement"][];
        };
        Movement: {
            /** Format: uuid */
            itemId: string;
            name: string;
            /** @description The quantity added; negative if removed. */
            delta: number;
            /** @description At most 4 decimals. */
            onHandBefore: number;
            /** @description At most 4 decimals. */
            onHandAfter: number;
        };
        ItemMovement: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "sale" | "return" | "received" | "returned" | "count" | "correction" | "damaged" | "lost" | "theft" | "transfer" | "other";
            /** @description The quantity added; negative if removed. */
            delta: number;
            /** @description At most 4 decimals. */
            onHandAfter: number;
            source: {
                /** @enum {string} */
                type: "invoice" | "adjustment" | "creditNote";
                /** Format: uuid */
                id: string;
                /** @description The number of the invoice or credit note; null for an adjustment. */
                number: string | null;
            };
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
        };
        Email: {
            /** Format: uuid */
            id: string;
            /**
             * @description More may come.
             * @enum {string}
             */
            type: "invoice" | "creditNote";
            /** Format: uuid */
            documentId: string;
            /** @description The number of the document. */
            number: string;
            to: string[];
            cc: string[];
            subject: string;
            /**
             * @description `sent`: the mail server accepted the e-mail for at least one address. `failed`: it will not be tried again.
             * @enum {string}
             */
            status: "queued" | "sent" | "failed";
            attempts: number;
            error: components["schemas"]["EmailError"] | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            sentAt: string | null;
        };
        EmailError: {
            /** @enum {string} */
            code: "smtp_refused" | "smtp_unreachable" | "document_incomplete" | "document_unavailable";
            detail: string;
            /** @description The addresses that the mail server refused. They are not tried again. */
            rejected: {
                address: string;
                reply: string;
            }[];
        };
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            url: string;
            types: string[];
            description: string | null;
            ordered: boolean;
            /** @enum {string} */
            status: "active" | "paused" | "disabled";
            /**
             * @description `failing`: deliveries fail in a row, so there are only probes until one succeeds.
             * @enum {string}
             */
            health: "healthy" | "failing";
            /** @enum {string|null} */
            disabledReason: "gone" | "no_success" | "secret_lost" | null;
            /**
             * Format: date-time
             * @description When a failing endpoint will be disabled unless a probe succeeds.
             */
            disableAt: string | null;
            /** @description The sequence of the last event that was delivered or passed over. */
            position: number;
            /** @description The newest sequence minus the position. */
            behind: number;
            /** @description Events that expired before the position reached them. */
            missed: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            lastFailureAt: string | null;
            /** @description Newest first. Each delivery has a signature per secret. */
            secrets: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                expiresAt: string | null;
            }[];
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            updatedAt: string;
        };
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            id: string;
            url: string;
            types: string[];
            description: string | null;
            ordered: boolean;
            /** @enum {string} */
            status: "active" | "paused" | "disabled";
            /**
             * @description `failing`: deliveries fail in a row, so there are only probes until one succeeds.
             * @enum {string}
             */
            health: "healthy" | "failing";
            /** @enum {string|null} */
            disabledReason: "gone" | "no_success" | "secret_lost" | null;
            /**
             * Format: date-time
             * @description When a failing endpoint will be disabled unless a probe succeeds.
             */
            disableAt: string | null;
            /** @description The sequence of the last event that was delivered or passed over. */
            position: number;
            /** @description The newest sequence minus the position. */
            behind: number;
            /** @description Events that expired before the position reached them. */
            missed: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            lastFailureAt: string | null;
            /** @description Newest first. Each delivery has a signature per secret. */
            secrets: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, with milliseconds.
                 */
                expiresAt: string | null;
            }[];
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            updatedAt: string;
            /** @description Shown only now. */
            secret: string;
        };
        WebhookDelivery: {
            sequence: number;
            /** Format: uuid */
            eventId: string;
            type: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "skipped";
            attemptCount: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description The time of the first attempt.
             */
            createdAt: string;
        };
        WebhookDeliveryWithAttempts: {
            sequence: number;
            /** Format: uuid */
            eventId: string;
            type: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "skipped";
            attemptCount: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description The time of the first attempt.
             */
            createdAt: string;
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            at: string;
            durationMs: number;
            /** @enum {string} */
            trigger: "first" | "retry" | "probe" | "manual";
            /** @description The status of the answer; null without one. */
            status: number | null;
            /**
             * @description Null for an answer other than a redirect, whatever its status is.
             * @enum {string|null}
             */
            error: "dns_failed" | "address_refused" | "connect_failed" | "tls_failed" | "timeout" | "redirected" | "invalid_response" | null;
            request: {
                headers: {
                    [key: string]: string;
                };
                /** @description Null after the event has expired. */
                body: string | null;
            };
            response: {
                headers: {
                    [key: string]: string;
                };
                /** @description The first 1,024 bytes. */
                body: string;
            } | null;
        };
        WebhookRedelivery: {
            count: number;
        };
        Job: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            type: "invoice.create" | "inventory.adjust" | "payment.record" | "payment.reverse" | "allocation.make" | "refund.record" | "creditNote.create" | "invoice.void";
            /** @enum {string} */
            status: "queued" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null while the job is queued.
             */
            finishedAt: string | null;
            /** @description The request that created the job. */
            requestId: string;
            /** @description The created record, once the job has succeeded. */
            result: components["schemas"]["InvoiceResult"] | components["schemas"]["AdjustmentResult"] | components["schemas"]["PaymentResult"] | components["schemas"]["RefundResult"] | components["schemas"]["CreditNoteResult"] | null;
            /** @description The reason, once the job has failed. */
            error: components["schemas"]["Problem"] | null;
        };
        InvoiceResult: {
            /** @constant */
            type: "invoice";
            /** Format: uuid */
            id: string;
            /** Format: uri-reference */
            href: string;
        };
        AdjustmentResult: {
            /** @constant */
            type: "adjustment";
            /** Format: uuid */
            id: string;
            href: null;
            movements: components["schemas"]["Movement"][];
        };
        /** @description RFC 9457 problem details. */
        Problem: {
            /**
             * Format: uri-reference
             * @description URL of the explanation.
             */
            type: string;
            title: string;
            status: number;
            /**
             * @description For programs. More values may follow.
             * @enum {string}
             */
            code: "malformed_json" | "invalid_parameter" | "unknown_parameter" | "invalid_cursor" | "ambiguous_credentials" | "invalid_idempotency_key" | "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key" | "insufficient_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "insufficient_stock" | "stock_conflict" | "already_exists" | "invalid_state" | "amount_exceeds_due" | "amount_exceeds_unallocated" | "credit_exceeds_invoice" | "customer_on_hold" | "credit_limit_exceeded" | "document_incomplete" | "document_unavailable" | "email_not_configured" | "limit_reached" | "events_expired" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "idempotency_key_reused" | "rate_limit_exceeded" | "too_many_attempts" | "email_limit_exceeded" | "internal_error" | "service_unavailable";
            /** @description For people. The wording may change. */
            detail: string;
            /** @description The path of the request, as it was sent. */
            instance: string;
            /** @description For the log and for support; also in X-Request-Id. */
            requestId: string;
            /** @description With `events_expired`: the oldest event that is retained. */
            oldest?: number;
            /**
             * Format: uuid
             * @description With `already_exists`: the existing item, transfer or customer. With `validation_failed`: that of the first error with one.
             */
            existingId?: string;
            /** @description With `amount_exceeds_unallocated`, and with `credit_limit_exceeded`: the total of the invoice. */
            requested?: number;
            /** @description With `amount_exceeds_unallocated`: the unallocated amount. With `credit_limit_exceeded`: what is left of the limit; negative if it is exceeded already. */
            available?: number;
            /** @description With `invalid_state` of an invoice. */
            amountPaid?: number;
            /** @description With `invalid_state` of an invoice. */
            amountCredited?: number;
            /** @description With `invalid_parameter` and `unknown_parameter`: its name. */
            parameter?: string;
            /**
             * Format: uuid
             * @description With `customer_on_hold` and `credit_limit_exceeded`, and with `invalid_state` of a merge: the id of the record.
             */
            customerId?: string;
            /** @description With `credit_limit_exceeded`. */
            creditLimit?: number;
            /** @description With `credit_limit_exceeded`, and with `invalid_state` of a customer to be archived or deleted. */
            outstanding?: number;
            /** @description With `credit_limit_exceeded`, and with `invalid_state` of a customer to be archived or deleted. */
            unallocated?: number;
            /**
             * Format: uuid
             * @description With `invalid_state` of a merged customer.
             */
            mergedInto?: string;
            /** @description With `invalid_state` of a merge with an archived customer. */
            archived?: boolean;
            /** @description With `invalid_state` of a customer to be deleted: how many it has. */
            invoices?: number;
            /** @description With `invalid_state` of a customer to be deleted: its payments, refunds and credit notes. */
            entries?: number;
            /** @description With `invalid_state`: how many aliases the customer would have. */
            aliases?: number;
            /** @description With `invalid_state` of too many aliases: the most it can have. */
            maxAliases?: number;
            /** @description With `insufficient_scope`: the scope that the key lacks. */
            requiredScope?: string;
            /** @description The errors of the body, field by field: at most 100 in one response. */
            errors?: components["schemas"]["FieldError"][];
            /** @description How many more errors there are. Absent if `errors` has them all. */
            errorsOmitted?: number;
        };
        FieldError: {
            /** @description RFC 6901 pointer into the request body. Of a document: into /company, /customer or /invoice. */
            pointer: string;
            /** @enum {string} */
            code: "required" | "wrong_type" | "empty" | "too_short" | "too_long" | "too_small" | "too_large" | "too_many_decimals" | "too_many_items" | "invalid_date" | "invalid_value" | "unknown_field" | "unknown_item" | "unknown_customer" | "unknown_invoice" | "mixed_customers" | "amount_exceeds_due" | "amount_exceeds_unallocated" | "credit_exceeds_invoice" | "invalid_url" | "private_address" | "unsupported_character" | "insufficient_stock" | "stock_conflict" | "already_exists" | "invalid_state";
            detail: string;
            /**
             * Format: uuid
             * @description With `insufficient_stock` and `stock_conflict`; null for an item that this adjustment would create.
             */
            itemId?: string | null;
            /**
             * Format: uuid
             * @description With `amount_exceeds_due`, and `invalid_state` of an invoice.
             */
            invoiceId?: string;
            /** @description With `invalid_state` of an invoice: its status. */
            status?: string;
            /** @description With `credit_exceeds_invoice`: the invoice's line, counted from 1. */
            line?: number;
            /**
             * Format: uuid
             * @description With `already_exists`, and with a `customerName` that is the number of a customer: the existing record.
             */
            existingId?: string;
            /** @description With `document_incomplete`: the broken rule of EN 16931. */
            rule?: string;
            /** @description With `invalid_state` of an invoice. */
            amountPaid?: number;
            /** @description With `invalid_state` of an invoice. */
            amountCredited?: number;
            /** @description The line's own quantity, or the amount of the request. */
            requested?: number;
            /** @description The quantity on hand, or the amount due or unallocated. */
            available?: number;
            /** @description With `stock_conflict`: the quantity on hand. */
            onHand?: number;
        };
        StockAlert: {
            /** Format: uuid */
            itemId: string;
            sku: string | null;
            name: string;
            onHand: number;
            /** @description At most 4 decimals. */
            reorderPoint: number;
        };
        StockLevels: {
            items: {
                /** Format: uuid */
                itemId: string;
                onHand: number;
            }[];
        };
        AdjustmentDetails: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            reason: "received" | "returned" | "count" | "correction" | "damaged" | "lost" | "theft" | "transfer" | "other";
            reference: string | null;
            note: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
        };
        DeletedCustomer: {
            /** Format: uuid */
            id: string;
            number: string;
            name: string;
        };
        ImportEnd: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "stock" | "customers";
            fileName: string;
            /** @enum {string} */
            status: "done" | "refused" | "failed";
            rowsTotal: number;
            rowsDone: number;
            rowsFailed: number;
        };
        KeyState: {
            /** Format: uuid */
            id: string;
            name: string;
            scopes: ("summary:read" | "invoices:read" | "invoices:write" | "inventory:read" | "inventory:write" | "payments:read" | "payments:write" | "credits:write" | "customers:read" | "customers:write" | "documents:send" | "events:read" | "webhooks:write")[];
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            revokedAt: string | null;
        };
        EventPage: {
            /** @description In order. */
            events: components["schemas"]["Event"][];
            /** @description The last sequence that was looked at. The next page begins after it. */
            after: number;
            /** @description Whether there were further events to look at. */
            hasMore: boolean;
        };
        EventInvoice: {
            /** Format: uuid */
            id: string;
            /** @description Gap-free per company, in order of creation. */
            number: string;
            /**
             * @description `open`: issued; `paid`: nothing is due any more; `void`: withdrawn, which is final. More values may follow.
             * @enum {string}
             */
            status: "open" | "paid" | "void";
            customerName: string;
            /** Format: date */
            date: string;
            /** @description ISO 4217. */
            currency: string;
            items: components["schemas"]["InvoiceLine"][] | null;
            /** @description What the customer owes: `subtotal` plus `taxTotal`. */
            total: number;
            /** @description Your own number, as given. */
            reference: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
            /** Format: date */
            dueDate: string | null;
            /** @description The buyer's order number. */
            orderReference: string | null;
            /** Format: date */
            deliveryDate: string | null;
            note: string | null;
            /** @description Reduces the sum of the lines. */
            discount: components["schemas"]["DocumentDiscount"] | null;
            /** @description The sum of the line amounts less the discount; net. */
            subtotal: number;
            /** @description The sum of the taxes. */
            taxTotal: number;
            /** @description One per tax category and rate, in the order of their first lines. Empty without taxes. */
            taxes: components["schemas"]["TaxGroup"][];
            /** @description In major units, exact to the minor unit of the currency. */
            amountPaid: number;
            /** @description In major units, exact to the minor unit of the currency. */
            amountCredited: number;
            /** @description `total` less `amountPaid` and `amountCredited`. */
            amountDue: number;
            /**
             * Format: date
             * @description The date of the payment or credit note that brought `amountDue` to 0.
             */
            settledOn: string | null;
            /**
             * Format: uuid
             * @description As sent. Present only if the request had it. If that record is merged later, the id stands for the record that remains.
             */
            customerId?: string;
        };
        EventPayment: {
            /** Format: uuid */
            id: string;
            /** @description allocations + refunded + unallocated, unless it is reversed: then these are 0. */
            amount: number;
            /** Format: date */
            date: string;
            /** @description ISO 4217. */
            currency: string;
            customerName: string;
            /** @enum {string|null} */
            method: "bank_transfer" | "cash" | "card" | "cheque" | "direct_debit" | "other" | null;
            reference: string | null;
            externalId: string | null;
            note: string | null;
            /** @enum {string} */
            status: "recorded" | "reversed";
            /** @description The current allocations to invoices. */
            allocations: components["schemas"]["Allocation"][] | null;
            /** @description The amount paid back to the customer. */
            refunded: number;
            /** @description The amount left for other invoices or a refund. */
            unallocated: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
        };
        EventCreditNote: {
            /** Format: uuid */
            id: string;
            /** @description Gap-free per company, a series of its own. */
            number: string;
            /** Format: uuid */
            invoiceId: string;
            invoiceNumber: string;
            customerName: string;
            /** Format: date */
            date: string;
            /** @description ISO 4217. */
            currency: string;
            /** @enum {string} */
            reason: "return" | "damaged" | "price" | "order_change" | "duplicate" | "cancelled" | "other";
            items: components["schemas"]["CreditNoteItem"][] | null;
            /** @description Net: the amounts less their share of a document discount. */
            subtotal: number;
            /** @description In major units, exact to the minor unit of the currency. */
            taxTotal: number;
            /** @description By the tax groups of the invoice. */
            taxes: {
                category: string;
                rate: number;
                /** @description In major units, exact to the minor unit of the currency. */
                base: number;
                /** @description In major units, exact to the minor unit of the currency. */
                amount: number;
                reason: string | null;
            }[];
            /** @description subtotal + taxTotal. All amounts are positive. */
            total: number;
            /** @description The current allocations to invoices. */
            allocations: components["schemas"]["Allocation"][] | null;
            /** @description The amount paid back to the customer. */
            refunded: number;
            /** @description The amount left for other invoices or a refund. */
            unallocated: number;
            reference: string | null;
            note: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
        };
        EventCustomer: {
            /** Format: uuid */
            id: string;
            number: string;
            /** @description The name that new invoices get. */
            name: string;
            /** @description Printed in place of `name`. */
            legalName: string | null;
            /** @description Further names that mean this customer. */
            aliases: string[] | null;
            externalId: string | null;
            email: string | null;
            emailCc: string[];
            phone: string | null;
            contactName: string | null;
            address: components["schemas"]["CustomerAddress"] | null;
            deliveryAddress: components["schemas"]["CustomerAddress"] | null;
            taxId: string | null;
            registrationId: string | null;
            electronicAddress: {
                /** @description A code of the EAS list. */
                scheme: string;
                id: string;
            } | null;
            buyerReference: string | null;
            /** @enum {string|null} */
            language: "en" | "de" | "fr" | "es" | "it" | "nl" | null;
            /** @description Days from an invoice's date to its due date. */
            termsDays: number | null;
            /** @description The tax of invoices whose lines have no rate. */
            tax: components["schemas"]["CustomerTax"] | null;
            /** @description In major units, exact to the minor unit of the currency. */
            creditLimit: number | null;
            /** @description New invoices are refused. */
            hold: boolean;
            /** @description ISO 4217. */
            currency: string;
            note: string | null;
            /** @description Out of use, or merged. */
            archived: boolean;
            /**
             * Format: uuid
             * @description The record that this one was merged into.
             */
            mergedInto: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            updatedAt: string;
        };
        Event: {
            /** @constant */
            type: "invoice.created";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventInvoice"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "invoice.paid";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventInvoice"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "invoice.reopened";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventInvoice"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "invoice.voided";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventInvoice"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "invoice.updated";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventInvoice"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "invoice.overdue";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventInvoice"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "payment.recorded";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventPayment"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "payment.updated";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventPayment"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "payment.reversed";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventPayment"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "credit_note.created";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventCreditNote"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "credit_note.updated";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventCreditNote"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "refund.recorded";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["Refund"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "customer.created";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventCustomer"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "customer.updated";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["EventCustomer"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "customer.deleted";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["DeletedCustomer"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "item.created";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["Item"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "item.updated";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["Item"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "adjustment.created";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["AdjustmentDetails"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "stock.changed";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["StockLevels"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "stock.low";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["StockAlert"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "stock.out";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["StockAlert"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "stock.recovered";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["StockAlert"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "import.finished";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["ImportEnd"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "import.undone";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["ImportEnd"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "key.created";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["KeyState"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "key.rotated";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["KeyState"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "key.updated";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["KeyState"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "key.revoked";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["KeyState"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "email.sent";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["Email"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "email.failed";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["Email"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "webhook_endpoint.failing";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["WebhookEndpoint"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        } | {
            /** @constant */
            type: "webhook_endpoint.disabled";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, with milliseconds.
             */
            timestamp: string;
            /**
             * Format: uuid
             * @description The same for each delivery of the event.
             */
            id: string;
            /** @description Counts 1, 2, 3 … per company, without gaps. */
            sequence: number;
            /** Format: uuid */
            companyId: string;
            /** @description The person or the key behind the change; null for an operator or the service itself. */
            actor: {
                /** @enum {string} */
                kind: "user" | "key";
                /** Format: uuid */
                id: string;
            } | null;
            data: components["schemas"]["WebhookEndpoint"];
            /**
             * @description The event is longer than 20,000 bytes, so the lists in `data` are null. `GET /events/{sequence}` has them.
             * @constant
             */
            partial?: true;
        };
    };
    responses: {
        /** @description [`unknown_parameter`](/docs/errors#unknown_parameter): The endpoint has no such query parameter. The property parameter names it. */
        BadDocumentRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter";
                };
            };
        };
        /**
         * @description [`unknown_parameter`](/docs/errors#unknown_parameter): The endpoint has no such query parameter. The property parameter names it.
         *
         *     [`ambiguous_credentials`](/docs/errors#ambiguous_credentials): The request has two different API keys.
         */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "unknown_parameter" | "ambiguous_credentials";
                };
            };
        };
        /**
         * @description [`invalid_parameter`](/docs/errors#invalid_parameter): A query parameter has an invalid value or is given more than once. The property parameter names it.
         *
         *     [`unknown_parameter`](/docs/errors#unknown_parameter): The endpoint has no such query parameter. The property parameter names it.
         *
         *     [`invalid_cursor`](/docs/errors#invalid_cursor): This cursor was not issued by this list, or the feed of events has no event with the sequence `after` yet.
         *
         *     [`ambiguous_credentials`](/docs/errors#ambiguous_credentials): The request has two different API keys.
         */
        BadListRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "invalid_parameter" | "unknown_parameter" | "invalid_cursor" | "ambiguous_credentials";
                };
            };
        };
        /**
         * @description [`invalid_parameter`](/docs/errors#invalid_parameter): A query parameter has an invalid value or is given more than once. The property parameter names it.
         *
         *     [`unknown_parameter`](/docs/errors#unknown_parameter): The endpoint has no such query parameter. The property parameter names it.
         *
         *     [`ambiguous_credentials`](/docs/errors#ambiguous_credentials): The request has two different API keys.
         */
        BadReportRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "invalid_parameter" | "unknown_parameter" | "ambiguous_credentials";
                };
            };
        };
        /**
         * @description [`malformed_json`](/docs/errors#malformed_json): The body is not JSON in UTF-8, is truncated, repeats a key, or is nested deeper than 32 levels.
         *
         *     [`unknown_parameter`](/docs/errors#unknown_parameter): The endpoint has no such query parameter. The property parameter names it.
         *
         *     [`ambiguous_credentials`](/docs/errors#ambiguous_credentials): The request has two different API keys.
         *
         *     [`invalid_idempotency_key`](/docs/errors#invalid_idempotency_key): The Idempotency-Key is empty, longer than 255 characters, not visible ASCII, or sent twice.
         */
        BadWriteRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "malformed_json" | "unknown_parameter" | "ambiguous_credentials" | "invalid_idempotency_key";
                };
            };
        };
        /**
         * @description [`malformed_json`](/docs/errors#malformed_json): The body is not JSON in UTF-8, is truncated, repeats a key, or is nested deeper than 32 levels.
         *
         *     [`unknown_parameter`](/docs/errors#unknown_parameter): The endpoint has no such query parameter. The property parameter names it.
         *
         *     [`ambiguous_credentials`](/docs/errors#ambiguous_credentials): The request has two different API keys.
         */
        BadUpdateRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "malformed_json" | "unknown_parameter" | "ambiguous_credentials";
                };
            };
        };
        /**
         * @description [`missing_api_key`](/docs/errors#missing_api_key): The request has no API key, or its Authorization header has another scheme.
         *
         *     [`invalid_api_key`](/docs/errors#invalid_api_key): The key does not exist: it is truncated, mistyped or from another installation.
         *
         *     [`expired_api_key`](/docs/errors#expired_api_key): The key has passed its expiry, or was rotated and its overlap has ended.
         *
         *     [`revoked_api_key`](/docs/errors#revoked_api_key): The key was revoked.
         */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {unknown} */
                    code?: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
                };
            };
        };
        /** @description [`insufficient_scope`](/docs/errors#insufficient_scope): The key is valid but lacks a scope. The property requiredScope names it. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "insufficient_scope";
                };
            };
        };
        /** @description [`not_found`](/docs/errors#not_found): The path does not exist, or your company has no such record. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {unknown} */
                    code?: "not_found";
                };
            };
        };
        /** @description [`not_acceptable`](/docs/errors#not_acceptable): The Accept header excludes the format of the response: application/json, text/csv with format=csv, or that of a document, application/pdf or application/xml. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 406;
                    /** @enum {unknown} */
                    code?: "not_acceptable";
                };
            };
        };
        /** @description [`events_expired`](/docs/errors#events_expired): The event after `after`, or the event itself, is older than 30 days. The property oldest is the sequence of the oldest one that is retained. */
        EventsExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @enum {unknown} */
                    code?: "events_expired";
                };
            };
        };
        /** @description [`precondition_failed`](/docs/errors#precondition_failed): If-Match does not have the current ETag: the record changed after you read it. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 412;
                    /** @enum {unknown} */
                    code?: "precondition_failed";
                };
            };
        };
        /** @description [`payload_too_large`](/docs/errors#payload_too_large): The body is larger than 512 KiB. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 413;
                    /** @enum {unknown} */
                    code?: "payload_too_large";
                };
            };
        };
        /** @description [`unsupported_media_type`](/docs/errors#unsupported_media_type): The body is not declared as application/json in UTF-8, or it is compressed. PATCH also takes application/merge-patch+json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 415;
                    /** @enum {unknown} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description [`validation_failed`](/docs/errors#validation_failed): The body is JSON, but some fields are invalid. Each entry of errors points to one field. A response lists at most 100; errorsOmitted says how many more there are. */
        Invalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {unknown} */
                    code?: "validation_failed";
                };
            };
        };
        /**
         * @description [`validation_failed`](/docs/errors#validation_failed): The body is JSON, but some fields are invalid. Each entry of errors points to one field. A response lists at most 100; errorsOmitted says how many more there are.
         *
         *     [`idempotency_key_reused`](/docs/errors#idempotency_key_reused): This Idempotency-Key was used before, with another body or path.
         */
        Unprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {unknown} */
                    code?: "validation_failed" | "idempotency_key_reused";
                };
            };
        };
        /**
         * @description [`rate_limit_exceeded`](/docs/errors#rate_limit_exceeded): The company's requests for this hour are used up. All its keys count together.
         *
         *     [`too_many_attempts`](/docs/errors#too_many_attempts): More than 30 keys from this address were refused within a minute. IPv6 addresses count by /64. Or the company tested its webhook endpoints more than 10 times within a minute.
         */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {unknown} */
                    code?: "rate_limit_exceeded" | "too_many_attempts";
                };
            };
        };
        /**
         * @description [`email_limit_exceeded`](/docs/errors#email_limit_exceeded): The company has sent as many e-mails in the last hour as it may.
         *
         *     [`rate_limit_exceeded`](/docs/errors#rate_limit_exceeded): The company's requests for this hour are used up. All its keys count together.
         *
         *     [`too_many_attempts`](/docs/errors#too_many_attempts): More than 30 keys from this address were refused within a minute. IPv6 addresses count by /64. Or the company tested its webhook endpoints more than 10 times within a minute.
         */
        TooManyEmails: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {unknown} */
                    code?: "email_limit_exceeded" | "rate_limit_exceeded" | "too_many_attempts";
                };
            };
        };
        /** @description [`internal_error`](/docs/errors#internal_error): Something went wrong on our side. The log has the details under the requestId. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @enum {unknown} */
                    code?: "internal_error";
                };
            };
        };
        /** @description [`service_unavailable`](/docs/errors#service_unavailable): A store is unavailable, too many writes are queued or wait for other work of the company, or a list took too long. The detail of a write says whether it may still be carried out. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "service_unavailable";
                };
            };
        };
        /**
         * @description [`customer_on_hold`](/docs/errors#customer_on_hold): The record of the customer is on hold. The property customerId is its id.
         *
         *     [`credit_limit_exceeded`](/docs/errors#credit_limit_exceeded): The company refuses invoices above a credit limit, and this one would exceed the limit of its customer. The property requested is the total of the invoice, and available is the limit less outstanding plus unallocated. It is negative if the limit is exceeded already.
         *
         *     [`insufficient_stock`](/docs/errors#insufficient_stock): Stock would go below zero. Each entry of errors names a line, its quantity and what is available.
         *
         *     [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued.
         *
         *     [`email_not_configured`](/docs/errors#email_not_configured): The installation has no mail server, so nothing can be sent by e-mail.
         */
        InvoiceRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "customer_on_hold" | "credit_limit_exceeded" | "insufficient_stock" | "invalid_state" | "email_not_configured";
                };
            };
        };
        /**
         * @description [`insufficient_stock`](/docs/errors#insufficient_stock): Stock would go below zero. Each entry of errors names a line, its quantity and what is available.
         *
         *     [`stock_conflict`](/docs/errors#stock_conflict): An expectedOnHand does not match: the stock changed after you read it.
         */
        StockRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "insufficient_stock" | "stock_conflict";
                };
            };
        };
        /**
         * @description [`already_exists`](/docs/errors#already_exists): Another item has this name or SKU, another customer has this name, alias, number or externalId, another webhook endpoint has this URL, or a transfer with this externalId is recorded. The property existingId names the existing record.
         *
         *     [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued.
         */
        ItemConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "already_exists" | "invalid_state";
                };
            };
        };
        /**
         * @description [`already_exists`](/docs/errors#already_exists): Another item has this name or SKU, another customer has this name, alias, number or externalId, another webhook endpoint has this URL, or a transfer with this externalId is recorded. The property existingId names the existing record.
         *
         *     [`amount_exceeds_due`](/docs/errors#amount_exceeds_due): The amount exceeds the invoice's balance, or a negative amount exceeds the allocation. Each entry of errors names an invoice, the amount and the limit.
         *
         *     [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued.
         */
        PaymentRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "already_exists" | "amount_exceeds_due" | "invalid_state";
                };
            };
        };
        /** @description [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued. */
        ReversalRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "invalid_state";
                };
            };
        };
        /**
         * @description [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued.
         *
         *     [`amount_exceeds_due`](/docs/errors#amount_exceeds_due): The amount exceeds the invoice's balance, or a negative amount exceeds the allocation. Each entry of errors names an invoice, the amount and the limit.
         *
         *     [`amount_exceeds_unallocated`](/docs/errors#amount_exceeds_unallocated): The amount exceeds the unallocated balance of the payment or credit note. The properties requested and available name both amounts.
         */
        AllocationRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "invalid_state" | "amount_exceeds_due" | "amount_exceeds_unallocated";
                };
            };
        };
        /**
         * @description [`already_exists`](/docs/errors#already_exists): Another item has this name or SKU, another customer has this name, alias, number or externalId, another webhook endpoint has this URL, or a transfer with this externalId is recorded. The property existingId names the existing record.
         *
         *     [`amount_exceeds_unallocated`](/docs/errors#amount_exceeds_unallocated): The amount exceeds the unallocated balance of the payment or credit note. The properties requested and available name both amounts.
         *
         *     [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued.
         */
        RefundRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "already_exists" | "amount_exceeds_unallocated" | "invalid_state";
                };
            };
        };
        /**
         * @description [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued.
         *
         *     [`credit_exceeds_invoice`](/docs/errors#credit_exceeds_invoice): The quantity or amount exceeds what remains of the line. Each entry of errors names a line, the requested value and the available one.
         */
        CreditRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "invalid_state" | "credit_exceeds_invoice";
                };
            };
        };
        /** @description [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued. */
        VoidRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "invalid_state";
                };
            };
        };
        /** @description [`already_exists`](/docs/errors#already_exists): Another item has this name or SKU, another customer has this name, alias, number or externalId, another webhook endpoint has this URL, or a transfer with this externalId is recorded. The property existingId names the existing record. */
        CustomerExists: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "already_exists";
                };
            };
        };
        /**
         * @description [`already_exists`](/docs/errors#already_exists): Another item has this name or SKU, another customer has this name, alias, number or externalId, another webhook endpoint has this URL, or a transfer with this externalId is recorded. The property existingId names the existing record.
         *
         *     [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued.
         */
        CustomerConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "already_exists" | "invalid_state";
                };
            };
        };
        /** @description [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued. */
        CustomerState: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "invalid_state";
                };
            };
        };
        /**
         * @description [`document_incomplete`](/docs/errors#document_incomplete): Data that the document needs are missing. Each entry of errors points to one, in /company (the company's profile), /customer (the customer's record) or /invoice. An electronic invoice needs more than a PDF: the property rule of an entry names the rule of EN 16931.
         *
         *     [`document_unavailable`](/docs/errors#document_unavailable): The document cannot be made in this form, whatever is entered: an electronic invoice in a currency with more than two decimals or with tax at a rate below 0.5%, or a PDF with a name in a script that it cannot show. Then errors points to the names.
         */
        DocumentRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "document_incomplete" | "document_unavailable";
                };
            };
        };
        /**
         * @description [`document_incomplete`](/docs/errors#document_incomplete): Data that the document needs are missing. Each entry of errors points to one, in /company (the company's profile), /customer (the customer's record) or /invoice. An electronic invoice needs more than a PDF: the property rule of an entry names the rule of EN 16931.
         *
         *     [`document_unavailable`](/docs/errors#document_unavailable): The document cannot be made in this form, whatever is entered: an electronic invoice in a currency with more than two decimals or with tax at a rate below 0.5%, or a PDF with a name in a script that it cannot show. Then errors points to the names.
         *
         *     [`email_not_configured`](/docs/errors#email_not_configured): The installation has no mail server, so nothing can be sent by e-mail.
         *
         *     [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued.
         */
        EmailRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "document_incomplete" | "document_unavailable" | "email_not_configured" | "invalid_state";
                };
            };
        };
        /**
         * @description [`already_exists`](/docs/errors#already_exists): Another item has this name or SKU, another customer has this name, alias, number or externalId, another webhook endpoint has this URL, or a transfer with this externalId is recorded. The property existingId names the existing record.
         *
         *     [`limit_reached`](/docs/errors#limit_reached): There are as many webhook endpoints, or secrets of one, as there may be.
         */
        WebhookConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "already_exists" | "limit_reached";
                };
            };
        };
        /** @description [`limit_reached`](/docs/errors#limit_reached): There are as many webhook endpoints, or secrets of one, as there may be. */
        WebhookSecretLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "limit_reached";
                };
            };
        };
        /** @description [`invalid_state`](/docs/errors#invalid_state): The state of the record does not allow the change: an item with stock cannot be archived, a paid or credited invoice not be voided, a void one not be credited, a refunded or reversed payment not be reversed. A customer that owes something or has unallocated money cannot be archived, one with invoices or payments not be deleted, and a merged one not be changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and only an active endpoint gets several deliveries again. Or the company changed its currency while the write was queued. */
        WebhookState: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "API-Version": components["headers"]["API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "invalid_state";
                };
            };
        };
    };
    parameters: {
        /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
        RequestId: string;
        /** @description The ETag of your copy: 304 if it is current. */
        IfNoneMatch: string;
        /** @description The ETag of your copy: the change is made only if the record is still the same, else 412. */
        IfMatch: string;
        /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
        Prefer: string;
        /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
        IdempotencyKey: string;
        /** @description The id of the record. */
        Id: string;
        /** @description The sequence of the event. */
        Sequence: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The request's id: yours, or a new one.
         * @example order-4711
         */
        "X-Request-Id": string;
        /**
         * @description The major version of the API.
         * @example 1
         */
        "API-Version": "1";
        /**
         * @description The limit and its window in seconds (IETF draft).
         * @example "hourly";q=1000;w=3600
         */
        "RateLimit-Policy": string;
        /**
         * @description Requests left, and seconds until the window ends (IETF draft).
         * @example "hourly";r=987;t=1312
         */
        RateLimit: string;
        /**
         * @description Requests per hour.
         * @example 1000
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left.
         * @example 987
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description When the window ends, in seconds since 1970.
         * @example 1795167559
         */
        "X-RateLimit-Reset": number;
        /**
         * @description URL of the record.
         * @example /api/external/invoices/01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e42
         */
        Location: string;
        /**
         * @description URL of the job.
         * @example /api/external/jobs/01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e4f
         */
        "Job-Location": string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 2
         */
        "Retry-After": number;
        /**
         * @description The next page, as rel="next" (RFC 8288). Absent on the last page alone, which a short or empty page need not be.
         * @example <https://api.example.com/api/external/invoices?limit=50&cursor=AbCd>; rel="next"
         */
        Link: string;
        /**
         * @description For If-None-Match and If-Match.
         * @example "5f2b0c"
         */
        ETag: string;
        /**
         * @description The name of the file.
         * @example inline; filename="INV-000001.pdf"
         */
        "Content-Disposition": string;
        /**
         * @description The best form that the data allow: `en16931` for an electronic invoice, else `plain`. A delivery note has none.
         * @example en16931
         */
        "Document-Profile": "en16931" | "plain";
        /**
         * @description The characters that the fonts of a PDF do not have. They are drawn as U+FFFD. After 200 of them, `...` stands for the others.
         * @example U+1F382
         */
        "Document-Warnings": string;
        /**
         * @description The preference that was applied (RFC 7240).
         * @example respond-async
         */
        "Preference-Applied": string;
        /**
         * @description `true` if this is the outcome of an earlier request with the same Idempotency-Key.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * @description How to authenticate (RFC 6750).
         * @example Bearer realm="api"
         */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSummary: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Invoices per page. More than 200 is served as 200. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Invoices dated on or after this day. */
                from?: string;
                /** @description Invoices dated on or before this day. */
                to?: string;
                /** @description The customer's full name, ignoring case and spacing. */
                customerName?: string;
                /** @description Id of a customer's record: invoices with any of its names. Empty without such a record. */
                customerId?: string;
                /** @description Invoices with all of these words, each in any of: the number, the customer, the reference, the order number, the names and SKUs of the lines, and the number, phone number, contact and cities of the customer's record. Case and accents do not matter. */
                q?: string;
                /** @description Invoices that were created, or whose JSON was changed, at or after this time. A write may show some seconds after its time, so let the times of two requests overlap by a minute. */
                updatedSince?: string;
                /** @description Full invoice number, ignoring case. */
                number?: string;
                /** @description Full reference, ignoring case and spacing. */
                reference?: string;
                /** @description The buyer's order number, ignoring case and spacing. */
                orderReference?: string;
                /** @description Only invoices with this status. */
                status?: "open" | "paid" | "void";
                /** @description `1` or `true` lists only open invoices on which something was due before today, in the time zone of the company. */
                overdue?: "1" | "true" | "0" | "false" | "";
                /** @description Invoices due on or after this day. */
                dueFrom?: string;
                /** @description Invoices due on or before this day. */
                dueTo?: string;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invoices. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceRequest"];
            };
        };
        responses: {
            /** @description The invoice. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description The write is not finished yet, or the request did not wait for it. It will be carried out, even after the crash or loss of any process. Poll the job at `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Location: components["headers"]["Job-Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["InvoiceRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvoices: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceBatch"];
            };
        };
        responses: {
            /** @description One result per invoice. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceBatchResults"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    adjustInventory: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdjustmentRequest"];
            };
        };
        responses: {
            /** @description The adjustment with its movements. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"];
                };
            };
            /** @description The write is not finished yet, or the request did not wait for it. It will be carried out, even after the crash or loss of any process. Poll the job at `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Location: components["headers"]["Job-Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["StockRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of your copy: the change is made only if the record is still the same, else 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["ItemPatch"];
                "application/json": components["schemas"]["ItemPatch"];
            };
        };
        responses: {
            /** @description The changed item. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            400: components["responses"]["BadUpdateRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ItemConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Payments per page. More than 200 is served as 200. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Payments dated on or after this day. */
                from?: string;
                /** @description Payments dated on or before this day. */
                to?: string;
                /** @description The customer's full name, ignoring case and spacing. */
                customerName?: string;
                /** @description Id of a customer's record: payments with any of its names. Empty without such a record. */
                customerId?: string;
                /** @description Payments of this invoice, reversed ones too. */
                invoiceId?: string;
                /** @description Full reference, ignoring case and spacing. */
                reference?: string;
                /** @description Payments with all of these words, each in any of: the customer, the reference, the external id, the numbers of its invoices, and the number, phone number, contact and cities of the customer's record. Case and accents do not matter. */
                q?: string;
                /** @description Payments that were created, or whose JSON was changed, at or after this time. A write may show some seconds after its time, so let the times of two requests overlap by a minute. */
                updatedSince?: string;
                /** @description Exact external id. */
                externalId?: string;
                /** @description `1` or `true` lists only payments with unallocated money. */
                unallocated?: "1" | "true" | "0" | "false" | "";
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    recordPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentRequest"];
            };
        };
        responses: {
            /** @description The payment. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            /** @description The write is not finished yet, or the request did not wait for it. It will be carried out, even after the crash or loss of any process. Poll the job at `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Location: components["headers"]["Job-Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["PaymentRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reversePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReversalRequest"];
            };
        };
        responses: {
            /** @description The reversed payment. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            /** @description The write is not finished yet, or the request did not wait for it. It will be carried out, even after the crash or loss of any process. Poll the job at `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Location: components["headers"]["Job-Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ReversalRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    allocate: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllocationRequest"];
            };
        };
        responses: {
            /** @description The payment or credit note after the allocation. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"] | components["schemas"]["CreditNote"];
                };
            };
            /** @description The write is not finished yet, or the request did not wait for it. It will be carried out, even after the crash or loss of any process. Poll the job at `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Location: components["headers"]["Job-Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["AllocationRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description Refunds per page. More than 200 is served as 200. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Refunds dated on or after this day. */
                from?: string;
                /** @description Refunds dated on or before this day. */
                to?: string;
                /** @description The customer's full name, ignoring case and spacing. */
                customerName?: string;
                /** @description Id of a customer's record: refunds with any of its names. Empty without such a record. */
                customerId?: string;
                /** @description Refunds of payments and credit notes of this invoice. */
                invoiceId?: string;
                /** @description Full reference, ignoring case and spacing. */
                reference?: string;
                /** @description Refunds with all of these words, each in any of: the customer, the reference, the external id, and the number, phone number, contact and cities of the customer's record. Case and accents do not matter. */
                q?: string;
                /** @description Refunds that were created, or whose JSON was changed, at or after this time. A write may show some seconds after its time, so let the times of two requests overlap by a minute. */
                updatedSince?: string;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of refunds. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    recordRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundRequest"];
            };
        };
        responses: {
            /** @description The refund. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /** @description The write is not finished yet, or the request did not wait for it. It will be carried out, even after the crash or loss of any process. Poll the job at `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Location: components["headers"]["Job-Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RefundRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCreditNotes: {
        parameters: {
            query?: {
                /** @description Credit notes per page. More than 200 is served as 200. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Credit notes dated on or after this day. */
                from?: string;
                /** @description Credit notes dated on or before this day. */
                to?: string;
                /** @description The customer's full name, ignoring case and spacing. */
                customerName?: string;
                /** @description Id of a customer's record: credit notes with any of its names. Empty without such a record. */
                customerId?: string;
                /** @description Credit notes of this invoice. */
                invoiceId?: string;
                /** @description Full reference, ignoring case and spacing. */
                reference?: string;
                /** @description Credit notes with all of these words, each in any of: the customer, its number and that of its invoice, the reference, the names and SKUs of the lines, and the number, phone number, contact and cities of the customer's record. Case and accents do not matter. */
                q?: string;
                /** @description Credit notes that were created, or whose JSON was changed, at or after this time. A write may show some seconds after its time, so let the times of two requests overlap by a minute. */
                updatedSince?: string;
                /** @description Full number of the credit note, ignoring case. */
                number?: string;
                /** @description `1` or `true` lists only credit notes with unallocated money. */
                unallocated?: "1" | "true" | "0" | "false" | "";
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of credit notes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCreditNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditNoteRequest"];
            };
        };
        responses: {
            /** @description The credit note. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"];
                };
            };
            /** @description The write is not finished yet, or the request did not wait for it. It will be carried out, even after the crash or loss of any process. Poll the job at `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Location: components["headers"]["Job-Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["CreditRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCreditNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credit note. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    voidInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). `respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting). */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoidRequest"];
            };
        };
        responses: {
            /** @description The credit note. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"];
                };
            };
            /** @description The write is not finished yet, or the request did not wait for it. It will be carried out, even after the crash or loss of any process. Poll the job at `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Location: components["headers"]["Job-Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["VoidRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvoiceEntries: {
        parameters: {
            query?: {
                /** @description Entries per page. More than 1000 is served as 1000. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceEntry"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInventory: {
        parameters: {
            query?: {
                /** @description Items per page. More than 1000 is served as 1000. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
                /** @description `1` or `true` lists only items at or below their reorder point. */
                low?: "1" | "true" | "0" | "false" | "";
                /** @description `1` or `true` lists the archived items instead of the others. */
                archived?: "1" | "true" | "0" | "false" | "";
                /** @description Stock-keeping unit, ignoring case and spacing. */
                sku?: string;
                /** @description Full name or former name, ignoring case and spacing. */
                name?: string;
                /** @description Items with all of these words, each in any of: the name, the SKU. Case and accents do not matter. */
                q?: string;
                /** @description Items that were created, or whose JSON was changed, at or after this time. A write may show some seconds after its time, so let the times of two requests overlap by a minute. */
                updatedSince?: string;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of stock items. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listItemMovements: {
        parameters: {
            query?: {
                /** @description Movements per page. More than 200 is served as 200. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
                /** @description First day, inclusive, in the company's time zone. */
                from?: string;
                /** @description Last day, inclusive, in the company's time zone. */
                to?: string;
                /** @description `sale` for invoices, `return` for credit notes, or the reason of an adjustment. */
                kind?: "sale" | "return" | "received" | "returned" | "count" | "correction" | "damaged" | "lost" | "theft" | "transfer" | "other";
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of movements. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemMovement"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Customers per page. More than 200 is served as 200. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Full name or alias, ignoring case and spacing. */
                name?: string;
                /** @description Full number, ignoring case. */
                number?: string;
                /** @description Exact external id. */
                externalId?: string;
                /** @description Tax id; spaces, dots, hyphens and case do not matter. */
                taxId?: string;
                /** @description `1` or `true` lists only customers on hold. */
                hold?: "1" | "true" | "0" | "false" | "";
                /** @description `1` or `true` lists the archived records instead of the others. */
                archived?: "1" | "true" | "0" | "false" | "";
                /** @description Customers with all of these words, each in any of: the name, an alias, the number, the external id, an e-mail address, the phone number, the contact, an address or the tax id. Case and accents do not matter. */
                q?: string;
                /** @description Customers that were created, or whose JSON was changed, at or after this time. A write may show some seconds after its time, so let the times of two requests overlap by a minute. */
                updatedSince?: string;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerRequest"];
            };
        };
        responses: {
            /** @description The record. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["CustomerExists"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCustomers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerBatch"];
            };
        };
        responses: {
            /** @description One result per customer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerBatchResults"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["CustomerState"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of your copy: the change is made only if the record is still the same, else 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["CustomerPatch"];
                "application/json": components["schemas"]["CustomerPatch"];
            };
        };
        responses: {
            /** @description The changed record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["BadUpdateRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["CustomerConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    mergeCustomers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerMerge"];
            };
        };
        responses: {
            /** @description The record that remains. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["CustomerState"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description A record. Send this or `customerName`. */
                customerId?: string;
                /** @description A name or alias of a record, or a name without one, ignoring case and spacing. */
                customerName?: string;
                /** @description `activity`: all lines of the period. `open`: the open items at the end of `to`. */
                type?: "activity" | "open";
                /** @description The first day; by default the first of the month of `to`. Not for open items. */
                from?: string;
                /** @description The last day; by default today in the company’s time zone. */
                to?: string;
                /** @description `csv` returns all rows as `text/csv`, without pages. */
                format?: "json" | "csv";
                /** @description Lines per page. More than 5000 is served as 5000. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the statement. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"] | components["schemas"]["OpenItems"];
                    "text/csv": string;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReceivables: {
        parameters: {
            query?: {
                /** @description The end of this day, from what is dated up to it. By default the present, which includes invoices with a later date. */
                asOf?: string;
                /** @description The date from which the days run: the due date or the date of the invoice. */
                basis?: "dueDate" | "date";
                /** @description Only this record. */
                customerId?: string;
                /** @description `1` or `true` lists only customers with overdue money. */
                overdue?: "1" | "true" | "0" | "false" | "";
                /** @description `1` or `true` lists only customers whose `balance` exceeds their credit limit. */
                overLimit?: "1" | "true" | "0" | "false" | "";
                /** @description `outstanding`: the largest first. */
                sort?: "outstanding" | "name";
                /** @description `csv` returns all rows as `text/csv`, without pages. */
                format?: "json" | "csv";
                /** @description Customers per page. More than 1000 is served as 1000. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers, with the totals of all. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receivables"];
                    "text/csv": string;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvoicePdf: {
        parameters: {
            query?: {
                /** @description The language, by default that of the customer, else that of the company's profile. */
                language?: "en" | "de" | "fr" | "es" | "it" | "nl";
                /** @description The size of the pages, by default the profile's. */
                paper?: "a4" | "letter";
                /** @description The profile that the document must have. Without it, a document whose data allow no electronic invoice is a plain PDF. */
                profile?: "en16931";
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The PDF. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Document-Profile": components["headers"]["Document-Profile"];
                    "Document-Warnings": components["headers"]["Document-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadReportRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DocumentRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvoiceUbl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The electronic invoice. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Document-Profile": components["headers"]["Document-Profile"];
                    "Document-Warnings": components["headers"]["Document-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DocumentRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvoiceCii: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The electronic invoice. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Document-Profile": components["headers"]["Document-Profile"];
                    "Document-Warnings": components["headers"]["Document-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DocumentRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvoiceDeliveryNote: {
        parameters: {
            query?: {
                /** @description The language, by default that of the customer, else that of the company's profile. */
                language?: "en" | "de" | "fr" | "es" | "it" | "nl";
                /** @description The size of the pages, by default the profile's. */
                paper?: "a4" | "letter";
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The PDF. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Document-Profile": components["headers"]["Document-Profile"];
                    "Document-Warnings": components["headers"]["Document-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadReportRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DocumentRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCreditNotePdf: {
        parameters: {
            query?: {
                /** @description The language, by default that of the customer, else that of the company's profile. */
                language?: "en" | "de" | "fr" | "es" | "it" | "nl";
                /** @description The size of the pages, by default the profile's. */
                paper?: "a4" | "letter";
                /** @description The profile that the document must have. Without it, a document whose data allow no electronic invoice is a plain PDF. */
                profile?: "en16931";
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The PDF. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Document-Profile": components["headers"]["Document-Profile"];
                    "Document-Warnings": components["headers"]["Document-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadReportRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DocumentRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCreditNoteUbl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The electronic invoice. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Document-Profile": components["headers"]["Document-Profile"];
                    "Document-Warnings": components["headers"]["Document-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DocumentRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCreditNoteCii: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The electronic invoice. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Document-Profile": components["headers"]["Document-Profile"];
                    "Document-Warnings": components["headers"]["Document-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["DocumentRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEmails: {
        parameters: {
            query?: {
                /** @description E-mails per page. More than 200 is served as 200. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Only e-mails with this status. */
                status?: "queued" | "sent" | "failed";
                /** @description E-mails of this invoice or credit note. */
                documentId?: string;
                /** @description First day of creation, in the company's time zone. */
                from?: string;
                /** @description Last day of creation, in the company's time zone. */
                to?: string;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of e-mails. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255 visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailRequest"];
            };
        };
        responses: {
            /** @description The e-mail, which waits to be sent. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            400: components["responses"]["BadWriteRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["EmailRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyEmails"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The e-mail. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Email"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `after` of the page before. `last`: no events, only the current position. Default: the oldest event. */
                after?: string;
                /** @description Events per page. More than 200 is served as 200. */
                limit?: number;
                /** @description Types and groups, such as `invoice.*,customer.created`. Default: all. */
                types?: string;
                /** @description Waits up to this many seconds for an event. More than 20 is 20. */
                wait?: number;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            410: components["responses"]["EventsExpired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The sequence of the event. */
                sequence: components["parameters"]["Sequence"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            410: components["responses"]["EventsExpired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["BadUpdateRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["WebhookConflict"];
            410: components["responses"]["EventsExpired"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["WebhookEndpointPatch"];
                "application/json": components["schemas"]["WebhookEndpointPatch"];
            };
        };
        responses: {
            /** @description The changed endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["BadUpdateRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["WebhookConflict"];
            410: components["responses"]["EventsExpired"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookSecretRotation"];
            };
        };
        responses: {
            /** @description The endpoint with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["BadUpdateRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["WebhookSecretLimit"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookTest"];
            };
        };
        responses: {
            /** @description The attempt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAttempt"];
                };
            };
            400: components["responses"]["BadUpdateRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["WebhookState"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookRedeliveryRequest"];
            };
        };
        responses: {
            /** @description The number of deliveries. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRedelivery"];
                };
            };
            400: components["responses"]["BadUpdateRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["WebhookState"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Deliveries per page. More than 200 is served as 200. */
                limit?: number;
                /** @description Start of the page, taken from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Only deliveries with this status. */
                status?: "pending" | "succeeded" | "failed" | "skipped";
                /** @description Only events of these types and groups, such as `invoice.*`. Default: all. */
                type?: string;
                /** @description The first time of an event's `timestamp`. */
                from?: string;
                /** @description The last time of an event's `timestamp`. */
                to?: string;
            };
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
                /** @description The sequence of the event. */
                sequence: components["parameters"]["Sequence"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithAttempts"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
                /** @description The sequence of the event. */
                sequence: components["parameters"]["Sequence"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description The number of deliveries. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRedelivery"];
                };
            };
            400: components["responses"]["BadUpdateRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
                /** @description The sequence of the event. */
                sequence: components["parameters"]["Sequence"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadUpdateRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["WebhookState"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example `order-4711`. It is echoed in the response, the log and the job. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of your copy: 304 if it is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI 3.1 document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Your copy with this ETag is current. No body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "API-Version": components["headers"]["API-Version"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadDocumentRequest"];
            406: components["responses"]["NotAcceptable"];
            500: components["responses"]["InternalError"];
        };
    };
    on_invoice_created: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "invoice.created";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_invoice_paid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "invoice.paid";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_invoice_reopened: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "invoice.reopened";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_invoice_voided: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "invoice.voided";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_invoice_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "invoice.updated";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_invoice_overdue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "invoice.overdue";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_payment_recorded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "payment.recorded";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_payment_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "payment.updated";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_payment_reversed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "payment.reversed";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_credit_note_created: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "credit_note.created";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_credit_note_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "credit_note.updated";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_refund_recorded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "refund.recorded";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_customer_created: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "customer.created";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_customer_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "customer.updated";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_customer_deleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "customer.deleted";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_item_created: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "item.created";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_item_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "item.updated";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_adjustment_created: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "adjustment.created";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_stock_changed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "stock.changed";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_stock_low: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "stock.low";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_stock_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "stock.out";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_stock_recovered: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "stock.recovered";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_import_finished: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "import.finished";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_import_undone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "import.undone";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_key_created: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "key.created";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_key_rotated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "key.rotated";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_key_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "key.updated";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_key_revoked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "key.revoked";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_email_sent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "email.sent";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_email_failed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "email.failed";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_webhook_endpoint_failing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.failing";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_webhook_endpoint_disabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.disabled";
                };
            };
        };
        responses: {
            /** @description Any 2xx: the event was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
