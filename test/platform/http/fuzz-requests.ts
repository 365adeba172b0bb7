// The requests of the fuzz test: valid ones with odd values, and bytes that are not a body at all.
import fc from 'fast-check';
import { anyText } from '../../support/any-text.js';
import { invoiceRequest } from '../../support/factories.js';

export interface Spec {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | undefined;
}

const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  0.1 + 0.2,
  1e-7,
  1e21,
  2 ** 53 + 1,
  5e-324,
  0.0001,
  1.00005,
  1e9,
  999999999.9999,
);
const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000',
    '\ud800',
    '\u202eabc',
    '\ufeff',
    '\ufffd',
    '\u2028',
    'x'.repeat(256),
  ),
  fc.constantFrom(
    '🧾',
    'é',
    'e\u0301',
    'ﬁ',
    '2026-02-30',
    '2026-13-01',
    '2026-11-20T00:00:00Z',
    '1e3',
    'NaN',
    "' OR 1=1 --",
  ),
  anyText({ maxLength: 300 }),
);
const odd = fc.oneof(
  oddNumber,
  oddText,
  fc.constantFrom(null, true, false, [], {}, [[]], { __proto__: null }),
  fc.jsonValue(),
);

/** A valid body in which some fields have other values or some are added. */
function mutated(
  fields: readonly string[],
  base: (changes: Record<string, unknown>) => object,
): fc.Arbitrary<string> {
  const name = fc.oneof(
    fc.constantFrom(...fields),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'id', ''),
  );
  return fc.dictionary(name, odd, { maxKeys: 3 }).map(changes => JSON.stringify(base(changes)));
}

const invoiceBody = fc.oneof(
  mutated(
    [
      ...['customerName', 'date', 'items', 'reference', 'dueDate', 'orderReference'],
      ...['deliveryDate', 'note', 'discount', 'taxReason'],
    ],
    changes => invoiceRequest(changes),
  ),
  mutated(['name', 'qty', 'price', 'sku', 'discount', 'taxRate', 'taxCategory'], changes =>
    invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 2, ...changes }] }),
  ),
  mutated(['percent', 'amount', 'reason'], discount =>
    invoiceRequest({ discount, items: [{ name: 'Pipe', qty: 1, price: 2, discount, taxRate: 5 }] }),
  ),
);
export const BATCH_PATH = '/invoices/batch';
const batchBody = fc.oneof(
  fc.array(invoiceBody, { maxLength: 5 }).map(invoices => `{"invoices":[${invoices.join()}]}`),
  mutated(['invoices'], changes => ({ invoices: [invoiceRequest()], ...changes })),
);
const adjustmentBody = fc.oneof(
  mutated(['reason', 'reference', 'note', 'items'], changes => ({
    reason: 'received',
    items: [{ name: 'Pipe', delta: 1 }],
    ...changes,
  })),
  mutated(
    [
      'name',
      'sku',
      'itemId',
      'delta',
      'count',
      'expectedOnHand',
      'reorderPoint',
      'unitCost',
      'unitPrice',
      'unit',
    ],
    changes => ({ reason: 'count', items: [{ name: 'Pipe', count: 1_000, ...changes }] }),
  ),
);
const rawBody = fc.oneof(
  fc.json(),
  anyText(),
  fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
  fc.constantFrom(
    '1e400',
    '[-1e400]',
    '{"a":1,"a":2}',
    '\ufeff{}',
    '['.repeat(5_000),
    '{"items":'.repeat(40),
    'NaN',
    '"\\ud800"',
  ),
  fc.constant(`{"items":[${'{},'.repeat(2_000)}{}]}`),
);

const queryName = fc.constantFrom(
  'limit',
  'cursor',
  'from',
  'to',
  'customerName',
  'reference',
  'number',
  'status',
  'overdue',
  'dueTo',
  'low',
  'sku',
  'name',
  'x',
  '',
);
const queryValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '1.5',
    '201',
    '99999999999999999999',
    'true',
    '2026-11-20',
    '%',
    '%zz',
    '%00',
    '%ff',
    '%F0%9F%A7%BE',
  ),
  fc.constantFrom('AAAAAAAAAAAAAAAAAAAA', 'W10', '1&limit=2', 'a=b=c', '+', ';'),
  anyText({ maxLength: 50 }).map(encodeURIComponent),
);
const query = fc
  .array(fc.tuple(queryName, queryValue), { maxLength: 3 })
  .map(pairs => (pairs.length === 0 ? '' : `?${pairs.map(pair => pair.join('=')).join('&')}`));

