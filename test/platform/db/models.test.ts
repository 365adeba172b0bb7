// Models have their own connections, with the limits and the vocabulary of errors that SQL has.
import { expect } from 'chai';
import { companyModel } from '../../../src/companies/model.js';
import {
  closeDatabase,
  type DatabaseOptions,
  openDatabase,
  query,
} from '../../../src/platform/db/connection.js';
import { inModelTransaction, openModels } from '../../../src/platform/db/models.js';
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
      modelsMax: 1,
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
    const Companies = await companyModel();
    const error = await failure(
      inModelTransaction(async transaction => {
        await Companies.create(company, { transaction });
        await Companies.create(company, { transaction });
      }),
    );
    expect([violatedConstraint(error), sqlState(error)]).to.deep.equal(['companies_pkey', '23505']);
    expect(await Companies.findByPk(ID)).to.equal(null);
  });

  it('does not wait for the connections of SQL', async () => {
    open();
    const slow = query('SELECT pg_sleep(2)', []);
    const started = performance.now();
    await (await companyModel()).findByPk(ID);
    expect(performance.now() - started).to.be.below(1_500);
    await slow;
  });

  it('has the time limits of every connection, and may be retried without one', async () => {
    open({ limits: { statementMs: 200 } });
    const sequelize = await openModels();
    const error = await failure(sequelize.query('SELECT pg_sleep(5)'));
    expect([sqlState(error), isTransient(error)]).to.deep.equal(['57014', true]);
    await closeDatabase();
    const url = `postgres://me:secret@127.0.0.1:${await openBlackHole()}/none`;
    open({ url, limits: { connectMs: 200 } });
    const lost = await failure(companyModel().then(Companies => Companies.findByPk(ID)));
    expect([isTransient(lost), typeof connectionFailure(lost)]).to.deep.equal([true, 'string']);
  });

  it('is refused in a process that was opened without models', async () => {
    open({ modelsMax: 0 });
    expect(String(await failure(companyModel()))).to.contain('without connections for models');
  });
});
