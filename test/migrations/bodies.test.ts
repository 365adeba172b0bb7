// 0011: what earlier releases issued reads as before, and an invoice's stored JSON follows what may be corrected in its row.
import { expect } from 'chai';
import type pg from 'pg';
import { migrate } from '../../src/platform/db/migrate.js';
import { CHECKS } from '../../src/verify/checks.js';
import { invoiceRequest, makeCompany } from '../support/factories.js';
import { makeOldDatabase } from '../support/old-schema.js';
import { describeMode, makeStores } from '../support/suite.js';

const COMPANY = '00000000-0000-7000-8000-00000000000c';
/** What the API answered for them: one with the least there is, and one with the most. */
const ISSUED = [
  '{"id":"00000000-0000-7000-8000-000000000001","number":"INV-000001","status":"open","customerName":"Bright","date":"1900-01-01","currency":"USD","items":[{"name":"Pipe","sku":null,"qty":2,"price":1.5,"amount":3,"itemId":null}],"total":3,"reference":null,"createdAt":"2026-11-20T11:12:13.000Z"}',
  '{"id":"00000000-0000-7000-8000-000000000002","number":"2026-1234567","status":"open","customerName":"Zoë \\"Ä\\" \\\\ Sons","date":"2100-12-31","currency":"USD","items":[{"name":"Tab\\there","sku":"P","qty":0.0001,"price":10000,"amount":1,"itemId":"00000000-0000-7000-8000-00000000000f"},{"name":"日本","sku":null,"qty":1,"price":0.105,"amount":0.11,"itemId":null}],"total":1.11,"reference":"PO-1","createdAt":"2026-11-20T23:59:59.999Z"}',
];

describe('the migration that stores whole invoices', () => {
  it('leaves each as it read before, to the last character', async function () {
    this.timeout(60_000);
    const { databaseUrl, client } = await makeOldDatabase(
      await makeStores('postgres'),
      'with_lines',
      '0011',
    );
    try {
      // In another time zone and date style than the product's sessions have.
      await client.query(
        `ALTER DATABASE with_lines SET timezone = 'Asia/Kolkata'; ALTER DATABASE with_lines SET datestyle = 'SQL, DMY'`,
      );
      await client.query('SET session_replication_role = replica');
      await client.query(
        `INSERT INTO companies (id, name, currency, time_zone, next_invoice_number) VALUES ($1, 'Castle', 'USD', 'UTC', 1234568)`,
        [COMPANY],
      );
      for (const body of ISSUED) await insertIssued(client, body);
      await migrate({ databaseUrl, queueInPostgres: false });
      const { rows } = await client.query('SELECT body FROM invoices ORDER BY number');
      expect(rows.map(({ body }) => body)).to.deep.equal(ISSUED);
      const check = CHECKS.find(({ names }) => names.some(name => name.includes('stored JSON')));
      expect((await client.query(check?.sql ?? '')).rows).to.deep.equal([]);
    } finally {
      await client.end();
    }
  });
});

/** As the release before wrote it. */
async function insertIssued(client: pg.Client, body: string): Promise<void> {
  const invoice = JSON.parse(body);
  const [, prefix, number] = /^(\D+|2026-)(\d+)$/u.exec(invoice.number) ?? [];
  await client.query(
    `INSERT INTO invoices (company_id, id, submission_id, number, number_prefix, customer_name, customer_key, date, currency, total, reference, lines, created_at)
     VALUES ($1, $2, $2, $3, $4, $5, 'key', $6, $7, $8, $9, $10, $11)`,
    [
      ...[
        COMPANY,
        invoice.id,
        number,
        prefix,
        invoice.customerName,
        invoice.date,
        invoice.currency,
        invoice.total,
      ],
      // Its own text: JSON.parse and stringify might write a number in another way.
      ...[invoice.reference, /\[.*\]/u.exec(body)?.[0], invoice.createdAt.replace('Z', '4Z')],
    ],
  );
  await client.query(
    `INSERT INTO invoice_lines (company_id, invoice_id, position, item_id, item_key, name, sku, qty, price, amount)
     SELECT $1, $2, position, "itemId", COALESCE("itemId"::text, 'name:key'), name, sku, qty, price, amount
     FROM ROWS FROM (json_to_recordset($3) AS ("itemId" uuid, name text, sku text, qty numeric, price numeric, amount numeric))
       WITH ORDINALITY AS l ("itemId", name, sku, qty, price, amount, position)`,
    [COMPANY, invoice.id, JSON.stringify(invoice.items)],
  );
}

describeMode('postgres', "an issued invoice's JSON", stack => {
  it('says the corrected spelling of its customer and its corrected reference, and else what it said', async () => {
    const company = await makeCompany(stack());
    const { body: invoice } = await company.post('/invoices', invoiceRequest());
    const before = (await company.get(`/invoices/${invoice.id}`)).text;
    const correct = (customerName: string, reference: string | null) =>
      stack().sql('UPDATE invoices SET customer_name = $2, reference = $3 WHERE id = $1', [
        ...[invoice.id, customerName, reference],
      ]);
    await correct('Zoë "Ä" \\ Sons', 'PO-1');
    const after = (await company.get(`/invoices/${invoice.id}`)).text;
    expect(JSON.parse(after)).to.deep.equal({
      ...invoice,
      customerName: 'Zoë "Ä" \\ Sons',
      reference: 'PO-1',
    });
    await correct(invoice.customerName, null);
    expect((await company.get(`/invoices/${invoice.id}`)).text).to.equal(before);
  });
});
