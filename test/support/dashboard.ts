// Users of the dashboard, and a plain browser for tests over HTTP: it stores cookies and sends
// forms as one of our pages would. Tests that need a real browser use browser.ts.
import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Role } from '../../src/users/roles.js';
import { registerSecret } from './canary.js';
import { type RequestOptions, type Response, send } from './client.js';
import { type CompanyOptions, makeCompany, type TestCompany } from './factories.js';
import { fieldsOf } from './html.js';
import { until } from './processes.js';
import type { Stack } from './suite.js';

/** The password of every user of makeUser. */
export const PASSWORD = 'correct horse battery';
registerSecret(PASSWORD);

export interface TestUser {
  readonly userId: string;
  readonly email: string;
}

interface UserOptions {
  readonly role?: Role;
  readonly operator?: boolean;
  readonly name?: string | null;
}

/** Adds a user to the company, with a password hash that is cheap to verify. */
export async function makeUser(
  stack: Pick<Stack, 'sql'>,
  companyId: string,
  { role = 'owner', operator = false, name = null }: UserOptions = {},
): Promise<TestUser> {
  const userId = uuidv7();
  const email = `${userId}@example.org`;
  await stack.sql(
    `INSERT INTO users (company_id, id, email, password_hash, role, operator, name)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     -- A fault run repeats a statement whose answer was lost.
     ON CONFLICT (company_id, id) DO NOTHING`,
    [companyId, userId, email, CHEAP_HASH, role, operator, name],
  );
  return { userId, email };
}
const SALT = Buffer.alloc(16);
const KEY = scryptSync(PASSWORD, SALT, 32, { N: 16, r: 8, p: 1 });
const CHEAP_HASH = `scrypt$16$8$1$${SALT.toString('base64url')}$${KEY.toString('base64url')}`;

/** Starts a session without hashing a password. Returns its token, the value of the cookie. */
export async function makeSession(
  stack: Pick<Stack, 'sql'>,
  companyId: string,
  userId: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await stack.sql(
    `INSERT INTO sessions (company_id, id, user_id, expires_at)
     VALUES ($1, $2, $3, now() + interval '14 days')`,
    [companyId, createHash('sha256').update(token).digest(), userId],
  );
  return token;
}

/** A browser signed in as a new user of the company. */
export async function signedIn(
  stack: Pick<Stack, 'sql' | 'baseUrl'>,
  companyId: string,
  options: UserOptions = {},
): Promise<{ browser: Browser; user: TestUser }> {
  const user = await makeUser(stack, companyId, options);
  return {
    browser: new Browser(stack.baseUrl, await makeSession(stack, companyId, user.userId)),
    user,
  };
}

/** A new company, and a browser signed in as a user of it: a member by default. */
export async function makeSignedIn(
  stack: Pick<Stack, 'sql' | 'baseUrl'>,
  { role = 'member', ...options }: CompanyOptions & Pick<UserOptions, 'role'> = {},
): Promise<{ company: TestCompany; browser: Browser; user: TestUser }> {
  const company = await makeCompany(stack, options);
  return { company, ...(await signedIn(stack, company.companyId, { role })) };
}

/** A new company with an owner and a member, both signed in. */
export async function makeOwnerAndMember(stack: Pick<Stack, 'sql' | 'baseUrl'>) {
  const { company, ...member } = await makeSignedIn(stack);
  const { companyId } = company;
  return { companyId, owner: await signedIn(stack, companyId), member };
}

const JOB_PAGE = /^\/[a-z-]+\/jobs\/[0-9a-f-]{36}/u;

/** Stores cookies between requests. It follows no redirects, so a test sees each answer. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** False for a test that wants to see the job page of a form whose write takes longer. */
  waitsForWrites = true;
  readonly #baseUrl: string;

  constructor(baseUrl: string, session?: string) {
    this.#baseUrl = baseUrl;
    if (session !== undefined) this.cookies.set('session', session);
  }

  get(path: string, options: RequestOptions = {}): Promise<Response> {
    return this.request('GET', path, options);
  }

  /** Sends the fields like the form on `page`: with that page's token and our own Origin. */
  async post(
    page: string,
    action: string,
    fields: Record<string, string>,
    options: RequestOptions = {},
  ): Promise<Response> {
    const { token } = fieldsOf(await this.get(page));
    return this.send(action, { ...(token === undefined ? {} : { token }), ...fields }, options);
  }

  /**
   * Sends the fields and nothing else. If the write takes longer, as on a busy machine, this waits
   * for it: the answer is that of its job's page, or for a refused form what it gets when it is
   * sent again.
   */
  async send(
    action: string,
    fields: Record<string, string>,
    options: RequestOptions = {},
  ): Promise<Response> {
    const submit = () =>
      this.request('POST', action, {
        raw: new URLSearchParams(fields).toString(),
        ...options,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(this.#baseUrl).origin,
          ...options.headers,
        },
      });
    const answer = await submit();
    const { location = '' } = answer.headers;
    if (!this.waitsForWrites || !('key' in fields) || !JOB_PAGE.test(location)) return answer;
    let settled = answer;
    await until('the write is settled', async () => {
      settled = await this.get(location);
      return !settled.text.includes('class="waiting"');
    });
    const isRefused = settled.status !== 303 || settled.headers.location?.includes('?job=');
    return isRefused ? submit() : settled;
  }

  /** Sends the form on `page` like a browser: the fields in order, then the file. */
  async upload(
    page: string,
    action: string,
    fields: Record<string, string>,
    file: { name: string; content: string | Buffer } | null,
    options: RequestOptions = {},
  ): Promise<Response> {
    const { token } = fieldsOf(await this.get(page));
    const all = { ...(token === undefined ? {} : { token }), ...fields };
    const boundary = randomBytes(12).toString('hex');
    const part = (disposition: string, content: string | Buffer) =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
        Buffer.from(content as string),
        Buffer.from('\r\n'),
      ]);
    const raw = Buffer.concat([
      ...Object.entries(all).map(([name, value]) => part(`name="${name}"`, value)),
      part(`name="file"; filename="${file?.name ?? ''}"`, file?.content ?? ''),
      Buffer.from(`--${boundary}--\r\n`),
    ]);
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...options.headers,
    };
    return this.send(action, {}, { raw, ...options, headers });
  }

  /** Any request, with the cookies. */
  async request(method: string, path: string, options: RequestOptions): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await send(this.#baseUrl, method, path, {
      ...options,
      headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...options.headers },
    });
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** The errors of a page's fields and of its form, by field name ('' for the form). */
export function formErrors({ text }: Response): Record<string, string> {
  const errors = [...text.matchAll(/<p id="field-([\w-]+)-error" class="error">([^<]*)<\/p>/gu)];
  const message =
    /<p class="message bad" role="alert"[^>]*>([^<]*?) ?(?:<a [^<]*<\/a>)?<\/p>/u.exec(text)?.[1];
  return {
    ...Object.fromEntries(errors.map(([, name, sentence]) => [name, sentence])),
    ...(message === undefined ? {} : { '': message }),
  };
}
