// Compares the figures of two tables key by key without a sort or a table of a million keys: each
// key is hashed to a number, and the products of figure and number are summed over both tables. One
// wrong figure always changes the sum; several cancel out by chance about once in 10^18. Only if
// the sums differ are the figures grouped by key.

type KeyType = 'uuid' | 'text' | 'date';

export interface SumComparison {
  /** The key columns and their types. */
  readonly key: Readonly<Record<string, KeyType>>;
  /** The columns to compare. */
  readonly figures: readonly string[];
  /** Two SELECTs of the key columns and the figures, with any number of rows per key. */
  readonly stored: string;
  readonly recounted: string;
  /** The result's select list, over the key and each figure's stored_… and recounted_…. */
  readonly offender: string;
}

/** The hash functions of Postgres's hash partitioning. The seed chains the columns of a key. */
const HASHES: Readonly<Record<KeyType, (column: string, seed: string) => string>> = {
  uuid: (column, seed) => `uuid_hash_extended(${column}, ${seed})`,
  text: (column, seed) => `hashtextextended(${column}, ${seed})`,
  date: (column, seed) => `hashint4extended(${column} - date '2000-01-01', ${seed})`,
};

/** SQL for the keys whose stored and recounted figures differ. A missing figure counts as 0. */
export function unequalSums({ key, figures, stored, recounted, offender }: SumComparison): string {
  const columns = Object.keys(key).join(', ');
  const hash = Object.entries(key).reduce(
    (seed, [column, type]) => HASHES[type](column, seed),
    '0',
  );
  const list = (write: (figure: string) => string, separator = ', ') =>
    figures.map(write).join(separator);
  const unequal = (name: string) =>
    `sum((stored_${name} - recounted_${name}) * ${hash}::numeric) <> 0`;
  return `
  WITH entries AS NOT MATERIALIZED (
    SELECT ${columns}, ${list(name => `${name} AS stored_${name}, 0 AS recounted_${name}`)}
    FROM (${stored}) stored
    UNION ALL
    SELECT ${columns}, ${list(name => `0, ${name}`)}
    FROM (${recounted}) recounted
  ), unequal AS (
    SELECT ${columns},
      ${list(name => `sum(stored_${name}) AS stored_${name}`)},
      ${list(name => `sum(recounted_${name}) AS recounted_${name}`)}
    FROM entries
    WHERE (
      SELECT ${list(unequal, ' OR ')}
      FROM entries
    )
    GROUP BY ${columns}
    HAVING ${list(name => `sum(stored_${name}) <> sum(recounted_${name})`, ' OR ')}
  )
  SELECT ${offender}
  FROM unequal`;
}
