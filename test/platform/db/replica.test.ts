// Two web processes with a real streaming replica. It answers reads, and a client always sees its
// own writes, however far the replica is behind, or without it.
import { expect } from 'chai';
import { send } from '../../support/client.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../../support/factories.js';
import { pay } from '../../support/ledger.js';
import { type RunningProcess, until } from '../../support/processes.js';
import { type Standby, startStandby } from '../../support/standby.js';
import { makeStores, type Stores, startForTests, startPostgres } from '../../support/suite.js';

const API = '/api/external';

describe('a read replica', () => {
  let stores: Stores;
  let standby: Standby;
  let webs: RunningProcess[];
  let urls: string[];

  before(async () => {
    const { url, dataDir } = await startPostgres();
    stores = await makeStores('postgres', url);
    standby = await startStandby(stores.databaseUrl, dataDir);
    const env = { ...stores.env, DATABASE_REPLICA_URL: standby.url };
    const [first, second] = await Promise.all([
      startForTests('web', env),
      startForTests('web', env),
      startForTests('worker', stores.env),
    ]);
    webs = [first, second];
    urls = webs.map(({ port }) => `http://127.0.0.1:${port}`);
  });

  const make = () => makeCompany({ ...stores, baseUrl: urls[0] as string });
  const read = (at: number, company: TestCompany, path: string) =>
    send(urls[at % 2] as string, 'GET', `${API}${path}`, { key: company.key });
  const create = (company: TestCompany) =>
    company.post('/invoices', invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] }));
  const reads = async (at: number, outcome: string) => {
    const { text } = await send(urls[at % 2] as string, 'GET', '/metrics');
    return Number(
      new RegExp(`replica_reads_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\d+)`, 'u').exec(
        text,
      )?.[1] ?? 0,
    );
  };

  /** Writes one invoice after the other; both processes show each at once, in lists and alone. */
  const expectOwnWrites = async (company: TestCompany, count: number) => {
    for (let at = 0; at < count; at += 1) {
      const { status, body } = await create(company);
      expect(status).to.equal(201);
      const [invoices, stock, invoice] = await Promise.all([
        read(at, company, '/invoices?limit=1'),
        read(at + 1, company, '/inventory'),
        read(at + 1, company, `/invoices/${body.id}`),
      ]);
      expect(invoices.body.map(({ id }: { id: string }) => id)).to.deep.equal([body.id]);
      expect(stock.body.map(({ onHand }: { onHand: number }) => onHand)).to.deep.equal([99 - at]);
      expect(invoice.body).to.deep.equal(body);
    }
  };

  it('answers lists and single invoices once it has the company’s last write', async () => {
    const [none, company] = [await make(), await make()];
    await receive(company, { name: 'Pipe', delta: 10 });
    const { body } = await create(company);
    const before = await reads(0, 'answered');
    await until('the replica has caught up', async () => {
      await read(0, company, '/inventory');
      return (await reads(0, 'answered')) > before;
    });
    await standby.sql('SELECT pg_wal_replay_pause()');
    try {
      // Changed without the counters, so only a read on the replica still shows the old unit.
      await stores.sql(`UPDATE items SET unit = 'km' WHERE company_id = $1`, [company.companyId]);
      for (const at of [0, 1])
        expect((await read(at, company, '/inventory')).body[0].unit).to.equal(null);
      for (const at of [0, 1])
        expect((await read(at, company, '/invoices')).body).to.deep.equal([body]);
      const answered = await reads(0, 'answered');
      expect((await read(0, none, '/invoices')).body).to.deep.equal([]);
      expect(await reads(0, 'answered'), 'an empty list is an answer').to.equal(answered + 1);
      const { status } = await read(1, company, `/invoices/${company.companyId}`);
      expect(status, 'a row missing on the replica is read from the primary').to.equal(404);
    } finally {
      await standby.sql('SELECT pg_wal_replay_resume()');
    }
  });

  const makeTrader = async () => {
    const company = await make();
    await receive(company, { name: 'Pipe', delta: 100 });
    return company;
  };

  it('is not used while it is far behind: every company sees its own writes', async () => {
    const [seller, buyer] = [await makeTrader(), await makeTrader()];
    // It has both companies, but not what they write from now on.
    await until('the replica has both', async () => {
      const rows = await standby.sql(
        `SELECT FROM companies
         WHERE id IN ('${seller.companyId}', '${buyer.companyId}') AND stock_version = 1`,
      );
      return rows.length === 2;
    });
    await standby.sql('SELECT pg_wal_replay_pause()');
    const before = await reads(0, 'behind');
    try {
      await expectOwnWrites(seller, 4);
      await receive(buyer, { name: 'Pipe', delta: 7 });
      for (const at of [0, 1])
        expect((await read(at, buyer, '/inventory')).body[0].onHand).to.equal(107);
    } finally {
      await standby.sql('SELECT pg_wal_replay_resume()');
    }
    expect(await reads(0, 'behind')).to.be.above(before);
  });

  it('is not asked for an invoice that an entry changed until it has that entry', async () => {
    const company = await makeTrader();
    const { body } = await create(company);
    const path = `/invoices/${body.id}`;
    await until('the replica has the invoice', async () => {
      const rows = await standby.sql(`SELECT FROM invoices WHERE id = '${body.id}'`);
      return rows.length === 1;
    });
    await standby.sql('SELECT pg_wal_replay_pause()');
    try {
      expect((await read(0, company, path)).body.amountPaid).to.equal(0);
      await pay(company, 0.25, [body]);
      for (const at of [0, 1]) {
        expect((await read(at, company, path)).body.amountPaid).to.equal(0.25);
        expect((await read(at, company, '/invoices')).body[0].amountDue).to.equal(0.75);
      }
    } finally {
      await standby.sql('SELECT pg_wal_replay_resume()');
    }
    for (const paid of [0.35, 0.45, 0.55, 0.65]) {
      await pay(company, 0.1, [body]);
      for (const at of [0, 1])
        expect((await read(at, company, path)).body.amountPaid).to.equal(paid);
    }
  });

  it('shows a company its own writes while it streams', async () => {
    const companies = await Promise.all([makeTrader(), makeTrader(), makeTrader()]);
    await Promise.all(companies.map(company => expectOwnWrites(company, 6)));
  });

  it('leaves the reads to the primary when it is gone', async () => {
    await standby.stop();
    await expectOwnWrites(await makeTrader(), 3);
    expect(await reads(0, 'unavailable')).to.be.above(0);
    expect(webs[0]?.output()).to.include('the replica is unavailable');
    const ready = await send(urls[0] as string, 'GET', '/readyz');
    expect(ready.body.status).to.equal('ready');
  });
});
