// Factories for companies with keys and stock. Each test makes its own company, so tests run in any
// order and also prove that companies are isolated.
import { v7 as uuidv7 } from 'uuid';
import { makeKey } from '../../src/api-keys/key.js';
import { SCOPES } from '../../src/api-keys/model.js';
import { registerBodyText } from './canary.js';
import { type RequestOptions, type Response, send } from './client.js';
import type { Stack } from './suite.js';

export interface CompanyOptions {
  readonly currency?: string;
  readonly timeZone?: string;
  readonly allowNegativeStock?: boolean;
  /** Requests per hour; a million unless the test is about the limit. */
  readonly rateLimit?: number | null;
  readonly scopes?: readonly string[];
}

export interface TestCompany {
  readonly companyId: string;
  readonly key: string;
  readonly keyId: string;
  get(path: string, options?: RequestOptions): Promise<Response>;
  post(path: string, json: unknown, options?: RequestOptions): Promise<Response>;
  patch(path: string, json: unknown, options?: RequestOptions): Promise<Response>;
  delete(path: string, options?: RequestOptions): Promise<Response>;
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
}

/** Makes a company with a key. Its methods of HTTP take paths below /api/external. */
export async function makeCompany(
  stack: Pick<Stack, 'sql' | 'baseUrl'>,
  options: CompanyOptions = {},
): Promise<TestCompany> {
  const companyId = uuidv7();
  const {
    currency = 'USD',
    timeZone = 'UTC',
    allowNegativeStock = false,
    rateLimit = 1_000_000,
  } = options;
  await stack.sql(
    `INSERT INTO companies
       (id, name, currency, time_zone, allow_negative_stock, rate_limit_per_hour)
     VALUES ($1, 'Test company', $2, $3, $4, $5)`,
    [companyId, currency, timeZone, allowNegativeStock, rateLimit],
  );
  const { key, keyId } = await addKey(stack, companyId, options.scopes);
  const call = (method: string, path: string, overrides: RequestOptions) =>
    send(stack.baseUrl, method, `/api/external${path}`, { key, ...overrides });
  return {
    companyId,
    key,
    keyId,
    get: (path, overrides = {}) => call('GET', path, overrides),
    post: (path, json, overrides = {}) => call('POST', path, { json, ...overrides }),
    patch: (path, json, overrides = {}) => call('PATCH', path, { json, ...overrides }),
    delete: (path, overrides = {}) => call('DELETE', path, overrides),
    request: (method, path, overrides = {}) => call(method, path, overrides),
  };
}

/**
 * Changes columns of the company's row, by their names in camelCase. Processes may still use
 * earlier settings for a second.
 */
export async function changeCompany(
  stack: Pick<Stack, 'sql'>,
  { companyId }: Pick<TestCompany, 'companyId'>,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const columns = Object.keys(settings).map(
    (name, at) =>
      `${name.replaceAll(/[A-Z]/gu, letter => `_${letter.toLowerCase()}`)} = $${at + 2}`,
  );
  await stack.sql(`UPDATE companies SET ${columns.join(', ')} WHERE id = $1`, [
    companyId,
    ...Object.values(settings),
  ]);
}

export async function addKey(
  stack: Pick<Stack, 'sql'>,
  companyId: string,
  scopes: readonly string[] = SCOPES,
): Promise<{ key: string; keyId: string }> {
  const { key, id, hash } = makeKey();
  const keyId = uuidv7();
  await stack.sql(
    `INSERT INTO api_keys (company_id, id, name, scopes) VALUES ($1, $2, 'Test key', $3)`,
    [companyId, keyId, scopes],
  );
  await stack.sql(
    `INSERT INTO api_key_secrets (company_id, id, api_key_id, hash) VALUES ($1, $2, $3, $4)`,
    [companyId, id, keyId, hash],
  );
  return { key, keyId };
}

export interface StockEntry {
  readonly name: string;
  readonly delta: number;
  readonly sku?: string;
  readonly reorderPoint?: number;
  readonly unitCost?: number;
  readonly unitPrice?: number;
  readonly unit?: string;
}

/** Receives stock through the API. Returns the item ids in the order of the entries. */
export async function receive(company: TestCompany, ...items: StockEntry[]): Promise<string[]> {
  const { status, body } = await company.post('/inventory/adjustments', {
    reason: 'received',
    items,
  });
  if (status !== 201) throw new Error(`stock was not received: ${status} ${JSON.stringify(body)}`);
  return body.movements.map((movement: { itemId: string }) => movement.itemId);
}

const CUSTOMER = 'Bright & Sons';
registerBodyText(CUSTOMER);

/** A valid invoice request. */
export function invoiceRequest(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    customerName: CUSTOMER,
    date: '2026-11-20',
    items: [{ name: 'Delivery', qty: 1, price: 18.5 }],
    ...overrides,
  };
}

/** The field errors of a 422 response as "pointer code", in order. */
export function fieldErrors({ status, body }: Response): string[] {
  if (status !== 422 || body.code !== 'validation_failed')
    throw new Error(`the body was not refused: ${status} ${body.code}`);
  return body.errors.map(
    ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
  );
}

/** The items of the company, each as its name and its stock. */
export async function stockOf(company: TestCompany): Promise<string[]> {
  const { body } = await company.get('/inventory');
  return body.map(({ name, onHand }: { name: string; onHand: number }) => `${name} ${onHand}`);
}
