// Keys and codes of texts that an upgrade left as they are, because another row has the key that
// they would have: values/text.ts folds these texts as before. Most databases have none.
import { query } from '../platform/db/connection.js';
import { keepKeys } from '../platform/values/text.js';

const KEPT_KEYS = 'SELECT DISTINCT key FROM kept_keys';

/** Reads them, by default through the pool. A process needs them before its first text. */
export async function loadKeptKeys(
  read: (sql: string) => Promise<readonly { readonly key: string }[]> = sql => query(sql, []),
): Promise<void> {
  keepKeys((await read(KEPT_KEYS)).map(({ key }) => key));
}
