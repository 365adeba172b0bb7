// GET /invoices: order, pages and filters.
import { expect } from 'chai';
import { send } from '../support/client.js';
import {
  changeCompany,
  invoiceRequest,
  makeCompany,
  type TestCompany,
} from '../support/factories.js';
import { describeMode, startForTests } from '../support/suite.js';

type Listed = { number: string; date: string; customerName: string };

/** Creates one invoice per argument, in order. */
async function create(company: TestCompany, ...invoices: object[]): Promise<void> {
  for (const overrides of invoices) {
    const { status } = await company.post('/invoices', invoiceRequest({ ...overrides }));
    expect(status).to.equal(201);
  }
}

/** The listed invoice numbers, without prefix and zeros. */
async function numbers(company: TestCompany, query = ''): Promise<number[]> {
  const { status, body } = await company.get(`/invoices${query}`);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.map(({ number }: Listed) => Number(number.slice(4)));
}

function nextOf(link: string | string[] | undefined): string | null {
  return /^<([^>]+)>; rel="next"$/u.exec(String(link ?? ''))?.[1] ?? null;
}

const pathOf = (url: string) => url.replace(/^.*\/api\/external/u, '');

describeMode('postgres', 'the list of invoices', stack => {
  it('is empty for a company without invoices', async () => {
    const { status, text, headers } = await (await makeCompany(stack())).get('/invoices');
    expect([status, text, headers.link]).to.deep.equal([200, '[]', undefined]);
    expect(headers['content-type']).to.match(/^application\/json/u);
  });

  it('sorts by date, then by creation, newest first', async () => {
    const company = await makeCompany(stack());
    await create(
      company,
      { date: '2026-11-02' },
      { date: '2026-11-03' },
      { date: '2026-11-02' },
      { date: '2025-01-01' },
    );
    expect(await numbers(company)).to.deep.equal([2, 3, 1, 4]);
  });

  it("never shows another company's invoices", async () => {
    const [one, other] = [await makeCompany(stack()), await makeCompany(stack())];
    await create(one, {});
    const { body } = await one.get('/invoices');
    expect(await numbers(other)).to.deep.equal([]);
    const [hidden, missing] = [
      await other.get(`/invoices/${body[0].id}`, { headers: { 'x-request-id': 'same' } }),
      await other.get(
        `/invoices/${body[0].id.replace(/.$/u, (digit: string) => (digit === '0' ? '1' : '0'))}`,
        {
          headers: { 'x-request-id': 'same' },
        },
      ),
    ];
    expect([hidden.status, missing.status]).to.deep.equal([404, 404]);
    expect(hidden.text.replace(/[0-9a-f-]{36}/u, '')).to.equal(
      missing.text.replace(/[0-9a-f-]{36}/u, ''),
    );
    expect((await other.get('/invoices/no-uuid')).body.code).to.equal('not_found');
  });

  it('is what the path of an invoice refers to, if it has a number in place of an id', async () => {
    const company = await makeCompany(stack());
    for (const request of [
      company.get('/invoices/INV-000361'),
      company.get('/invoices/INV-000361/entries'),
      company.post('/invoices/INV-000361/void', {}),
    ]) {
      const { status, body } = await request;
      expect([status, body.code]).to.deep.equal([404, 'not_found']);
      expect(body.detail).to.equal(
        'There is no such invoice. Use its id, a UUID, or search with ' +
          'GET /api/external/invoices?number=INV-000361.',
      );
    }
    const odd = await company.get('/invoices/%C3%9C%26to=%22');
    expect(odd.body.detail).to.contain('?number=%C3%9C%26to%3D%22.');
    const long = await company.get(`/invoices/${'1'.repeat(65)}`);
    expect(long.body.detail).to.equal('There is no such invoice.');
  });

  it('accepts a limit of at least 1, with a default of 50 and a maximum of 200', async () => {
    const company = await makeCompany(stack());
    await Promise.all(Array.from({ length: 203 }, () => create(company, {})));
    for (const [query, length] of [
      ['', 50],
      ['?limit=1', 1],
      ['?limit=200', 200],
      ['?limit=201', 200],
      ['?limit=99999999999999999999', 200],
    ] as const) {
      expect(await numbers(company, query), query).to.have.length(length);
    }
    for (const limit of ['0', '-1', '1.5', 'ten', '', '1e2', '+5', '%205']) {
      const { status, body } = await company.get(`/invoices?limit=${limit}`);
      expect([status, body.code, body.parameter], limit).to.deep.equal([
        400,
        'invalid_parameter',
        'limit',
      ]);
    }
  });

  it('links to the next page with an absolute URL and the same filters', async () => {
    const company = await makeCompany(stack());
    await create(company, ...Array.from({ length: 5 }, () => ({ customerName: 'A & B' })), {
      customerName: 'C',
    });
    const seen: number[] = [];
    let path: string | null = '/invoices?limit=2&customerName=a%20%26%20b';
    while (path !== null) {
      const { status, body, headers } = await company.get(path);
      expect(status).to.equal(200);
      seen.push(...body.map(({ number }: Listed) => Number(number.slice(4))));
      const next = nextOf(headers.link);
      if (next !== null) {
        expect(next.startsWith(`${stack().baseUrl}/api/external/invoices?`)).to.equal(true);
        expect(new URL(next).searchParams.get('limit')).to.equal('2');
        expect(new URL(next).searchParams.get('customerName')).to.equal('a & b');
      }
      path = next === null ? null : pathOf(next);
    }
    expect(seen).to.deep.equal([5, 4, 3, 2, 1]);
  });

  it('has no link where a page ends with the last invoice', async () => {
    const company = await makeCompany(stack());
    await create(company, {}, {});
    expect((await company.get('/invoices?limit=2')).headers.link).to.equal(undefined);
    expect((await company.get('/invoices?limit=1')).headers.link).to.be.a('string');
  });

  it('links to PUBLIC_URL where it is set', async () => {
    const web = await startForTests('web', {
      ...stack().env,
      PUBLIC_URL: 'https://trade.example/',
    });
    const company = await makeCompany({ ...stack(), baseUrl: `http://127.0.0.1:${web.port}` });
    await create(company, {}, {});
    const { headers } = await company.get('/invoices?limit=1');
    expect(nextOf(headers.link)).to.match(
      /^https:\/\/trade\.example\/api\/external\/invoices\?limit=1&cursor=/u,
    );
    await web.stop();
  });

  it('keeps its pages stable while invoices are created', async () => {
    const company = await makeCompany(stack());
    const dates = Array.from({ length: 30 }, (_, at) => ({
      date: `2026-11-${String((at % 10) + 1).padStart(2, '0')}`,
    }));
    await Promise.all(dates.map(overrides => create(company, overrides)));
    const before = await numbers(company, '?limit=200');
    const seen: number[] = [];
    let path: string | null = '/invoices?limit=4';
    while (path !== null) {
      const [{ body, headers }] = await Promise.all([
        company.get(path),
        create(company, { date: '2026-11-01' }),
        create(company, { date: '2026-11-05' }),
        create(company, { date: '2026-11-30' }),
      ]);
      seen.push(...body.map(({ number }: Listed) => Number(number.slice(4))));
      const next = nextOf(headers.link);
      path = next === null ? null : pathOf(next);
    }
    expect(new Set(seen).size).to.equal(seen.length);
    expect(seen.filter(number => number <= 30)).to.deep.equal(before);
  });

  it('refuses a foreign or altered cursor with 400', async () => {
    const [company, other] = [await makeCompany(stack()), await makeCompany(stack())];
    await create(company, {}, {});
    await create(other, {}, {});
    const items = ['A', 'B'].map(name => ({ name, delta: 1 }));
    await company.post('/inventory/adjustments', { reason: 'received', items });
    const cursorOf = async (asker: TestCompany, path: string) =>
      new URL(nextOf((await asker.get(path)).headers.link) ?? '').searchParams.get('cursor') ?? '';
    const own = await cursorOf(company, '/invoices?limit=1');
    const last = own.at(-1) === 'A' ? 'B' : 'A';
    const foreign = await cursorOf(other, '/invoices?limit=1');
    const ofInventory = await cursorOf(company, '/inventory?limit=1');
    const forged = Buffer.concat([Buffer.alloc(12), Buffer.from('["x","y"]')]).toString(
      'base64url',
    );
    const position = Buffer.from('["2026-11-20","1"]').toString('base64url');
    const refused = [
      own.slice(0, -1) + last,
      own.slice(1),
      `${own}A`,
      foreign,
      ofInventory,
      forged,
      position,
      'x',
      '',
    ];
    for (const cursor of [...refused, '2', 'A'.repeat(5000)]) {
      const { status, body } = await company.get(`/invoices?cursor=${cursor}`);
      expect([status, body.code], cursor.slice(0, 60)).to.deep.equal([400, 'invalid_cursor']);
    }
    expect(await numbers(company, `?cursor=${own}`)).to.deep.equal([1]);
  });

  it('filters by dates, customer, reference and number, and by all of them at once', async () => {
    const company = await makeCompany(stack());
    await create(
      company,
      { date: '2026-10-31', customerName: 'Straße 1', reference: 'R-1' },
      { date: '2026-11-01', customerName: 'STRASSE  1', reference: 'R-2' },
      { date: '2026-11-15', customerName: 'Other', reference: 'R-2' },
      { date: '2026-11-30', customerName: 'Strasse 1' },
    );
    const strasse = `customerName=${encodeURIComponent('strasse 1')}`;
    const expected: [string, number[]][] = [
      ['from=2026-11-01', [4, 3, 2]],
      ['to=2026-11-15', [3, 2, 1]],
      ['from=2026-11-01&to=2026-11-15', [3, 2]],
      ['from=2026-11-15&to=2026-11-15', [3]],
      [strasse, [4, 2, 1]],
      ['customerName=Stras', []],
      ['reference=R-2', [3, 2]],
      ['reference=r-2', [3, 2]],
      ['number=INV-000003', [3]],
      ['number=3', []],
      ['number=INV-3', []],
      ['number=INV-999999999999999999999999', []],
      ['number=none', []],
      [`from=2026-11-01&to=2026-11-20&${strasse}&reference=R-2&number=INV-000002`, [2]],
      [`from=2026-11-02&${strasse}&reference=R-2`, []],
    ];
    for (const [query, found] of expected)
      expect(await numbers(company, `?${query}`), query).to.deep.equal(found);
  });

  it('finds a number whatever digits its prefix ends in', async () => {
    const company = await makeCompany(stack());
    for (const prefix of ['INV2026', '2026', 'A0', '']) {
      await changeCompany(stack(), company, { invoicePrefix: prefix });
      await create(company, {});
    }
    const found = async (number: string) =>
      (await company.get(`/invoices?number=${number}`)).body.map((i: Listed) => i.number);
    for (const number of ['INV2026000001', '2026000002', 'A0000003', '000004']) {
      expect(await found(number)).to.deep.equal([number]);
    }
    for (const number of ['INV000001', '2026000001', 'A000003', '4', '0'])
      expect(await found(number)).to.deep.equal([]);
  });

  it('refuses unknown, repeated or invalid parameters with 400', async () => {
    const company = await makeCompany(stack());
    const refused: [string, string][] = [
      ['page=2', 'unknown_parameter'],
      ['Limit=2', 'unknown_parameter'],
      ['__proto__=1', 'unknown_parameter'],
      ['limit=1&limit=1', 'invalid_parameter'],
      ['from=2026-11-01&from=2026-11-01', 'invalid_parameter'],
      ['from=2026-02-30', 'invalid_parameter'],
      ['status=overdue', 'invalid_parameter'],
      ['to=today', 'invalid_parameter'],
      ['from=', 'invalid_parameter'],
      ['customerName=', 'invalid_parameter'],
      ['customerName=%FF', 'invalid_parameter'],
      ['reference=a%00', 'invalid_parameter'],
      [`reference=${'r'.repeat(101)}`, 'invalid_parameter'],
    ];
    for (const [query, code] of refused) {
      const { status, body } = await company.get(`/invoices?${query}`);
      expect([status, body.code], query).to.deep.equal([400, code]);
      if (query === 'status=overdue') expect(body.detail).to.contain('send overdue=1');
    }
    for (const path of [
      '/invoices/0198c0de-0000-7000-8000-000000000000',
      '/jobs/0198c0de-0000-7000-8000-000000000000',
    ]) {
      expect((await company.get(`${path}?x=1`)).body.code).to.equal('unknown_parameter');
    }
    expect((await company.post('/invoices?x=1', invoiceRequest())).body.code).to.equal(
      'unknown_parameter',
    );
  });

  it('needs invoices:read, like a single invoice; creating needs invoices:write', async () => {
    const company = await makeCompany(stack(), { scopes: ['invoices:write'] });
    const created = await company.post('/invoices', invoiceRequest());
    expect(created.status).to.equal(201);
    for (const path of ['/invoices', `/invoices/${created.body.id}`]) {
      const { status, body } = await company.get(path);
      expect([status, body.code, body.requiredScope]).to.deep.equal([
        403,
        'insufficient_scope',
        'invoices:read',
      ]);
    }
    const reader = await makeCompany(stack(), { scopes: ['invoices:read'] });
    const refused = await reader.post('/invoices', invoiceRequest());
    expect([refused.status, refused.body.requiredScope]).to.deep.equal([403, 'invoices:write']);
    expect(
      (await send(stack().baseUrl, 'HEAD', '/api/external/invoices', { key: reader.key })).status,
    ).to.equal(200);
  });
});
