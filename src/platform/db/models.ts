// Models: reads and writes of single records through Sequelize, for settings, people, keys and the
// like, which change rarely. What runs per request or over many rows is SQL through `query`.
// Sequelize is loaded on first use, since that takes longer than all else that a worker loads, and
// has its own small pool. A transaction is either all models (`inModelTransaction`) or all SQL.
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import pg from 'pg';
import type {
  DataTypes,
  Model,
  ModelAttributes,
  ModelStatic,
  Sequelize,
  Transaction,
} from 'sequelize';
import { LossTolerantClient } from './client.js';
import { database } from './connection.js';
import { clientLimits, KEEP_ALIVE_AFTER_MS, SET_LOCALLY, sessionLimits } from './limits.js';

const IDLE_TIMEOUT_MS = 30_000;

/** Loads Sequelize as CommonJS, which takes less CPU time than its ES module (280 not 460 ms). */
export const loadSequelize = (): typeof import('sequelize') =>
  createRequire(import.meta.url)('sequelize');

export type ModelTransaction = Transaction;

/** A record: a model's instance. */
export type ModelRecord<Row extends object> = Model<Row, Partial<Row>> & Row;

let loaded: { readonly pool: pg.Pool; readonly sequelize: Promise<Sequelize> } | undefined;

/** Connects Sequelize to the open database, at the first use of a model. */
export function openModels(): Promise<Sequelize> {
  const { pool } = database();
  if (loaded?.pool !== pool) loaded = { pool, sequelize: createSequelize() };
  return loaded.sequelize;
}

async function createSequelize(): Promise<Sequelize> {
  const { options, limits, releases } = database();
  const { url, name, modelsMax = 0, pooled } = options;
  if (modelsMax === 0) throw new Error('the database was opened without connections for models');
  const { Sequelize } = loadSequelize();
  const sequelize = new Sequelize(url, {
    dialect: 'postgres',
    dialectModule: { ...pg, Client: LossTolerantClient },
    logging: false,
    pool: { max: modelsMax, min: 0, acquire: limits.connectMs, idle: IDLE_TIMEOUT_MS },
    // A SET of client_min_messages would stay behind in a pooler's session.
    dialectOptions: {
      application_name: name,
      ...(pooled
        ? { ...clientLimits(limits), clientMinMessages: 'ignore' }
        : sessionLimits(limits)),
    },
    // Sequelize passes on `keepAlive`, but not the delay.
    hooks: { afterConnect: client => keepAlive(client as pg.Client) },
    define: { underscored: true, timestamps: false },
  });
  releases.push(() => sequelize.close());
  return sequelize;
}

function keepAlive({ connection }: pg.Client): void {
  (connection.stream as Socket).setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
}

/**
 * Declares the model of a table. Returns a function that resolves to the model, bound to the open
 * database. `attributes` has snake_case columns under camelCase names.
 */
export function defineModel<Row extends object>(
  tableName: string,
  attributes: (types: typeof DataTypes) => ModelAttributes<Model<Row, Partial<Row>>, Row>,
): () => Promise<ModelStatic<ModelRecord<Row>>> {
  return async () => {
    const sequelize = await openModels();
    if (!sequelize.isDefined(tableName)) {
      const { DataTypes } = loadSequelize();
      sequelize.define(tableName, attributes(DataTypes), { tableName });
    }
    return sequelize.model(tableName) as ModelStatic<ModelRecord<Row>>;
  };
}

/** Postgres's now() plus an interval, as a column's value: one clock for all processes. */
export async function nowPlus(interval: string): Promise<Date> {
  const { literal } = loadSequelize();
  return literal(`now() + interval '${interval}'`) as unknown as Date;
}

/** Runs `work` in one transaction at READ COMMITTED, with the guarantees of `inTransaction`. */
export async function inModelTransaction<Result>(
  work: (tx: ModelTransaction) => Promise<Result>,
): Promise<Result> {
  const sequelize = await openModels();
  const { options, settings } = database();
  return sequelize.transaction(async transaction => {
    const bind = [Object.keys(settings), Object.values(settings)];
    if (options.pooled) await sequelize.query(SET_LOCALLY, { bind, transaction });
    return work(transaction);
  });
}
