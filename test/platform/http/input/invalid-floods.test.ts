// Large invalid bodies, several at a time: they cost little processor time and do not hold up the
// event loop, so that other companies' requests are answered meanwhile.
import { expect } from 'chai';
import { send } from '../../../support/client.js';
import { makeCompany } from '../../../support/factories.js';
import { describeMode } from '../../../support/suite.js';

/** Requests of one key at a time. */
const REQUESTS = 8;
/** Of one request. 0.02 to 0.1 were measured; checks without bounds took 1.5 to 2.5. */
const MAX_CPU_SECONDS = 0.4;
/** 0.05 to 0.5 were measured, and 2 where twenty processes shared two processors. */
const MAX_LAG_SECONDS = 6;

const line = (fields: object) => ({ name: 'Valve', qty: 1, price: 2, ...fields });
const invoice = (lines: number, made: object) => ({
  customerName: 'Flood',
  date: '2026-11-20',
  items: Array(lines).fill(made),
});
const unknown = (fields: number) =>
  Object.fromEntries(Array.from({ length: fields }, (_, at) => [`k${at}`, 0]));

const FLOODS: readonly (readonly [string, string, unknown])[] = [
  ['25,000 empty lines', '/invoices/batch', { invoices: Array(100).fill(invoice(250, {})) }],
  ['2,500 empty lines', '/invoices/batch', { invoices: Array(100).fill(invoice(25, {})) }],
  [
    '50,000 unknown fields in lines',
    '/invoices/batch',
    { invoices: Array(100).fill(invoice(25, unknown(20))) },
  ],
  [
    'control characters in every name',
    '/invoices/batch',
    { invoices: Array(100).fill(invoice(25, line({ name: `${'x'.repeat(100)}\u0007` }))) },
  ],
  ['170,000 empty lines of an invoice', '/invoices', invoice(170_000, {})],
  ['40,000 unknown fields', '/invoices', unknown(40_000)],
  ['250 lines of unknown fields', '/invoices', invoice(250, unknown(200))],
  [
    '250 lines of wrong discounts and taxes',
    '/invoices',
    invoice(250, line({ taxRate: 5, taxCategory: 'Z', discount: { amount: 5.001 } })),
  ],
  [
    '250 entries of unknown fields',
    '/inventory/adjustments',
    { reason: 'count', items: Array(250).fill(unknown(200)) },
  ],
  [
    '250 invoices of a payment',
    '/payments',
    { amount: 1, date: '2026-11-20', invoices: Array(250).fill(unknown(200)) },
  ],
];

describeMode('postgres', 'a flood of invalid bodies', stack => {
  /** Processor seconds of web so far, and the longest turn of its loop since the last call. */
  const measure = async () => {
    const { text } = await send(stack().baseUrl, 'GET', '/metrics');
    const read = (name: string) => {
      const value = new RegExp(`^${name}\\{[^}]*process="web"[^}]*\\} ([\\d.e-]+)$`, 'mu').exec(
        text,
      );
      if (!value) throw new Error(`no ${name}`);
      return Number(value[1]);
    };
    return {
      cpu: read('process_cpu_seconds_total'),
      lag: read('nodejs_eventloop_lag_max_seconds'),
    };
  };

  for (const [what, path, body] of FLOODS)
    it(`takes little of a web process: ${what}`, async () => {
      const company = await makeCompany(stack());
      const raw = JSON.stringify(body);
      expect(raw.length).to.be.below(512 * 1024);
      const before = await measure();
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, () => company.post(path, null, { raw })),
      );
      const after = await measure();
      for (const { text } of answers) expect(text.length).to.be.below(100_000);
      expect((after.cpu - before.cpu) / REQUESTS).to.be.below(MAX_CPU_SECONDS);
      expect(after.lag).to.be.below(MAX_LAG_SECONDS);
    });
});
