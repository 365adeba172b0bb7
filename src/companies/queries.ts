// Companies as operators look them up.
import { query } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/time.js';
import { isUuid } from '../platform/values/ids.js';

export interface CompanyView {
  readonly companyId: string;
  readonly name: string;
  readonly rateLimitPerHour: number | null;
  /** Numbers have no gap, so this is how many invoices there are. */
  readonly invoices: string;
  readonly createdAt: string;
}

export interface CompanyPage {
  readonly companies: readonly CompanyView[];
  /** The last company's place in the list where more follow, else null. */
  readonly next: readonly [name: string, id: string] | null;
}

/** All companies by name, from after a place: those whose name has the text in it, or whose id it is. */
export async function listCompanies(
  search: string,
  after: readonly [name: string, id: string] | null,
  limit: number,
): Promise<CompanyPage> {
  const bind: unknown[] = [limit + 1];
  const where = ['true'];
  if (isUuid(search)) where.push(`c.id = $${bind.push(search)}`);
  else if (search !== '') {
    const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
    where.push(`lower(c.name) LIKE $${bind.push(pattern)}`);
  }
  if (after) {
    where.push(
      `(lower(c.name) COLLATE "C", c.id) > ($${bind.push(after[0])}, $${bind.push(after[1])}::uuid)`,
    );
  }
  const rows = await query<CompanyView & { place: string }>(
    `SELECT c.id AS "companyId", c.name, c.rate_limit_per_hour AS "rateLimitPerHour",
       (c.next_invoice_number - 1)::text AS invoices, ${timeJson('c.created_at')} AS "createdAt", lower(c.name) AS place
     FROM companies c WHERE ${where.join(' AND ')}
     ORDER BY lower(c.name) COLLATE "C", c.id LIMIT $1`,
    bind,
  );
  const last = rows[limit - 1];
  return {
    companies: rows.slice(0, limit),
    next: rows.length > limit && last ? [last.place, last.companyId] : null,
  };
}
