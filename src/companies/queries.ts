// The operators' list of companies.
import { query } from '../platform/db/connection.js';
import { containsPattern, timeJson } from '../platform/db/sql.js';
import { splitPage } from '../platform/http/pagination.js';
import { isUuid } from '../platform/values/ids.js';

/** SQL for a name in lower case, without the characters that values/text.ts ignores. */
const VISIBLE_NAME = String.raw`lower(regexp_replace(name,
  '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E'
    '\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8]', '', 'g'))`;

export interface CompanyView {
  readonly companyId: string;
  readonly name: string;
  readonly rateLimitPerHour: number | null;
  /** The number of invoices: their numbers have no gaps. */
  readonly invoices: string;
  readonly createdAt: string;
}

/** A company's position in the list. */
type Position = readonly [name: string, id: string];

export interface CompanyPage {
  readonly companies: readonly CompanyView[];
  /** The last company's position if more follow, else null. */
  readonly next: Position | null;
}

/** Companies by name, after a position: those with the text in their name or as their id. */
export async function listCompanies(
  search: string,
  after: Position | null,
  limit: number,
): Promise<CompanyPage> {
  const bind: unknown[] = [limit + 1];
  const where = ['true'];
  if (isUuid(search)) where.push(`id = $${bind.push(search)}`);
  else if (search !== '') {
    where.push(`${VISIBLE_NAME} LIKE $${bind.push(containsPattern(search.toLowerCase()))}`);
  }
  if (after) {
    const position = `($${bind.push(after[0])}, $${bind.push(after[1])}::uuid)`;
    where.push(`(lower(name) COLLATE "C", id) > ${position}`);
  }
  const found = await query<CompanyView & { sortKey: string }>(
    `SELECT id AS "companyId", name, rate_limit_per_hour AS "rateLimitPerHour",
       (next_invoice_number - 1)::text AS invoices,
       ${timeJson('created_at')} AS "createdAt",
       lower(name) AS "sortKey"
     FROM companies
     WHERE ${where.join(' AND ')}
     ORDER BY lower(name) COLLATE "C", id
     LIMIT $1`,
    bind,
  );
  const { page, next } = splitPage(
    found,
    limit,
    (last): Position => [last.sortKey, last.companyId],
  );
  return { companies: page, next };
}
