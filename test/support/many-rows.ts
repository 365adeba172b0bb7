// Companies with more rows than a test could create through the API.
import type { TestCompany } from './factories.js';
import type { Stack } from './suite.js';

/**
 * Adds invoices of 100 customers, or of `customers`, over 2,000 days up to 2026-11-20, newest
 * number first. The customer and the reference of each end with `text`. The first customer is
 * Customer 0. `total` is SQL, which may read the number.
 */
export async function addInvoices(
  stack: Pick<Stack, 'sql'>,
  { companyId }: TestCompany,
  count: number,
  text = '',
  customers = 100,
  total = '18.5',
): Promise<void> {
  await stack.sql(
    `WITH company AS (
       UPDATE companies
       SET next_invoice_number = next_invoice_number + $2
       WHERE id = $1
       RETURNING id, next_invoice_number - $2 AS first
     )
     INSERT INTO invoices (
       company_id, id, submission_id, number, number_prefix, customer_name, customer_key, date,
       currency, total, reference, body, created_at
     )
     SELECT company.id, made.id, made.id, number, 'INV-', customer, lower(customer), date,
       'USD', total, reference,
       replace(json_build_object(
         'id', made.id, 'number', 'INV-' || lpad(number::text, 6, '0'), 'status', 'open',
         'customerName', customer, 'date', date, 'currency', 'USD',
         'items', json_build_array(json_build_object(
           'name', 'Delivery', 'sku', null, 'qty', 1, 'price', total, 'amount', total,
           'itemId', null)),
         'total', total, 'reference', reference, 'createdAt', '2026-11-20T00:00:00.000Z',
         'dueDate', null, 'orderReference', null, 'deliveryDate', null, 'note', null,
         'discount', null, 'subtotal', total, 'taxTotal', 0, 'taxes', json_build_array(),
         'amountPaid', 0, 'amountCredited', 0, 'amountDue', total, 'settledOn', null
       )::text, '" : ', '":'),
       '2026-11-20T00:00:00Z'
     FROM company,
       generate_series(0, $2::int - 1) AS step,
       LATERAL (
         SELECT gen_random_uuid() AS id,
           company.first + step AS number,
           'Customer ' || step % $4::int || $3::text AS customer,
           'PO-' || step || $3::text AS reference,
           date '2026-11-20' - step % 2000 AS date
       ) made,
       LATERAL (SELECT ${total} AS total) priced`,
    [companyId, count, text, customers],
  );
}

/** Adds movements of one unit each to an item that has none of these yet. */
export async function addMovements(
  stack: Pick<Stack, 'sql'>,
  { companyId }: TestCompany,
  itemId: string,
  count: number,
): Promise<void> {
  await stack.sql(
    `WITH source AS (
       SELECT company_id, item_id, adjustment_id, on_hand_after
       FROM movements
       WHERE company_id = $1 AND item_id = $2
       ORDER BY id DESC
       LIMIT 1
     ), item AS (
       UPDATE items SET on_hand = on_hand + $3 WHERE company_id = $1 AND id = $2
     )
     INSERT INTO movements
       (company_id, item_id, delta, on_hand_after, kind, adjustment_id, created_at)
     SELECT company_id, item_id, 1, on_hand_after + step, 'received', adjustment_id,
       now() - interval '1 minute' * ($3::int - step)
     FROM source, generate_series(1, $3::int) AS step`,
    [companyId, itemId, count],
  );
}

/**
 * Adds payments that no invoice has got to a company without entries. `amount` is SQL, which may
 * read the sequence.
 */
export async function addPayments(
  stack: Pick<Stack, 'sql'>,
  { companyId }: TestCompany,
  count: number,
  amount = '1',
): Promise<void> {
  await stack.sql(
    `WITH company AS (
       UPDATE companies SET next_entry_sequence = $2::int + 1 WHERE id = $1
     )
     INSERT INTO entries (
       company_id, id, submission_id, sequence, type, date, effective_date, currency,
       customer_name, customer_key, amount, unallocated, body, created_at
     )
     SELECT $1, id, id, sequence, 'payment', '2026-11-20', '2026-11-20', 'USD',
       'Ada', 'ada', amount, amount,
       replace(replace(json_build_object(
         'id', id, 'amount', amount, 'date', '2026-11-20', 'currency', 'USD', 'customerName', 'Ada',
         'method', null, 'reference', null, 'externalId', null, 'note', null,
         'status', 'recorded', 'allocations', json_build_array(), 'refunded', 0,
         'unallocated', amount, 'createdAt', '2026-11-20T00:00:00.000Z'
       )::text, '" : ', '":'), ', "', ',"'),
       '2026-11-20T00:00:00Z'
     FROM (SELECT gen_random_uuid() AS id, generate_series(1, $2::int) AS sequence) made,
       LATERAL (SELECT ${amount} AS amount) paid`,
    [companyId, count],
  );
}
