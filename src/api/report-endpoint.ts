// The endpoints of reports: one object with pages, which is also a CSV file with all rows.
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { Auth } from '../api-keys/authenticate.js';
import { invalidParameter, validateQuery } from '../platform/http/input/query.js';
import type { QuerySchema } from '../platform/http/input/typed-schema.js';
import type { Cursors, Page } from '../platform/http/pagination.js';
import { CSV_TYPE } from '../platform/values/csv.js';
import { answerPage, authOf, type Declaration, type Endpoint, type ListQuery } from './endpoint.js';

interface ReportQuery extends ListQuery {
  readonly format: 'json' | 'csv';
}

/** GET of one object that has pages, and is also a CSV file with all rows (`format=csv`). */
export function reportEndpoint<Query extends ReportQuery>({
  check,
  cursors,
  page: readPage,
  csv,
  ...declaration
}: Declaration & {
  readonly query: QuerySchema<Query>;
  /** Refuses parameters that do not go together. Throws Problem `invalid_parameter`. */
  readonly check?: (query: Query) => void;
  /** Part of each cursor's signature: other reports refuse the cursor. */
  readonly cursors: (query: Query) => string;
  /** The page after `position`. */
  readonly page: (auth: Auth, query: Query, position: string[] | undefined) => Promise<Page>;
  readonly csv: (auth: Auth, query: Query) => Promise<AsyncGenerator<string>>;
}): Endpoint {
  const { query } = declaration;
  const answer =
    (pager: Cursors): Middleware =>
    async ctx => {
      const filter = validateQuery(query, ctx);
      check?.(filter);
      if (filter.format === 'csv') {
        refusePages(ctx);
        await answerCsv(ctx, await csv(authOf(ctx), filter));
      } else
        await answerPage(ctx, pager, cursors(filter), filter.cursor, (auth, position) =>
          readPage(auth, filter, position),
        );
    };
  return { ...declaration, type: 'report', middleware: ({ pager }) => [answer(pager)] };
}

function refusePages(ctx: Context): void {
  for (const name of ['limit', 'cursor'])
    if (ctx.query[name] !== undefined)
      throw invalidParameter(name, 'does not apply to csv, which has all rows.');
}

/** Reads the first part before the response begins, so that a failure has its status. */
async function answerCsv(ctx: Context, parts: AsyncGenerator<string>): Promise<void> {
  const first = await parts.next();
  ctx.set('Content-Type', CSV_TYPE);
  ctx.body = Readable.from(
    (async function* () {
      if (!first.done) yield first.value;
      yield* parts;
    })(),
  );
}
