// Migrations: on an empty database, repeated, several at once, and on schemas of other releases.
import { expect } from 'chai';
import { migrate, schemaIsCurrent } from '../../../src/platform/db/migrate.js';
import { makeStores, type Stores } from '../../support/suite.js';

describe('migrate', () => {
  let stores: Stores;
  let fresh: { databaseUrl: string; queueInPostgres: boolean };

  before(async () => {
    stores = await makeStores('postgres');
    await stores.sql('CREATE DATABASE fresh');
    const databaseUrl = Object.assign(new URL(stores.databaseUrl), {
      pathname: '/fresh',
    }).toString();
    fresh = { databaseUrl, queueInPostgres: true };
  });

  it('applies each migration once, even if several run at the same time', async () => {
    expect(await schemaIsCurrent(fresh)).to.equal(false);
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(fresh)));
    expect(applied.filter(names => names.length > 0)).to.have.length(1);
    expect(await schemaIsCurrent(fresh)).to.equal(true);
    expect(await migrate(fresh)).to.deep.equal([]);
  });

  it("needs the queue's schema too if the queue is in Postgres", async () => {
    await stores.sql('CREATE DATABASE with_redis');
    const databaseUrl = Object.assign(new URL(stores.databaseUrl), {
      pathname: '/with_redis',
    }).toString();
    await migrate({ databaseUrl, queueInPostgres: false });
    expect(await schemaIsCurrent({ databaseUrl, queueInPostgres: false })).to.equal(true);
    expect(await schemaIsCurrent({ databaseUrl, queueInPostgres: true })).to.equal(false);
  });

  it('leaves a newer schema unchanged and counts it as current', async () => {
    const options = { databaseUrl: stores.databaseUrl, queueInPostgres: true };
    await stores.sql(`INSERT INTO migrations (name) VALUES ('9999-of-the-next-release.sql')`);
    expect(await migrate(options)).to.deep.equal([]);
    expect(await schemaIsCurrent(options)).to.equal(true);
  });

  it('refuses a schema with migrations that this release does not know', async () => {
    const { databaseUrl } = await makeStores('postgres').then(async other => {
      await other.sql(`INSERT INTO migrations (name) VALUES ('0001-companies.sql')`);
      return other;
    });
    const options = { databaseUrl, queueInPostgres: false };
    for (const work of [migrate(options), schemaIsCurrent(options)]) {
      const error = await work.then(
        () => null,
        (thrown: Error) => thrown.message,
      );
      expect(error).to.match(/^The schema is from a version .* Unknown migration: 0001-companies/u);
    }
  });
});
