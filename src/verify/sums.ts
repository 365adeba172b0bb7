// Comparing two tables' figures key by key, cheaply: a key is a random number by its hash, and the products of figure
// and number are added up over both tables. One wrong figure always shows in the sum, several cancel out by chance once
// in some 10^18, and adding up needs no sort and no table of a million keys. Only where the sums differ are they grouped.

type KeyType = 'uuid' | 'text' | 'date';

export interface Sums {
  /** The columns that tell whose figures they are, with their types. */
  readonly key: Readonly<Record<string, KeyType>>;
  /** The figures' columns. */
  readonly figures: readonly string[];
  /** SELECTs of the key's columns and the figures, any number of rows a key: what is claimed, and what it is claimed of. */
  readonly stored: string;
  readonly recounted: string;
  /** SQL for the offender's columns, over the key's columns and, for each figure, stored_… and recounted_…. */
  readonly offender: string;
}

// The functions behind Postgres's own hash partitions; the second argument chains them.
const HASHES: Readonly<Record<KeyType, (column: string, seed: string) => string>> = {
  uuid: (column, seed) => `uuid_hash_extended(${column}, ${seed})`,
  text: (column, seed) => `hashtextextended(${column}, ${seed})`,
  date: (column, seed) => `hashint4extended(${column} - date '2000-01-01', ${seed})`,
};

/** SQL whose rows are the keys for which the stored figures are not the recounted ones; a missing figure counts as 0. */
export function unequalSums({ key, figures, stored, recounted, offender }: Sums): string {
  const columns = Object.keys(key).join(', ');
  const hash = Object.entries(key).reduce(
    (seed, [column, type]) => HASHES[type](column, seed),
    '0',
  );
  const list = (write: (figure: string) => string, separator = ', ') =>
    figures.map(write).join(separator);
  return `WITH entries AS NOT MATERIALIZED (
      SELECT ${columns}, ${list(name => `${name} AS stored_${name}, 0 AS recounted_${name}`)} FROM (${stored}) s
      UNION ALL SELECT ${columns}, ${list(name => `0, ${name}`)} FROM (${recounted}) r
    ), unequal AS (
      SELECT ${columns}, ${list(name => `sum(stored_${name}) AS stored_${name}, sum(recounted_${name}) AS recounted_${name}`)}
      FROM entries
      WHERE (SELECT ${list(name => `sum((stored_${name} - recounted_${name}) * ${hash}::numeric) <> 0`, ' OR ')} FROM entries)
      GROUP BY ${columns} HAVING ${list(name => `sum(stored_${name}) <> sum(recounted_${name})`, ' OR ')}
    )
    SELECT ${offender} FROM unequal`;
}
