// Models: reads and writes of single records through Sequelize, for settings, people, keys and the
// like, which change rarely. Statements per request, joins and changes of many rows are SQL.
// Sequelize only writes the statements and makes the records. The statements run on the process's
// pool, so they have its limits and can join its transactions.
import { createRequire } from 'node:module';
import pg from 'pg';
import type {
  DataTypes,
  LOCK,
  Model,
  ModelAttributes,
  ModelStatic,
  Sequelize,
  Transaction as SequelizeTransaction,
} from 'sequelize';
import { runAlone, type Transaction } from './connection.js';

/** The lock of a row whose key does not change. Foreign keys to the row do not wait for it. */
export const NO_KEY_UPDATE = 'NO KEY UPDATE' as LOCK;
/** The lock that only lets a row be read or locked the same way until the transaction ends. */
export const SHARE = 'SHARE' as LOCK;

/**
 * Loads Sequelize at the first use of a model: it takes longer to load than everything else in a
 * worker. As CommonJS it needs less CPU time than as an ES module (280 instead of 460 ms).
 */
export const loadSequelize = (): typeof import('sequelize') =>
  createRequire(import.meta.url)('sequelize');

/** A record: a model's instance. */
export type ModelRow<Row extends object> = Model<Row, Partial<Row>> & Row;

let sequelize: Sequelize | undefined;

/** Sequelize for this process. Its statements run on the database that is open at the time. */
export function openModels(): Sequelize {
  sequelize ??= createSequelize();
  return sequelize;
}

function createSequelize(): Sequelize {
  const { Sequelize } = loadSequelize();
  const created = new Sequelize({
    dialect: 'postgres',
    dialectModule: pg,
    logging: false,
    define: { underscored: true, timestamps: false },
  });
  created.connectionManager.getConnection = async options => {
    // BEGIN and the statements after it would each run on another connection of the pool.
    if ('uuid' in options) throw new Error('models join a transaction of inTransaction');
    return connectionOf((text, values) => runAlone(client => client.run(text, values)));
  };
  created.connectionManager.releaseConnection = () => undefined;
  return created;
}

/** The part of the driver's client that Sequelize uses. */
function connectionOf(run: (text: string, values: unknown[]) => Promise<pg.QueryResult>) {
  return {
    query(text: string, ...others: unknown[]): void {
      const callback = others.pop() as (error: unknown, result?: pg.QueryResult) => void;
      run(text, (others[0] ?? []) as unknown[]).then(result => callback(null, result), callback);
    },
  };
}

/** The option that makes a model's call join the transaction, if there is one. */
export function joining(tx: Transaction | undefined) {
  const transaction = tx && { connection: connectionOf((text, values) => tx.run(text, values)) };
  return { transaction: (transaction ?? null) as SequelizeTransaction | null };
}

/**
 * Declares the model of a table. Returns a function that returns the model. `attributes` has
 * snake_case columns under camelCase names.
 */
export function defineModel<Row extends object>(
  tableName: string,
  attributes: (types: typeof DataTypes) => ModelAttributes<Model<Row, Partial<Row>>, Row>,
): () => ModelStatic<ModelRow<Row>> {
  return () => {
    const { models } = openModels();
    if (!models[tableName])
      openModels().define(tableName, attributes(loadSequelize().DataTypes), { tableName });
    return models[tableName] as ModelStatic<ModelRow<Row>>;
  };
}

/** Postgres's now() plus an interval, as a column's value: one clock for all processes. */
export function nowPlus(interval: string): Date {
  return loadSequelize().literal(`now() + interval '${interval}'`) as unknown as Date;
}

/** The condition that a column's time is after Postgres's now(). */
export function afterNow() {
  const { fn, Op } = loadSequelize();
  return { [Op.gt]: fn('now') };
}
