// Reads the outbox. E-mails are read from the primary: the answer to a request for one is current.
import { type ShownActor, shownActor } from '../companies/actor.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { readRows } from '../platform/db/list-reads.js';
import { joinedBodies, type Walk, walkEnd, walkRows } from '../platform/db/sql.js';
import { type JoinedBodies, type Page, pageOf } from '../platform/http/pagination.js';
import { type EmailContent, type EmailJson, emailJson } from './email.js';
import type { EmailQuery } from './schema.js';

/** An e-mail's JSON text; null if the company has no such e-mail. */
export async function findEmail(
  companyId: string,
  id: string,
  tx?: Transaction,
): Promise<string | null> {
  const row = await queryOne<{ body: string }>(
    `SELECT ${emailJson}::text AS body FROM emails e WHERE e.company_id = $1 AND e.id = $2`,
    [companyId, id],
    tx,
  );
  return row?.body ?? null;
}

/** The recipients and the text of an e-mail; null if the company has no such e-mail. */
export function findEmailText(companyId: string, id: string): Promise<EmailContent | null> {
  return queryOne<EmailContent>(
    'SELECT recipients, subject, message FROM emails WHERE company_id = $1 AND id = $2',
    [companyId, id],
  );
}

/** E-mails after `position`, newest first. A page reads a bounded number of them. */
export async function listEmails(
  companyId: string,
  timeZone: string,
  { limit, status, documentId, from, to }: EmailQuery,
  position: string[] | undefined,
): Promise<Page> {
  const bind: unknown[] = [companyId, limit];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const startOf = (day: string) => `(${day})::timestamp AT TIME ZONE ${value(timeZone)}`;
  const range = ['e.company_id = $1'];
  if (documentId !== undefined) range.push(`e.document_id = ${value(documentId)}`);
  if (from !== undefined) range.push(`e.created_at >= ${startOf(`${value(from)}::date`)}`);
  if (to !== undefined) range.push(`e.created_at < ${startOf(`${value(to)}::date + 1`)}`);
  if (position) {
    const [at, id] = position.map(value);
    range.push(`(e.created_at, e.id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  const filters = status === undefined ? [] : [`e.status = ${value(status)}`];
  const order = 'e.created_at DESC, e.id DESC';
  const walk: Walk = { from: 'emails e', range, order, filters };
  const positionOfRow = 'json_build_array(e.created_at::text, e.id::text)';
  const sql = `
    SELECT ${emailJson}::text AS body, ${positionOfRow} AS position
    FROM (${walkRows(walk, limit + 1)}) e
    ORDER BY ${order}`;
  const end = filters.length > 0 ? walkEnd(walk, positionOfRow) : undefined;
  const joined = joinedBodies(sql, { hasPositions: true, walkEnd: end });
  const [row] = await readRows<JoinedBodies>(companyId, joined, bind);
  return pageOf(row ?? { bodies: null, count: 0 }, limit, () => []);
}

export interface ShownEmail extends EmailJson {
  readonly createdBy: ShownActor | null;
}

/** The newest e-mails of a document, and who sent them. */
export function emailsOf(
  companyId: string,
  documentId: string,
  limit: number,
): Promise<ShownEmail[]> {
  return query<{ email: EmailJson; createdBy: ShownActor | null }>(
    `SELECT ${emailJson} AS email, ${shownActor('e')} AS "createdBy"
     FROM (
       SELECT *
       FROM emails
       WHERE company_id = $1 AND document_id = $2
       ORDER BY created_at DESC, id DESC
       LIMIT $3
     ) e
     ORDER BY e.created_at DESC, e.id DESC`,
    [companyId, documentId, limit],
  ).then(rows => rows.map(({ email, createdBy }) => ({ ...email, createdBy })));
}
