// The roles: every route of the dashboard for every role, the links that a page offers, and the
// pages of the warehouse, which show no money.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Attempts } from '../../src/dashboard/account/attempts.js';
import { admits } from '../../src/dashboard/kit/page.js';
import { RouteTable } from '../../src/dashboard/kit/route-table.js';
import { routeTable } from '../../src/dashboard/routes.js';
import { may, PERMISSIONS, type Permission, ROLES, type Role } from '../../src/users/roles.js';
import type { Session } from '../../src/users/sessions.js';
import type { Response } from '../support/client.js';
import { Browser, makeSession, makeUser, signedIn } from '../support/dashboard.js';
import { makeCompany, receive } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { credit, issue, pay } from '../support/ledger.js';
import { ROOT, until } from '../support/processes.js';
import { openRaw, statusOf } from '../support/raw.js';
import { describeMode, type Stack } from '../support/suite.js';

const LETTERS: Readonly<Record<Role, string>> = {
  owner: 'O',
  member: 'M',
  warehouse: 'W',
  readonly: 'R',
};

/** The roles that may use each route, by their first letters. Operators may use those with ''. */
const EXPECTED: Readonly<Record<string, string>> = {
  'GET /': 'OMWR',
  'POST /overview/hide-first-steps': 'O',

  'GET /invoices': 'OMR',
  'GET /search': 'OMWR',
  'GET /tax-report': 'OMR',
  'GET /tax-report/export.csv': 'OMR',
  'GET /invoices/export.csv': 'OMR',
  'GET /invoices/lines.csv': 'OMR',
  'GET /invoices/drafts': 'OMR',
  'GET /invoices/drafts/:id/print': 'OMR',
  'GET /invoices/drafts/:id/delete': 'OM',
  'POST /invoices/drafts/:id/delete': 'OM',
  'GET /invoices/:id': 'OMR',
  'GET /invoices/:id/print': 'OMR',
  'GET /invoices/:id/pdf': 'OMR',
  'GET /invoices/:id/delivery-note': 'OMR',
  'GET /invoices/:id/ubl': 'OMR',
  'GET /invoices/:id/cii': 'OMR',
  'GET /credit-notes/:id/pdf': 'OMR',
  'GET /credit-notes/:id/ubl': 'OMR',
  'GET /credit-notes/:id/cii': 'OMR',
  'GET /invoices/:id/send': 'OM',
  'POST /invoices/:id/send': 'OM',
  'GET /emails/failed': 'OMR',
  'GET /credit-notes/:id/send': 'OM',
  'POST /credit-notes/:id/send': 'OM',
  'GET /settings/documents': 'OR',
  'POST /settings/documents': 'O',
  'POST /settings/documents/logo': 'O',
  'POST /settings/documents/logo/remove': 'O',
  'GET /settings/documents/sample': 'OR',
  'GET /invoices/new': 'OM',
  'POST /invoices/new': 'OM',
  'GET /invoices/items': 'OM',
  'GET /invoices/customers': 'OM',
  'GET /invoices/jobs/:id': 'OM',
  'GET /invoices/:id/credit': 'OM',
  'POST /invoices/:id/credit': 'OM',
  'GET /invoices/:id/void': 'OM',
  'POST /invoices/:id/void': 'OM',

  'GET /payments': 'OMR',
  'GET /payments/export.csv': 'OMR',
  'GET /payments/:id': 'OMR',
  'GET /payments/new': 'OM',
  'POST /payments/new': 'OM',
  'GET /payments/:id/reverse': 'OM',
  'POST /payments/:id/reverse': 'OM',
  'GET /payments/:id/allocate': 'OM',
  'POST /payments/:id/allocate': 'OM',
  'GET /payments/:id/refund': 'OM',
  'POST /payments/:id/refund': 'OM',
  'GET /payments/jobs/:id': 'OM',

  'GET /credit-notes': 'OMR',
  'GET /credit-notes/export.csv': 'OMR',
  'GET /credit-notes/new': 'OM',
  'GET /credit-notes/:id': 'OMR',
  'GET /credit-notes/:id/print': 'OMR',
  'GET /credit-notes/:id/allocate': 'OM',
  'POST /credit-notes/:id/allocate': 'OM',
  'GET /credit-notes/:id/refund': 'OM',
  'POST /credit-notes/:id/refund': 'OM',

  'GET /customers': 'OMWR',
  'GET /customers/new': 'OM',
  'POST /customers/new': 'OM',
  'GET /customers/export.csv': 'OMR',
  'GET /customers/import': 'OM',
  'POST /customers/import': 'OM',
  'GET /customers/imports/:id': 'OM',
  'POST /customers/imports/:id/format': 'OM',
  'POST /customers/imports/:id/columns': 'OM',
  'POST /customers/imports/:id/undo': 'OM',
  'POST /customers/imports/:id/start': 'OM',
  'GET /customers/imports/:id/progress': 'OM',
  'GET /customers/imports/:id/left.csv': 'OM',
  'GET /customers/names': 'OM',
  'POST /customers/names': 'OM',
  'GET /customers/name': 'OMR',
  'GET /customers/name/statement.csv': 'OMR',
  'GET /customers/name/open-items.csv': 'OMR',
  'GET /customers/name/print': 'OMR',
  'GET /customers/:id': 'OMR',
  'GET /customers/:id/statement.csv': 'OMR',
  'GET /customers/:id/open-items.csv': 'OMR',
  'GET /customers/:id/print': 'OMR',
  'GET /receivables': 'OMR',
  'GET /receivables/export.csv': 'OMR',
  'GET /customers/:id/edit': 'OM',
  'POST /customers/:id/edit': 'OM',
  'GET /customers/:id/history': 'OMR',
  'GET /customers/:id/merge': 'OM',
  'POST /customers/:id/merge': 'OM',
  'POST /customers/:id/archive': 'OM',
  'POST /customers/:id/restore': 'OM',
  'GET /customers/:id/delete': 'OM',
  'POST /customers/:id/delete': 'OM',

  'GET /inventory': 'OMWR',
  'GET /inventory/export.csv': 'OMWR',
  'GET /inventory/movements.csv': 'OMWR',
  'GET /inventory/:id': 'OMWR',
  'GET /inventory/:id/movements.csv': 'OMWR',
  'GET /inventory/new': 'OMW',
  'POST /inventory/new': 'OMW',
  'GET /inventory/receive': 'OMW',
  'POST /inventory/receive': 'OMW',
  'GET /inventory/deliveries': 'OMWR',
  'GET /inventory/deliveries/:id': 'OMWR',
  'GET /inventory/deliveries/:id/correct': 'OMW',
  'POST /inventory/deliveries/:id/correct': 'OMW',
  'GET /inventory/adjustments/:id/undo': 'OMW',
  'POST /inventory/adjustments/:id/undo': 'OMW',
  'GET /inventory/counts': 'OMW',
  'POST /inventory/counts': 'OMW',
  'GET /inventory/counts/:id': 'OMW',
  'POST /inventory/counts/:id': 'OMW',
  'POST /inventory/counts/:id/remove/:itemId': 'OMW',
  'GET /inventory/counts/:id/delete': 'OMW',
  'POST /inventory/counts/:id/delete': 'OMW',
  'GET /inventory/counts/:id/review': 'OMW',
  'POST /inventory/counts/:id/review': 'OMW',
  'GET /inventory/suggestions': 'OMW',
  'GET /inventory/jobs/:id': 'OMW',
  'POST /inventory/:id/adjust': 'OMW',
  'POST /inventory/:id/details': 'OMW',
  'POST /inventory/:id/archive': 'OMW',
  'POST /inventory/:id/restore': 'OMW',
  'GET /inventory/import': 'OM',
  'POST /inventory/import': 'OM',
  'GET /inventory/imports/:id': 'OM',
  'POST /inventory/imports/:id/start': 'OM',
  'POST /inventory/imports/:id/format': 'OM',
  'POST /inventory/imports/:id/columns': 'OM',
  'POST /inventory/imports/:id/undo': 'OM',
  'GET /inventory/imports/:id/progress': 'OM',
  'GET /inventory/imports/:id/left.csv': 'OM',

  'GET /settings': 'OR',
  'POST /settings': 'O',
  'GET /settings/members': 'O',
  'POST /settings/members/invitations': 'O',
  'POST /settings/members/invitations/:id/withdraw': 'O',
  'GET /settings/members/:id': 'O',
  'POST /settings/members/:id/reset-link': 'O',
  'GET /settings/members/:id/role': 'O',
  'POST /settings/members/:id/role': 'O',
  'POST /settings/members/:id/disable': 'O',
  'POST /settings/members/:id/enable': 'O',
  'GET /integrations': 'O',
  'GET /integrations/events': 'O',
  'GET /integrations/api-access': 'O',
  'GET /integrations/api-access/new': 'O',
  'POST /integrations/api-access/new': 'O',
  'GET /integrations/api-access/:id': 'O',
  'POST /integrations/api-access/:id/rotate': 'O',
  'POST /integrations/api-access/:id/scopes': 'O',
  'POST /integrations/api-access/:id/revoke': 'O',
  'GET /integrations/webhooks': 'O',
  'GET /integrations/webhooks/new': 'O',
  'POST /integrations/webhooks/new': 'O',
  'GET /integrations/webhooks/:id': 'O',
  'GET /integrations/webhooks/:id/delivery': 'O',
  'POST /integrations/webhooks/:id/redeliver-one': 'O',
  'POST /integrations/webhooks/:id/test': 'O',
  'POST /integrations/webhooks/:id/pause': 'O',
  'POST /integrations/webhooks/:id/resume': 'O',
  'POST /integrations/webhooks/:id/redeliver': 'O',
  'POST /integrations/webhooks/:id/rotate': 'O',
  'POST /integrations/webhooks/:id/delete': 'O',

  'GET /account': 'OMWR',
  'POST /account/name': 'OMWR',
  'POST /account/password': 'OMWR',
  'POST /account/sign-out-everywhere': 'OMWR',
  'POST /sign-out': 'OMWR',
  'GET /sign-in': 'OMWR',
  'POST /sign-in': 'OMWR',
  'GET /sign-up': 'OMWR',
  'POST /sign-up': 'OMWR',
  'GET /invitations/:token': 'OMWR',
  'POST /invitations/:token': 'OMWR',
  'GET /reset-password/:token': 'OMWR',
  'POST /reset-password/:token': 'OMWR',

  'GET /admin/jobs': '',
  'POST /admin/jobs/:companyId/:id/retry': '',
  'GET /admin/companies': '',
};

