// Keys and codes of texts that an upgrade left as they are, because another row has the key that they
// would have: values/text.ts folds these texts as before. An empty list is the usual one.
import { keepKeys } from '../values/text.js';
import { query } from './connection.js';

const KEPT_KEYS = 'SELECT DISTINCT key FROM kept_keys';

/** Reads the list, by default through the pool. */
export async function loadKeptKeys(
  read: (sql: string) => Promise<readonly { readonly key: string }[]> = sql => query(sql, []),
): Promise<void> {
  keepKeys((await read(KEPT_KEYS)).map(({ key }) => key));
}
