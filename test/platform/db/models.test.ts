// Models run on the connections of SQL: in its transactions, with its limits and kinds of errors.
import { expect } from 'chai';
import { companyModel } from '../../../src/companies/model.js';
import {
  closeDatabase,
  type DatabaseOptions,
  inTransaction,
  openDatabase,
  query,
} from '../../../src/platform/db/connection.js';
import { joining, openModels } from '../../../src/platform/db/models.js';
import {
  connectionFailure,
  isTransient,
  sqlState,
  violatedConstraint,
} from '../../../src/platform/postgres-errors.js';
import { openBlackHole } from '../../support/proxy.js';
import { makeStores, type Stores } from '../../support/suite.js';

const ID = '01900000-0000-7000-8000-000000000001';

describe('a model', () => {
  let stores: Stores;

  before(async () => {
    stores = await makeStores('postgres');
  });
  afterEach(closeDatabase);

  const open = (options: Partial<DatabaseOptions> = {}) =>
    openDatabase({
      url: stores.databaseUrl,
      poolMax: 1,
      name: 'test-models',
      ...options,
    });
  const company = { id: ID, name: 'N', currency: 'USD', timeZone: 'UTC' };
  const failure = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => new Error('nothing failed'),
      error => error,
    );

  it('rolls back with its transaction, whose failure names the constraint', async () => {
    open();
    const Companies = companyModel();
    const error = await failure(
      inTransaction(async tx => {
        await Companies.create(company, joining(tx));
        await Companies.create(company, joining(tx));
      }),
    );
    expect([violatedConstraint(error), sqlState(error)]).to.deep.equal(['companies_pkey', '23505']);
    expect(await Companies.findByPk(ID)).to.equal(null);
  });

  it('sees what SQL wrote in the same transaction, also with one connection', async () => {
    open();
    const rename = `UPDATE companies SET name = 'SQL' WHERE id = $1`;
    let names: unknown[] = [];
    const undone = inTransaction(async tx => {
      await companyModel().create(company, joining(tx));
      await query(rename, [ID], tx);
      const found = await companyModel().findByPk(ID, joining(tx));
      names = [found?.name, found?.currency, found?.nextInvoiceNumber];
      throw new Error('undo');
    });
    expect(String(await failure(undone))).to.equal('Error: undo');
    expect(names).to.deep.equal(['SQL', 'USD', '1']);
    expect(await companyModel().findByPk(ID)).to.equal(null);
  });

  it('refuses a statement of a transaction that has ended', async () => {
    open();
    const ended = await inTransaction(async tx => tx);
    const late = failure(companyModel().create(company, joining(ended)));
    expect(String(await late)).to.contain('the transaction has ended');
  });

  it("refuses Sequelize's own transactions, whose statements would run apart", async () => {
    open();
    const transaction = failure(openModels().transaction(async () => undefined));
    expect(String(await transaction)).to.contain('inTransaction');
  });

  it('has the time limits of every connection, and may be retried without one', async () => {
    open({ limits: { statementMs: 200 } });
    const error = await failure(openModels().query('SELECT pg_sleep(5)'));
    expect([sqlState(error), isTransient(error)]).to.deep.equal(['57014', true]);
    await closeDatabase();
    const url = `postgres://me:secret@127.0.0.1:${await openBlackHole()}/none`;
    open({ url, limits: { connectMs: 200 } });
    const lost = await failure(companyModel().findByPk(ID));
    expect([isTransient(lost), typeof connectionFailure(lost)]).to.deep.equal([true, 'string']);
  });
});