const routes = routeTable({} as Attempts, { submitter: null, pager: null, usage: null } as never);
const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method.toUpperCase()} ${path}`;

/** Before the server gives up waiting for a file of which nothing arrives. */
const ANSWER_MS = 15_000;
const NO_ACCESS = 'You don’t have access to this page. Ask an owner.';

describe('the table of what each role may do', () => {
  it('is expected here for every route', () => {
    expect(routes.map(nameOf).sort()).to.deep.equal(Object.keys(EXPECTED).sort());
  });

  it('is the same in docs/roles.md', () => {
    const text = readFileSync(join(ROOT, 'docs/roles.md'), 'utf8');
    const rows = [...text.matchAll(/^\| ([^|]+) \|(.+)\|$/gmu)].map(([, what = '', cells = '']) => [
      what,
      cells.split('|').map(cell => cell.trim()),
    ]);
    expect(rows).to.deep.equal(
      (Object.keys(PERMISSIONS) as Permission[]).map(permission => [
        PERMISSIONS[permission].text,
        ROLES.map(role => (may(role, permission) ? 'yes' : '–')),
      ]),
    );
  });
});

describeMode('postgres', 'a role', stack => {
  /** One request per route and method, for records that do not exist. */
  const outcomeOf = async (browser: Browser, route: (typeof routes)[number]) => {
    const path = route.path.replaceAll(/:\w+/gu, () => uuidv7());
    if (route.method === 'get') return browser.get(path);
    return route.fileLimitBytes === undefined
      ? browser.post('/account', path, {})
      : browser.upload('/account', path, {}, null);
  };

  for (const role of ROLES) {
    it(`of ${role} opens its routes and no others`, async () => {
      const { companyId } = await makeCompany(stack());
      const { userId } = await makeUser(stack(), companyId, { role });
      const wrong: string[] = [];
      let browser = new Browser(stack().baseUrl);
      for (const route of routes) {
        if (!browser.cookies.has('session'))
          browser = new Browser(stack().baseUrl, await makeSession(stack(), companyId, userId));
        const { status, text } = await outcomeOf(browser, route);
        const roles = EXPECTED[nameOf(route)] ?? 'unknown';
        const isOpen = !(status === 403 && text.includes(NO_ACCESS)) && status < 500;
        const isExpected = roles === '' ? status === 404 : isOpen === roles.includes(LETTERS[role]);
        if (!isExpected) wrong.push(`${nameOf(route)}: ${status}`);
        if (route.path === '/account/sign-out-everywhere') browser.cookies.delete('session');
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('is checked before a file is received', async () => {
    const { companyId } = await makeCompany(stack());
    const { userId } = await makeUser(stack(), companyId, { role: 'readonly' });
    const { host, origin, port } = new URL(stack().baseUrl);
    const { cookies } = new Browser(stack().baseUrl, await makeSession(stack(), companyId, userId));
    const head = (path: string) =>
      [
        ...[`POST ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${origin}`, 'Accept: text/html'],
        `Cookie: session=${cookies.get('session')}`,
        'Content-Type: multipart/form-data; boundary=end',
        `Content-Length: ${10 * 1024 * 1024}`,
        '\r\n',
      ].join('\r\n');
    for (const { path } of routes.filter(({ fileLimitBytes }) => fileLimitBytes !== undefined)) {
      const { socket, text, closed } = openRaw(Number(port));
      socket.write(head(path));
      await until(`${path} is answered`, async () => statusOf(text()) > 0, ANSWER_MS);
      expect(statusOf(text()), path).to.equal(403);
      await closed;
    }
  });

  it('does not decide who operates the installation', async () => {
    const { companyId } = await makeCompany(stack());
    const options = { role: 'warehouse', operator: true } as const;
    const { browser } = await signedIn(stack(), companyId, options);
    expect((await browser.get('/admin/companies')).status).to.equal(200);
    expect((await browser.get('/invoices')).status).to.equal(403);
  });

  it('applies from the next request on', async () => {
    const { companyId } = await makeCompany(stack());
    const { browser, user } = await signedIn(stack(), companyId, { role: 'member' });
    const owner = (await signedIn(stack(), companyId)).browser;
    const { token = '' } = fieldsOf(await browser.get('/inventory/new'));
    const page = `/settings/members/${user.userId}`;
    const change = { role: 'readonly', from: 'member' };
    expect((await owner.post('/account', `${page}/role`, change)).status).to.equal(303);
    const late = await browser.send('/inventory/new', { token, key: uuidv7(), name: 'Valve' });
    expect([late.status, late.text.includes(NO_ACCESS)]).to.deep.equal([403, true]);
    await owner.post('/account', `${page}/disable`, {});
    expect((await browser.get('/inventory')).headers.location).to.contain('/sign-in');
  });
});

/** Amounts that occur nowhere else, and what they amount to in totals. */
const COST = 7531.25;
const PRICE = 8642.75;
// An id may have the same digits.
const AMOUNT = /\$|(?<![\w-])(?:7,?531|8,?642|25,?928|75,?312)(?![\w-])/u;

/** A company with a record of each kind, and the addresses of all its pages. */
async function makeBooks(stack: Stack) {
  const company = await makeCompany(stack);
  const [itemId = ''] = await receive(company, {
    ...{ name: 'Valve', sku: 'V-1', delta: 10, reorderPoint: 20 },
    ...{ unitCost: COST, unitPrice: PRICE },
  });
  const lines = { items: [{ name: 'Valve', qty: 3, price: PRICE }] };
  const invoice = await issue(company, { ...lines, date: '2026-11-20' });
  const paid = await pay(company, 20_000, [invoice]);
  const unallocated = await pay(company, 50, [], { customerName: 'Quay' });
  const note = await credit(company, invoice, { items: [{ line: 1, qty: 1, restock: true }] });
  const [delivery] = await stack.sql<{ id: string }>(
    'SELECT id FROM adjustments WHERE company_id = $1',
    [company.companyId],
  );
  const deliveryId = delivery?.id ?? '';
  const ids: Record<string, string> = {
    deliveries: deliveryId,
    inventory: itemId,
    invoices: invoice.id,
    payments: unallocated.id,
    'credit-notes': note.id,
    'api-access': company.keyId,
    members: (await makeUser(stack, company.companyId, { role: 'member' })).userId,
  };
  const pages = routes
    .filter(({ method, guard }) => method === 'get' && guard !== 'anyone' && guard !== 'operator')
    .map(({ path, guard }) => {
      const [, section = ''] = /([\w-]+)\/:id/u.exec(path) ?? [];
      return { path: path.replace(':id', ids[section] ?? uuidv7()), guard };
    });
  const more = [
    '/inventory?low=1',
    '/inventory/suggestions?q=v',
    '/inventory/suggestions?named=v-1',
  ];
  const paths = [...more, `/payments/${paid.id}`];
  const guards = ['see-stock', 'change-stock', 'change-stock', 'see-sales'] as const;
  return {
    company,
    itemId,
    deliveryId,
    pages: [...pages, ...paths.map((path, at) => ({ path, guard: guards[at] as Permission }))],
  };
}

describeMode('postgres', 'the pages of a role', stack => {
  type Books = Awaited<ReturnType<typeof makeBooks>>;
  let books: Books;
  const visits = new Map<Role, Map<string, Response>>();

  before(async () => {
    books = await makeBooks(stack());
    for (const role of ROLES) {
      const { browser } = await signedIn(stack(), books.company.companyId, { role });
      const responses = new Map<string, Response>();
      for (const { path, guard } of books.pages) {
        if (admits(guard, { role } as Session)) responses.set(path, await browser.get(path));
      }
      visits.set(role, responses);
    }
  });

  for (const role of ROLES) {
    it(`of ${role} have no link and no form that is refused`, () => {
      const table = new RouteTable(routes);
      const isRefused = (address: string, method: string) => {
        const guard = table.match(new URL(address, 'http://own').pathname, method)?.route?.guard;
        return guard !== undefined && guard !== 'operator' && !admits(guard, { role } as Session);
      };
      const responses = visits.get(role) ?? new Map<string, Response>();
      const wrong = [...responses].flatMap(([path, { text }]) => {
        const links = [...text.matchAll(/ href="(\/[^"]*)"/gu)].map(([, to = '']) => ['GET', to]);
        const forms = [...text.matchAll(/<form([^>]*) action="(\/[^"]*)"/gu)].map(
          ([, before = '', to = '']) => [before.includes('method="get"') ? 'GET' : 'POST', to],
        );
        return [...links, ...forms]
          .filter(([method = '', to = '']) => isRefused(to.replaceAll('&amp;', '&'), method))
          .map(to => `${path}: ${to.join(' ')}`);
      });
      expect(wrong).to.deep.equal([]);
      expect([...responses.values()].filter(({ status }) => status >= 500)).to.deep.equal([]);
      expect(responses.get('/inventory')?.status).to.equal(200);
    });
  }

  it('show no money to the warehouse', () => {
    const withMoney = (role: Role) =>
      [...(visits.get(role) ?? [])]
        .filter(([, { text }]) => AMOUNT.test(text) || /unit ?(?:cost|price)/iu.test(text))
        .map(([path]) => path);
    expect(withMoney('warehouse')).to.deep.equal([]);
    expect(withMoney('member')).to.include.members([
      '/',
      '/invoices',
      '/inventory',
      '/inventory/export.csv',
      `/inventory/${books.itemId}`,
      `/inventory/deliveries/${books.deliveryId}`,
      '/inventory/suggestions?q=v',
      '/inventory/suggestions?named=v-1',
      '/inventory/new',
      '/inventory/receive',
    ]);
  });

  it('start with the items to reorder for the warehouse', () => {
    const text = textOf(visits.get('warehouse')?.get('/') as Response);
    expect(text).to.match(/Low stock 1 .*Valve .*reorder at/u);
    const movements = visits.get('warehouse')?.get(`/inventory/${books.itemId}`)?.text;
    expect(movements).to.contain('<span> · INV-000001</span>');
  });

  it('show the settings to read only, without a way to change them', () => {
    const text = visits.get('readonly')?.get('/settings')?.text ?? '';
    expect(text).to.contain('<fieldset class="form wide" aria-label="Company" disabled>');
    expect(text).not.to.contain('>Save<');
  });
});

describeMode('postgres', 'the forms of the warehouse', stack => {
  const arrange = async () => {
    const company = await makeCompany(stack());
    const entry = { name: 'Valve', delta: 10, unitCost: 4, unitPrice: 9 };
    const [itemId = ''] = await receive(company, entry);
    const { browser } = await signedIn(stack(), company.companyId, { role: 'warehouse' });
    const items = () =>
      stack().sql(
        `SELECT name,
           on_hand::float8 AS "onHand",
           unit_cost::float8 AS "unitCost",
           unit_price::float8 AS "unitPrice"
         FROM items
         WHERE company_id = $1
         ORDER BY created_at, id`,
        [company.companyId],
      );
    return { page: `/inventory/${itemId}`, browser, items };
  };
  const valve = { name: 'Valve', onHand: 10, unitCost: 4, unitPrice: 9 };

  it('cannot set a price, whatever is sent', async () => {
    const { page, browser, items } = await arrange();
    const line = { 'items.0.item': 'Valve', 'items.0.quantity': '1', 'items.0.unitCost': '1' };
    const details = { name: 'Tap', reorderPoint: '0' };
    const attempts: [string, Record<string, string>][] = [
      ['/inventory/new', { name: 'Pipe', unitPrice: '1' }],
      ['/inventory/new', { name: 'Pipe', unitCost: '0' }],
      [`${page}/details`, { ...details, unitPrice: '1' }],
      [`${page}/details`, { ...details, unitCost: '1' }],
      ['/inventory/receive', line],
      ['/inventory/receive', { ...line, do: 'send' }],
    ];
    for (const [action, fields] of attempts) {
      const { status, text } = await browser.post('/account', action, { key: uuidv7(), ...fields });
      expect(status, action).to.equal(403);
      expect(text).to.contain('You may not set prices and costs, so nothing was saved.');
    }
    expect(await items()).to.deep.equal([valve]);
  });

  it('change an item without its prices, which remain', async () => {
    const { page, browser, items } = await arrange();
    const { text } = await browser.get(page);
    const form = fieldsOf({ text: text.slice(text.indexOf(`action="${page}/details"`)) });
    const fields = { ...(form as Record<string, string>), name: 'Tap', unit: 'pc' };
    const saved = await browser.send(`${page}/details`, fields);
    expect(saved.status).to.equal(303);
    expect(await items()).to.deep.equal([{ ...valve, name: 'Tap' }]);
  });

  it('receive a copied list without its costs', async () => {
    const { browser, items } = await arrange();
    const review = await browser.post('/inventory/receive', '/inventory/receive', {
      pasted: 'Valve\t5\t3.50\nPipe\t2\t1.25',
    });
    expect(review.status).to.equal(200);
    expect(textOf(review)).not.to.match(/cost|3\.5|1\.25/iu);
    const form = fieldsOf(review) as Record<string, string>;
    await browser.send('/inventory/receive', { ...form, do: 'send' });
    expect(await items()).to.deep.equal([
      { ...valve, onHand: 15 },
      { name: 'Pipe', onHand: 2, unitCost: null, unitPrice: null },
    ]);
  });
});
