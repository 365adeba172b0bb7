// Where the e-mails to a customer go: to the addresses of the record that has its name now.
import type { Language } from '../../companies/parties/party.js';
import { textArray } from '../../platform/db/arrays.js';
import { query } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { matchKey } from '../../platform/values/text.js';
import { LAST_VERSION, parseCustomer } from '../record.js';

export interface CustomerContact {
  readonly email: string | null;
  readonly emailCc: readonly string[];
  /** Null: the company's. */
  readonly language: Language | null;
}

/** By match key. A name without a record is absent. */
export async function findContacts(
  companyId: string,
  names: readonly string[],
): Promise<Map<string, CustomerContact>> {
  if (names.length === 0) return new Map();
  const rows = await query<{ key: string; body: string }>(
    `SELECT n.name_key AS key, v.body
     FROM unnest($2::text[]) AS wanted (key),
       ${lookUpOne('customer_names', 'n', 'company_id = $1 AND name_key = wanted.key')},
       ${lookUpOne('customers', 'c', 'company_id = n.company_id AND id = n.customer_id')},
       ${LAST_VERSION}`,
    [companyId, textArray([...new Set(names.map(matchKey))])],
  );
  return new Map(
    rows.map(({ key, body }) => {
      const { email, emailCc, language } = parseCustomer(body);
      return [key, { email, emailCc, language }];
    }),
  );
}
