// GET /inventory/{id}/movements. In this slice because a movement's source may be an invoice or a
// credit note, with its number.
import type Router from '@koa/router';
import Joi from 'joi';
import { type Auth, requireScope } from '../api-keys/authenticate.js';
import { readCurrentPage } from '../companies/consistent-reads.js';
import { findItem } from '../inventory/queries.js';
import { REASONS } from '../inventory/schema.js';
import { numberText } from '../invoices/queries.js';
import { jsonObject, timeJson } from '../platform/db/sql.js';
import { Problem } from '../platform/errors.js';
import { validateQuery } from '../platform/http/input/query.js';
import { calendarDate, cursor, pageSize } from '../platform/http/input/validate.js';
import type { Page, Pager } from '../platform/http/pagination.js';
import { createRouter } from '../platform/http/router.js';
import { isUuid } from '../platform/values/ids.js';
import { creditNoteNumberText } from './queries.js';

/** An invoice's movement is a sale, a credit note's a return; an adjustment's has its reason. */
export const MOVEMENT_KINDS = ['sale', 'return', ...REASONS] as const;

interface MovementQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly from?: string;
  readonly to?: string;
  readonly kind?: string;
}

export const movementQuery = Joi.object({
  limit: pageSize(50, 200).description('Movements per page.'),
  cursor: cursor().description(
    'Start of the page, taken from the `Link` header of the previous page.',
  ),
  from: calendarDate().description("First day, inclusive, in the company's time zone."),
  to: calendarDate().description("Last day, inclusive, in the company's time zone."),
  kind: Joi.string()
    .valid(...MOVEMENT_KINDS)
    .description('`sale` for invoices, `return` for credit notes, or the reason of an adjustment.'),
});

export function itemMovementRoutes(pager: Pager): Router {
  const router = createRouter();
  router.get('/inventory/:id/movements', requireScope('inventory:read'), async ctx => {
    const filter = validateQuery<MovementQuery>(movementQuery, ctx);
    const { companyId, timeZone } = ctx.state.auth as Auth;
    const id = ctx.params.id ?? '';
    if (!isUuid(id) || (await findItem(companyId, id)) === null)
      throw new Problem('not_found', 'There is no such item.');
    const list = `movements of ${id.toLowerCase()}`;
    const position = pager.position(companyId, list, filter.cursor);
    const page = await listItemMovements(companyId, id, timeZone, filter, position);
    if (page.next) pager.linkNext(companyId, ctx, list, page.next);
    ctx.type = 'json';
    ctx.body = page.body;
  });
  return router;
}

/** A movement's JSON. Reads the movement as m and its invoice or credit note, if any, as i or e. */
const movementJson = jsonObject(`
  m.id::text AS id, m.kind,
  trim_scale(m.delta) AS delta,
  trim_scale(m.on_hand_after) AS "onHandAfter",
  json_build_object(
    'type', CASE
      WHEN m.invoice_id IS NOT NULL THEN 'invoice'
      WHEN m.credit_note_id IS NOT NULL THEN 'creditNote'
      ELSE 'adjustment'
    END,
    'id', COALESCE(m.invoice_id, m.credit_note_id, m.adjustment_id),
    'number', COALESCE(${numberText}, ${creditNoteNumberText})
  ) AS source,
  ${timeJson('m.created_at')} AS "createdAt"`);

/** Movements after `position`, the last page's last id, newest first. */
function listItemMovements(
  companyId: string,
  itemId: string,
  timeZone: string,
  { limit, from, to, kind }: MovementQuery,
  position: string[] | undefined,
): Promise<Page> {
  const bind: unknown[] = [companyId, limit, itemId];
  const where = ['company_id = $1', 'item_id = $3'];
  const add = (value: unknown) => `$${bind.push(value)}`;
  const startOf = (day: string) => `(${day})::timestamp AT TIME ZONE ${add(timeZone)}`;
  if (from !== undefined) where.push(`created_at >= ${startOf(`${add(from)}::date`)}`);
  if (to !== undefined) where.push(`created_at < ${startOf(`${add(to)}::date + 1`)}`);
  if (kind !== undefined) where.push(`kind = ${add(kind)}`);
  if (position) where.push(`id < ${add(position[0])}::bigint`);
  const sql = `SELECT ${movementJson}::text AS body
    FROM (
      SELECT *
      FROM movements
      WHERE ${where.join(' AND ')}
      ORDER BY id DESC
      LIMIT $2 + 1
    ) m
    LEFT JOIN invoices i ON i.company_id = m.company_id AND i.id = m.invoice_id
    LEFT JOIN entries e ON e.company_id = m.company_id AND e.id = m.credit_note_id
    ORDER BY m.id DESC`;
  return readCurrentPage<{ id: string }>(companyId, { sql, bind, limit }, ({ id }) => [id]);
}
