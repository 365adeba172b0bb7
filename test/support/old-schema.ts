// Databases of earlier releases: only the migrations before a given one are applied and recorded.
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { connectClient } from '../../src/platform/db/connection.js';
import { ROOT } from './processes.js';
import type { Stores } from './suite.js';

const MIGRATIONS = `${ROOT}/src/migrations`;

export interface OldDatabase {
  readonly databaseUrl: string;
  /** The caller must end it. */
  readonly client: pg.Client;
  /** The migrations that are not applied. */
  readonly pending: readonly string[];
}

/** Creates the database `name` with the migrations whose names sort before `until`. */
export async function makeOldDatabase(
  { sql, databaseUrl }: Stores,
  name: string,
  until: string,
): Promise<OldDatabase> {
  await sql(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).toString();
  const client = await connectClient(url, 'test');
  await client.query(
    `CREATE TABLE migrations (
       name text PRIMARY KEY,
       applied_at timestamptz NOT NULL DEFAULT now()
     )`,
  );
  const names = (await readdir(MIGRATIONS)).sort();
  for (const file of names.filter(file => file < until)) {
    await client.query(await readFile(`${MIGRATIONS}/${file}`, 'utf8'));
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [file]);
  }
  return { databaseUrl: url, client, pending: names.filter(file => file >= until) };
}
