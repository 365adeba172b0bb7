// Where the e-mails to a customer go, and from whom: to the addresses of the record that has its
// name now, and from the company as it is now.
import type { Language } from '../../companies/parties/party.js';
import type { Profile } from '../../companies/profile/profile.js';
import { LAST_PROFILE, profileOf } from '../../companies/profile/versions.js';
import { Batcher } from '../../platform/async/batch.js';
import { query } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { matchKey } from '../../platform/values/text.js';
import { LAST_VERSION, parseCustomer } from '../record.js';
import { NAME_OF_WANTED, type NameRef, nameBind, nameRefKey } from './names.js';

export interface CustomerContact {
  readonly email: string | null;
  readonly emailCc: readonly string[];
  /** Null: the company's. */
  readonly language: Language | null;
  readonly seller: Profile;
}

interface ContactRow extends NameRef {
  readonly body: string;
  readonly seller: string;
  readonly profile: string | null;
}

/** Look-ups that arrive together share a query: a round trip costs more than a row. */
const lookups = new Batcher<NameRef, CustomerContact | null>(
  async refs => {
    const rows = await query<ContactRow>(
      `SELECT wanted.company_id AS "companyId", wanted.name_key AS "nameKey", v.body,
         company.name AS seller, ${LAST_PROFILE} AS profile
       FROM unnest($1::uuid[], $2::text[]) AS wanted (company_id, name_key),
         ${NAME_OF_WANTED},
         ${lookUpOne('customers', 'c', 'company_id = n.company_id AND id = n.customer_id')},
         ${LAST_VERSION},
         ${lookUpOne('companies', 'company', 'id = wanted.company_id')}`,
      nameBind(refs),
    );
    const found = new Map(rows.map(row => [nameRefKey(row), row]));
    return refs.map(ref => {
      const row = found.get(nameRefKey(ref));
      if (!row) return null;
      const { email, emailCc, language } = parseCustomer(row.body);
      return { email, emailCc, language, seller: profileOf(row.seller, row.profile) };
    });
  },
  { maxSize: 500, maxInFlight: 2, ownerOf: ({ companyId }) => companyId },
);

/** Null for a name without a record. */
export function findContact(companyId: string, name: string): Promise<CustomerContact | null> {
  return lookups.submit({ companyId, nameKey: matchKey(name) });
}
