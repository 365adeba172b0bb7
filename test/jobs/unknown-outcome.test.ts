// The 503 of a write that could not be stored in time says whether it may still be carried out.
import { expect } from 'chai';
import pg from 'pg';
import { MAY_BE_CARRIED_OUT, NOT_ACCEPTED } from '../../src/platform/errors.js';
import type { Json } from '../support/client.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { MODES, makeStores, type Stores, startForTests } from '../support/suite.js';

for (const mode of MODES)
  describe(`a write that cannot be stored in time (queue in ${mode})`, () => {
    let stores: Stores;
    let company: TestCompany;
    let holder: pg.Client;

    before(async () => {
      stores = await makeStores(mode);
      const web = await startForTests('web', stores.env);
      company = await makeCompany({ ...stores, baseUrl: `http://127.0.0.1:${web.port}` });
      holder = new pg.Client({ connectionString: stores.databaseUrl });
      await holder.connect();
      // Reads of jobs go on.
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE jobs IN EXCLUSIVE MODE');
    });
    after(() => holder.end());

    const post = (path: string, reference: string, prefer: string) => {
      const request = invoiceRequest({ reference });
      const body = path === '/invoices' ? request : { invoices: [request, request] };
      return company.post(path, body, { headers: { prefer } });
    };

    it('tells that a queued write may be carried out, and another is not accepted', async () => {
      const answers = await Promise.all([
        post('/invoices', 'waited', 'wait=2'),
        post('/invoices/batch', 'batch', 'wait=2'),
        post('/invoices', 'async', 'respond-async'),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([503, 503, 503]);
      const [waited, batch, async] = answers.map(({ body }) => body.detail as string);
      expect(waited).to.contain(MAY_BE_CARRIED_OUT).and.not.contain('not accepted');
      expect(batch).to.contain(MAY_BE_CARRIED_OUT).and.not.contain('not accepted');
      expect(async).to.contain(NOT_ACCEPTED).and.not.contain('may still');
      await holder.query('ROLLBACK');
      await startForTests('worker', stores.env);
      const references = async () =>
        (await company.get('/invoices')).body.map(({ reference }: Json) => reference).sort();
      await until(
        'the queued writes are carried out',
        async () => (await references()).length >= 3,
      );
      expect(await references()).to.deep.equal(['batch', 'batch', 'waited']);
    });
  });