const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('/summary', '/invoices', '/inventory', '/inventory/adjustments'),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('/invoices/', '/jobs/'),
        fc.oneof(
          fc.uuid(),
          fc.constantFrom('', '%00', '%zz', '..', 'null', '%2e%2e%2f', 'x'.repeat(3_000)),
        ),
      )
      .map(parts => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '/', '//', '/%ff', '/invoices//', '/Invoices', '/summary;a=b'),
  },
);

const headerValue = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)),
    maxLength: 40,
  }),
  fc.string({
    unit: fc.integer({ min: 0xa0, max: 0xff }).map(code => String.fromCharCode(code)),
    maxLength: 10,
  }),
);
const headers = fc.record(
  {
    accept: fc.oneof(
      fc.constantFrom(
        '*/*',
        'application/json',
        'text/html',
        'application/*;q=0',
        ',,;',
        'a/b;q=x',
      ),
      headerValue,
    ),
    'accept-encoding': fc.oneof(
      fc.constantFrom('br', 'gzip;q=0.5', '*;q=0', 'br;q=9'),
      headerValue,
    ),
    'content-type': fc.oneof(
      fc.constantFrom(
        'application/json',
        'application/json',
        'application/json;charset=utf-16',
        'text/plain',
        'json',
      ),
      headerValue,
    ),
    'content-encoding': fc.constantFrom('gzip', 'identity', ''),
    prefer: fc.oneof(
      fc.constantFrom(
        'respond-async',
        'wait=0',
        'wait=1',
        'wait=-1',
        'wait=x, respond-async;a="b,c"',
      ),
      headerValue,
    ),
    'idempotency-key': fc.oneof(
      fc.constantFrom('one', 'two', '', 'a b', 'x'.repeat(256)),
      headerValue,
    ),
    'if-none-match': fc.oneof(fc.constantFrom('*', '"', 'W/"a"', '"a","b'), headerValue),
    'x-request-id': headerValue,
    'x-forwarded-proto': headerValue,
    'x-forwarded-host': headerValue,
    authorization: headerValue,
    'x-api-key': fc.oneof(fc.constantFrom('', 'tpk_wrong'), headerValue),
    cookie: headerValue,
    range: fc.constant('bytes=0-1'),
  },
  { requiredKeys: [] },
);

/** Any request below /api/external. */
export const anyRequest: fc.Arbitrary<Spec> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      method: fc.constantFrom(
        'GET',
        'GET',
        'HEAD',
        'OPTIONS',
        'PUT',
        'PATCH',
        'DELETE',
        'POST',
        'TRACE',
        'PROPFIND',
      ),
      path: fc.tuple(path, query).map(parts => parts.join('')),
      headers,
      body: fc.option(rawBody, { nil: undefined, freq: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: writeSpec(
      '/invoices',
      fc.oneof({ weight: 3, arbitrary: invoiceBody }, { weight: 1, arbitrary: rawBody }),
    ),
  },
  { weight: 1, arbitrary: writeSpec(BATCH_PATH, batchBody) },
  {
    weight: 2,
    arbitrary: writeSpec(
      '/inventory/adjustments',
      fc.oneof({ weight: 3, arbitrary: adjustmentBody }, { weight: 1, arbitrary: rawBody }),
    ),
  },
);

/** Items at the limits of stock. */
export const LOW = 'Low';
export const HIGH = 'High';
export const MAX_DELTA = 1_000_000_000;

const extremeQuantity = fc.constantFrom(
  ...[MAX_DELTA, MAX_DELTA - 0.0001, 0.0001, 0, -0.0001, -MAX_DELTA],
);
const extremeEntry = fc.record({
  name: fc.constantFrom(LOW, HIGH, 'Pipe'),
  quantity: extremeQuantity,
  isCount: fc.boolean(),
});

/** Adjustments, to be done later, that move stock from a limit to another value, or beyond. */
export const extremeAdjustment: fc.Arbitrary<Spec> = fc
  .array(extremeEntry, { minLength: 1, maxLength: 3 })
  .map(entries => ({
    method: 'POST',
    path: '/inventory/adjustments',
    headers: { prefer: 'respond-async' },
    body: JSON.stringify({
      reason: 'count',
      items: entries.map(({ name, quantity, isCount }) =>
        isCount ? { name, count: quantity } : { name, delta: quantity },
      ),
    }),
  }));

function writeSpec(to: string, body: fc.Arbitrary<string | Buffer>): fc.Arbitrary<Spec> {
  const plain = fc.record(
    { prefer: fc.constantFrom('wait=5', 'wait=10', 'respond-async') },
    { requiredKeys: [] },
  );
  return fc.record({
    method: fc.constant('POST'),
    path: fc.constant(to),
    headers: fc.oneof(
      { weight: 3, arbitrary: plain },
      { weight: 1, arbitrary: headers },
    ) as fc.Arbitrary<Record<string, string>>,
    body,
  });
}
