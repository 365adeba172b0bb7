// The parts that the declarations of the endpoints of webhooks share.
import type { Context, Middleware } from 'koa';
import { plainRequest } from '../api/answer-write.js';
import { authOf, type Declaration, type Endpoint } from '../api/endpoint.js';
import { notFound } from '../platform/errors.js';
import { object } from '../platform/http/input/typed-schema.js';
import { validateBody } from '../platform/http/input/validate.js';
import { pathId } from '../platform/http/router.js';

export const COLLECTION = '/webhook-endpoints';
export const ENDPOINT_PATH = `${COLLECTION}/{id}`;
export const ENDPOINT_NOUN = 'endpoint';
export const WEBHOOKS = { tag: 'Webhooks', scope: 'webhooks:write', isPlain: true } as const;
export const WEBHOOK_STATE = { WebhookState: ['invalid_state'] } as const;

/** Answers with the JSON text that `answer` returns. */
export function answering(
  answer: (ctx: Context, companyId: string) => Promise<string>,
): Middleware {
  return async ctx => {
    const body = await answer(ctx, authOf(ctx).companyId);
    ctx.type = 'json';
    ctx.body = body;
  };
}

export const endpointId = (ctx: Context): string => pathId(ctx, ENDPOINT_NOUN);

/** The sequence in the path. Throws Problem `not_found`. */
export function deliverySequence(ctx: Context): number {
  const text = ctx.params.sequence ?? '';
  if (!/^[1-9]\d{0,14}$/u.test(text)) throw notFound('delivery');
  return Number(text);
}

/** The body of an action that needs none. */
const NO_FIELDS = { name: 'EmptyRequest', schema: object({}) };

type ActionDeclaration = Omit<Declaration, 'tag' | 'scope' | 'noun' | 'isPlain'> &
  Pick<Endpoint, 'body'>;

/** POST below one endpoint. */
export function webhookAction(
  type: 'action' | 'request',
  declaration: ActionDeclaration,
  act: (ctx: Context, companyId: string) => Promise<string>,
): Endpoint {
  const { body = NO_FIELDS } = declaration;
  const answer: Middleware = async (ctx, next) => {
    if (body === NO_FIELDS) validateBody(NO_FIELDS.schema, ctx.request.body);
    await answering(act)(ctx, next);
    if (type === 'request') ctx.status = 202;
  };
  return {
    ...WEBHOOKS,
    noun: ENDPOINT_NOUN,
    ...declaration,
    body,
    type,
    middleware: () => [...plainRequest, answer],
  };
}
