// The texts of statements and receivables, byte by byte, around the rows that Postgres writes.
import { expect } from 'chai';
import { ACTIVITY, OPEN_ITEMS, RECEIVABLES_JSON } from '../../src/receivables/json.js';

const ageing = {
  outstanding: '1000000000000000000000.01',
  current: '0',
  days1To30: '-5',
  days31To60: '0.5',
  days61To90: '0',
  over90: '7',
  unallocated: '3',
  balance: '999',
};
const AGEING_TEXT =
  '{"outstanding":1000000000000000000000.01,"current":0,"days1To30":-5,"days31To60":0.5,' +
  '"days61To90":0,"over90":7,"unallocated":3,"balance":999}';

const id = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e45';
const customer = { id, number: 'C-1', name: 'Bright & "Sons" \\ \n é', keys: ['not shown'] };
const CUSTOMER_TEXT = `{"id":"${id}","number":"C-1","name":"Bright & \\"Sons\\" \\\\ \\n é"}`;
const plain = { id: null, number: null, name: 'Hall' };

const row = '{"id":"x","amount":1.5}';
const days = { from: '2026-01-01', to: '2026-01-31' };

describe('The JSON text', () => {
  it('of an activity has the balances, the lines and the ageing', () => {
    const page = { opening: '-1.5', entries: `${row},${row}`, closing: '2', ageing };
    expect(
      ACTIVITY.json({ type: 'activity', customer, currency: 'EUR', ...days, ...page }),
    ).to.equal(
      `{"type":"activity","customer":${CUSTOMER_TEXT},"currency":"EUR","from":"2026-01-01",` +
        `"to":"2026-01-31","opening":-1.5,"entries":[${row},${row}],"closing":2,` +
        `"ageing":${AGEING_TEXT}}`,
    );
  });

  it('of an activity of a name without a record, and without lines', () => {
    const page = { opening: '0', entries: '', closing: '0', ageing };
    expect(
      ACTIVITY.json({ type: 'activity', customer: plain, currency: 'EUR', ...days, ...page }),
    ).to.equal(
      '{"type":"activity","customer":{"id":null,"number":null,"name":"Hall"},"currency":"EUR",' +
        '"from":"2026-01-01","to":"2026-01-31","opening":0,"entries":[],"closing":0,' +
        `"ageing":${AGEING_TEXT}}`,
    );
  });

  it('of open items has the invoices, the credits and the ageing', () => {
    const items = { invoices: row, credits: '', ageing };
    expect(
      OPEN_ITEMS.json({ type: 'open', customer, currency: 'EUR', asOf: days.to, ...items }),
    ).to.equal(
      `{"type":"open","customer":${CUSTOMER_TEXT},"currency":"EUR","asOf":"2026-01-31",` +
        `"invoices":[${row}],"credits":[],"ageing":${AGEING_TEXT}}`,
    );
  });

  it('of receivables has the totals and the customers', () => {
    const page = { asOf: days.to, totals: ageing, customers: row };
    expect(RECEIVABLES_JSON.json({ basis: 'dueDate', currency: 'EUR', ...page })).to.equal(
      '{"asOf":"2026-01-31","basis":"dueDate","currency":"EUR",' +
        `"totals":${AGEING_TEXT},"customers":[${row}]}`,
    );
  });
});
