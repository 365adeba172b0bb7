// Databases as earlier releases left them: the migrations before one of them applied, and recorded as the product does.
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { connectClient } from '../../src/platform/db/connection.js';
import { ROOT } from './processes.js';
import type { Stores } from './suite.js';

const MIGRATIONS = `${ROOT}/src/migrations`;

export interface OldDatabase {
  readonly databaseUrl: string;
  /** The caller ends it. */
  readonly client: pg.Client;
  /** The migrations that it has not. */
  readonly pending: readonly string[];
}

/** A new database `name` beside the stores' own, with the migrations whose names come before `until`. */
export async function makeOldDatabase(
  { sql, databaseUrl }: Stores,
  name: string,
  until: string,
): Promise<OldDatabase> {
  await sql(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).toString();
  const client = await connectClient(url, 'test');
  await client.query(
    'CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const names = (await readdir(MIGRATIONS)).sort();
  for (const file of names.filter(file => file < until)) {
    await client.query(await readFile(`${MIGRATIONS}/${file}`, 'utf8'));
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [file]);
  }
  return { databaseUrl: url, client, pending: names.filter(file => file >= until) };
}
