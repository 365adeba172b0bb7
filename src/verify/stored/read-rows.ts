// Reads a table of any size in pages, through a cursor of the transaction that verify is in.
import type pg from 'pg';

/** Rows in memory at a time. */
const PAGE = 1_000;
let cursors = 0;

/** The pages of a SELECT's rows. The client is in a transaction, and may run other statements. */
export async function* readPages<Row extends object>(
  client: pg.Client,
  select: string,
  rowsPerPage = PAGE,
): AsyncGenerator<Row[]> {
  cursors += 1;
  const name = `verify_${cursors}`;
  // All rows are read. A large table's order comes from an index: a sort would write it to disk.
  await client.query(`
    SET LOCAL cursor_tuple_fraction = 1;
    SET LOCAL enable_sort = off;
    DECLARE ${name} NO SCROLL CURSOR FOR ${select};
    SET LOCAL enable_sort = on`);
  let rows: Row[];
  do {
    ({ rows } = await client.query<Row>(`FETCH ${rowsPerPage} FROM ${name}`));
    if (rows.length > 0) yield rows;
  } while (rows.length === rowsPerPage);
  await client.query(`CLOSE ${name}`);
}

/** Like `readPages`, row by row. */
export async function* readEachRow<Row extends object>(
  client: pg.Client,
  select: string,
  rowsPerPage = PAGE,
): AsyncGenerator<Row> {
  for await (const rows of readPages<Row>(client, select, rowsPerPage)) yield* rows;
}
