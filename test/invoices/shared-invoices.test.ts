// New invoices that the rollups and the audit read once for all of them.
import { expect } from 'chai';
import { type NewInvoice, readNewInvoices } from '../../src/invoices/issued/new-invoices.js';
import { SharedInvoices } from '../../src/invoices/issued/shared-invoices.js';
import {
  closeDatabase,
  inTransaction,
  type Transaction,
} from '../../src/platform/db/connection.js';
import type { RowRange } from '../../src/rollups/progress.js';
import { refreshSummaries } from '../../src/summary/refresh.js';
import { checkDocuments } from '../../src/verify/audit-documents.js';
import { makeCompany } from '../support/factories.js';
import { addInvoices } from '../support/many-rows.js';
import { makeStores, openForTests } from '../support/suite.js';

const MIB = 1024 * 1024;
const TX = undefined as unknown as Transaction;

/** Invoices with bodies of this length, and the ranges that were read from the tables. */
function makeShared(length = 2, consumers = 2) {
  const asked: string[] = [];
  let now = 0;
  const read = async (ranges: readonly RowRange[]) => {
    const filled = ranges.filter(({ above, upTo }) => upTo > above);
    asked.push(...filled.map(({ companyId, above, upTo }) => `${companyId} ${above}-${upTo}`));
    const invoices = filled.flatMap(({ companyId, above, upTo }) =>
      Array.from(
        { length: Number(upTo - above) },
        (_, index) =>
          ({
            companyId,
            number: String(above + BigInt(index) + 1n),
            body: 'x'.repeat(length),
          }) as NewInvoice,
      ),
    );
    return { invoices, read: [...ranges] };
  };
  const shared = new SharedInvoices(read, () => now);
  const [readShared] = Array.from({ length: consumers }, () => shared.consumer());
  if (!readShared) throw new Error('there is no consumer');
  return {
    shared,
    /** The invoices of the ranges, as "company number", and what the tables were asked for. */
    take: async (
      ...ranges: readonly (readonly [companyId: string, above: number, upTo: number])[]
    ) => {
      asked.length = 0;
      const { invoices, read: done } = await readShared(
        ranges.map(([companyId, above, upTo]) => ({
          companyId,
          above: BigInt(above),
          upTo: BigInt(upTo),
        })),
        TX,
      );
      expect(
        done.map(({ companyId, above, upTo }) => [companyId, Number(above), Number(upTo)]),
      ).to.deep.equal(ranges);
      return {
        invoices: invoices.map(({ companyId, number }) => `${companyId}${number}`).join(' '),
        asked: asked.join(', '),
      };
    },
    wait: (ms: number) => {
      now += ms;
    },
  };
}

describe('new invoices that two consumers share', () => {
  it('are read from the tables by the first one alone', async () => {
    const { take, shared } = makeShared();
    const all = 'a1 a2 b1';
    expect(await take(['a', 0, 2], ['b', 0, 1])).to.deep.equal({
      invoices: all,
      asked: 'a 0-2, b 0-1',
    });
    expect(await take(['a', 0, 2], ['b', 0, 1])).to.deep.equal({ invoices: all, asked: '' });
    expect(shared.bytes).to.equal(0);
  });

  it('are read from the tables once for any number of consumers', async () => {
    const { take, shared } = makeShared(2, 3);
    await take(['a', 0, 2]);
    expect(await take(['a', 0, 1])).to.deep.equal({ invoices: 'a1', asked: '' });
    expect(await take(['a', 0, 2])).to.deep.equal({ invoices: 'a1 a2', asked: '' });
    expect(shared.bytes).to.equal(2);
    expect(await take(['a', 1, 2])).to.deep.equal({ invoices: 'a2', asked: '' });
    expect(shared.bytes).to.equal(0);
  });

  it('come in order if one has read less than the other needs', async () => {
    const { take } = makeShared();
    await take(['a', 0, 2], ['b', 0, 1]);
    expect(await take(['a', 0, 3], ['b', 0, 1], ['c', 0, 1])).to.deep.equal({
      invoices: 'a1 a2 a3 b1 c1',
      asked: 'a 2-3, c 0-1',
    });
    expect(await take(['a', 2, 3], ['c', 0, 1])).to.deep.equal({ invoices: 'a3 c1', asked: '' });
  });

  it('are complete for a consumer that failed and for one that is ahead', async () => {
    const { take } = makeShared();
    for (let tries = 0; tries < 3; tries += 1)
      expect((await take(['a', 0, 2])).invoices).to.equal('a1 a2');
    expect((await take(['a', 1, 4])).invoices).to.equal('a2 a3 a4');
    expect((await take(['a', 0, 2])).invoices).to.equal('a1 a2');
  });

  it('take at most 4 MiB of JSON', async () => {
    const { take, shared } = makeShared(MIB);
    expect((await take(['a', 0, 6])).invoices).to.equal('a1 a2 a3 a4 a5 a6');
    expect(shared.bytes).to.equal(4 * MIB);
    expect(await take(['a', 0, 6])).to.deep.equal({
      invoices: 'a1 a2 a3 a4 a5 a6',
      asked: 'a 4-6',
    });
  });

  it('are dropped if the other consumer has not come for them in 5 seconds', async () => {
    const { take, shared, wait } = makeShared();
    await take(['a', 0, 2]);
    wait(3_000);
    await take(['b', 0, 1]);
    wait(3_000);
    expect((await take(['b', 0, 1])).asked).to.equal('');
    expect(shared.bytes).to.equal(0);
  });

  it('are read and parsed once for the rollup and the audit', async () => {
    const stores = await makeStores('postgres');
    openForTests(stores.databaseUrl, 1);
    try {
      const company = await makeCompany({ ...stores, baseUrl: '' });
      await addInvoices(stores, company, 20);
      let fromTables = 0;
      const shared = new SharedInvoices(async (ranges, tx) => {
        const result = await readNewInvoices(ranges, tx);
        fromTables += result.invoices.length;
        return result;
      });
      const readBySummary = shared.consumer();
      const readByAudit = shared.consumer();
      const ids = [company.companyId];
      await refreshSummaries(ids, readBySummary, new AbortController().signal);
      const { found, left } = await inTransaction(tx => checkDocuments(ids, tx, readByAudit));
      expect(fromTables).to.equal(20);
      expect(left).to.deep.equal([]);
      // Their JSON has spaces, and they have no match keys.
      expect(new Set(found.map(({ invoiceId }) => invoiceId)).size).to.equal(20);
      const progress = await stores.sql(
        `SELECT s.watermark, a.number FROM summaries s JOIN audits a USING (company_id)`,
      );
      expect(progress).to.deep.equal([{ watermark: '20', number: '20' }]);
    } finally {
      await closeDatabase();
    }
  });
});
