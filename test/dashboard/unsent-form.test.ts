// Input is not lost if the session ends or changes before a form arrives: it is carried through the
// sign-in and submitted after a confirmation by the current user. Nor is it lost while the service
// is unavailable.

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Response } from '../support/client.js';
import { Browser, formErrors, makeUser, PASSWORD, signedIn } from '../support/dashboard.js';
import { today } from '../support/days.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const decode = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** The hidden fields of the form with this action, as a browser would send them. */
const hiddenIn = ({ text }: Response, action: string): Record<string, string> => {
  const form = [...text.matchAll(/<form [^>]*action="([^"]*)".*?<\/form>/gsu)].find(
    ([, to]) => to === action,
  )?.[0];
  const inputs = [
    ...(form ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/gu),
  ];
  return Object.fromEntries(
    inputs.map(([, name = '', value = '']) => [decode(name), decode(value)]),
  );
};

const HTML = { headers: { accept: 'text/html' } };

/** The fields of an invoice with the most lines, as its page sends them. */
function longInvoice(name: string): Record<string, string> {
  const lines = Array.from({ length: 250 }, (_, at) => [
    [`items.${at}.name`, `${name} ${at}`],
    [`items.${at}.sku`, ''],
    [`items.${at}.qty`, '1'],
    [`items.${at}.price`, '1.5'],
    [`items.${at}.discount`, ''],
    [`items.${at}.taxRate`, ''],
    [`items.${at}.taxCategory`, ''],
  ]);
  return {
    key: uuidv7(),
    'generated.key': '1',
    customerName: 'A',
    date: today(),
    ...Object.fromEntries(lines.flat()),
  };
}

describeMode('postgres', 'a form that arrives after its session ended', stack => {
  const arrange = async (options: Parameters<typeof makeUser>[2] = { role: 'member' }) => {
    const company = await makeCompany(stack());
    const [itemId = ''] = await receive(company, { name: 'Pump', delta: 3 });
    const { browser, user } = await signedIn(stack(), company.companyId, options);
    const action = `/inventory/${itemId}/adjust`;
    const input = {
      key: uuidv7(),
      'generated.key': '1',
      how: 'add',
      quantity: '2',
      addReason: 'received',
      expectedOnHand: '3',
      'generated.expectedOnHand': '1',
      note: 'a\r\nb',
    };
    const onHand = async () => (await company.get('/inventory')).body[0].onHand;
    return { company, itemId, browser, user, action, input, onHand };
  };
  const endSessions = ({ companyId }: TestCompany) =>
    stack().sql('DELETE FROM sessions WHERE company_id = $1', [companyId]);
  /** Signs in with the form on the page, including its hidden fields. */
  const signIn = (browser: Browser, page: Response, email: string, password = PASSWORD) =>
    browser.send('/sign-in', { ...hiddenIn(page, '/sign-in'), email, password });

  it('is carried through the sign-in, shown, and submitted once after a confirmation', async () => {
    const { company, browser, user, action, input, onHand } = await arrange();
    const page = await browser.get(action.replace('/adjust', ''));
    const { token = '' } = hiddenIn(page, action);
    await endSessions(company);
    const ended = await browser.send(action, { token, ...input });
    expect([ended.status, ended.headers['www-authenticate']]).to.deep.equal([
      401,
      'Cookie realm="dashboard"',
    ]);
    expect(textOf(ended)).to.contain(
      'Your session has ended. Sign in again. Your form is still here; ' +
        'it has not been submitted yet.',
    );
    expect(ended.text).not.to.contain(token);
    const wrong = await signIn(browser, ended, user.email, 'not this one');
    expect(wrong.status).to.equal(422);
    expect(formErrors(wrong)['']).to.contain('Incorrect');
    expect(textOf(wrong)).to.contain('has not been submitted yet');
    expect(hiddenIn(wrong, '/sign-in')).to.deep.equal(hiddenIn(ended, '/sign-in'));
    const confirm = await signIn(browser, wrong, user.email);
    expect(confirm.status).to.equal(200);
    expect(textOf(confirm))
      .to.contain(`As ${user.email}, for Test company`)
      .and.contain('it has not been submitted yet');
    expect(textOf(confirm))
      .to.contain('Quantity 2 Add reason received Note a b')
      .and.not.contain(input.key);
    const { token: fresh, ...sent } = hiddenIn(confirm, action);
    expect(sent).to.deep.equal(input);
    expect(await onHand()).to.equal(3);
    expect(confirm.text).to.contain('Submit').and.contain('href="/"');
    for (const _ of [1, 2])
      expect((await browser.send(action, { token: fresh ?? '', ...sent })).status).to.equal(303);
    expect(await onHand()).to.equal(5);
    expect(textOf(await browser.get('/inventory'))).to.contain('Stock of Pump updated: 5 on hand.');
  });

  it('shows any input as text, never as markup', async () => {
    const { company, browser, user, action, input } = await arrange();
    await endSessions(company);
    const evil = `"><script>alert(1)</script>'`;
    const fields = { ...input, note: evil, [evil]: evil };
    const ended = await browser.send(action, fields);
    const confirm = await signIn(browser, ended, user.email);
    for (const page of [ended, confirm])
      expect(page.text).to.contain('alert(1)').and.not.contain('<script>');
    expect(hiddenIn(confirm, action)).to.include({ note: evil, [evil]: evil });
  });

  it('never carries a password', async () => {
    const { company, browser, user } = await arrange();
    await endSessions(company);
    const passwords = { currentPassword: 'old secret 1', newPassword: 'new secret 2' };
    const nothing = await browser.send('/account/password', passwords);
    expect([nothing.status, nothing.headers.location]).to.deep.equal([303, '/sign-in']);
    const ended = await browser.send('/account/password', { ...passwords, remark: 'mine' });
    expect(ended.status).to.equal(401);
    const forged = {
      unsentPath: '/account/password',
      'unsent.newPassword': 'new secret 2',
      'unsent.remark': 'mine',
    };
    const credentials = { email: user.email, password: 'wrong secret 3' };
    const wrong = await browser.send('/sign-in', { ...forged, ...credentials });
    const confirm = await browser.send('/sign-in', {
      ...forged,
      ...credentials,
      password: PASSWORD,
    });
    for (const page of [ended, wrong, confirm]) {
      expect(page.text).to.contain('mine').and.not.contain('secret').and.not.contain(PASSWORD);
    }
  });

  it('is only accepted for forms of the dashboard that need a session', async () => {
    const { user } = await arrange();
    for (const unsentPath of [
      'https://evil.example/inventory/new',
      '//evil.example/inventory/new',
      '//',
      '/\\evil.example',
      '/inventory/%2e%2e/adjust',
      '/inventory/../adjust',
      '/inventory/a\tb/adjust',
      '/inventory/new?x=1',
      '/inventory/new#x',
      'javascript:alert(1)',
      '/inventory',
      '/inventory/import',
      '/sign-in',
      '/sign-up',
      '/invitations/x',
      '/api/external/invoices',
      '',
    ]) {
      const fields = { unsentPath, 'unsent.name': 'Hose', email: user.email, next: '/account' };
      const browser = new Browser(stack().baseUrl);
      const wrong = await browser.send('/sign-in', { ...fields, password: 'not this one' });
      expect(wrong.text, unsentPath).not.to.contain('Hose');
      const { status, headers } = await browser.send('/sign-in', { ...fields, password: PASSWORD });
      expect([status, headers.location], unsentPath).to.deep.equal([303, '/account']);
    }
  });

  it('is refused from another site, as is a sign-in that carries one', async () => {
    const { user, input, action } = await arrange();
    const stranger = new Browser(stack().baseUrl);
    const foreign = { headers: { origin: 'https://evil.example' } };
    const ended = await stranger.send(action, input, foreign);
    const fields = {
      unsentPath: action,
      'unsent.note': 'entered by evil',
      email: user.email,
      password: PASSWORD,
    };
    const signedInWith = await stranger.send('/sign-in', fields, foreign);
    for (const { status, text } of [ended, signedInWith]) {
      expect(status).to.equal(403);
      expect(text).to.contain('another site').and.not.contain('name="unsent');
    }
    expect(stranger.cookies.size).to.equal(0);
  });

  it('changes nothing for another company whose user signs in instead', async () => {
    const { company, browser, action, input, onHand } = await arrange();
    const { company: otherCompany, user: other } = await arrange();
    await endSessions(company);
    const confirm = await signIn(browser, await browser.send(action, input), other.email);
    expect(textOf(confirm)).to.contain(`As ${other.email}`);
    expect((await browser.send(action, hiddenIn(confirm, action))).status).to.equal(404);
    expect([await onHand(), (await otherCompany.get('/inventory')).body[0].onHand]).to.deep.equal([
      3, 3,
    ]);
  });

  it('is not offered to a user without the permission', async () => {
    const { company, browser } = await arrange({ role: 'owner' });
    const { email } = await makeUser(stack(), company.companyId, { role: 'member' });
    await endSessions(company);
    const ended = await browser.send('/settings', { name: 'Renamed', timeZone: 'UTC' });
    const { status, headers } = await signIn(browser, ended, email);
    expect([status, headers.location]).to.deep.equal([303, '/']);
    expect(textOf(await browser.get('/'))).to.contain('was not submitted: you don’t have access');
  });

  it('only redirects to the sign-in if nothing was entered', async () => {
    const { company, browser } = await arrange();
    await endSessions(company);
    for (const [action, fields] of [
      ['/sign-out', { token: 'x' }],
      [`/settings/members/${uuidv7()}/role`, { role: 'owner', 'generated.role': '1' }],
      ['/inventory/new', { key: uuidv7(), 'generated.key': '1', name: ' ' }],
    ] as [string, Record<string, string>][]) {
      const { status, headers } = await browser.send(action, fields);
      expect([status, headers.location], action).to.deep.equal([303, '/sign-in']);
    }
  });

  it('is carried if it has as many lines as the longest invoice', async () => {
    const { company, browser, user } = await arrange();
    await endSessions(company);
    const input = longInvoice('Part');
    const confirm = await signIn(browser, await browser.send('/invoices/new', input), user.email);
    expect(confirm.status).to.equal(200);
    expect(textOf(confirm)).to.contain('Line 1 name Part 0').and.contain('more fields');
    const { status } = await browser.send('/invoices/new', hiddenIn(confirm, '/invoices/new'));
    expect(status).to.equal(303);
    // A write that takes longer than the page waits is created after its answer.
    const invoices = async () => (await company.get('/invoices')).body;
    await until('the invoice is there', async () => (await invoices()).length > 0);
    expect((await invoices())[0].total).to.equal(375);
  });

  it('is reported lost if it has too many bytes or fields, or cannot be carried', async () => {
    const { company, browser } = await arrange();
    await endSessions(company);
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`field${at}`, 'x']));
    const refused = [many, longInvoice('製品'.repeat(70)), { note: 'x'.repeat(60_000) }];
    for (const input of refused) {
      const ended = await browser.send('/invoices/new', input, HTML);
      expect(ended.status).to.equal(413);
      expect(textOf(ended)).to.contain(
        'Your session has ended. Your form was not submitted, and it is too long to carry over. ' +
          'Sign in again in another tab',
      );
      expect(ended.text).not.to.contain('name="unsent');
    }
  });
});

describeMode('postgres', 'a form whose page is older than the session', stack => {
  it('is submitted with a current token, but only after a confirmation', async () => {
    const company = await makeCompany(stack());
    const { browser, user } = await signedIn(stack(), company.companyId);
    const page = await browser.get('/inventory/new');
    const input: Record<string, string> = {
      ...hiddenIn(page, '/inventory/new'),
      name: 'Hose <5>',
      delta: '4',
    };
    await browser.send('/sign-in', { email: user.email, password: PASSWORD });
    const stale = await browser.send('/inventory/new', input);
    expect(stale.status).to.equal(403);
    expect(textOf(stale)).to.contain('page was out of date').and.contain('Nothing was submitted.');
    expect(textOf(stale)).to.contain('Name Hose &lt;5> On hand 4');
    expect((await company.get('/inventory')).body).to.deep.equal([]);
    const { token = '', ...again } = hiddenIn(stale, '/inventory/new');
    expect({ ...again, token: input.token ?? '' }).to.deep.equal(input);
    expect(token).not.to.equal(input.token);
    expect((await browser.send('/inventory/new', { ...again, token })).status).to.equal(303);
    expect((await company.get('/inventory')).body[0]).to.include({ name: 'Hose <5>', onHand: 4 });
  });

  it('is refused without the permission, and if nothing was entered', async () => {
    const { companyId } = await makeCompany(stack());
    const { browser } = await signedIn(stack(), companyId, { role: 'member' });
    const settings = await browser.send('/settings', { name: 'Mine now', timeZone: 'UTC' });
    expect([settings.status, textOf(settings)].join(' '))
      .to.contain('403')
      .and.contain('don’t have access');
    const { status, text } = await browser.send('/sign-out', { token: 'x' });
    expect(status).to.equal(403);
    expect(text).to.contain('out of date').and.not.contain('Submit');
  });
});

describeMode('postgres', 'a form during an outage', stack => {
  it('can be submitted again from the error page, with all its input', async () => {
    const company = await makeCompany(stack());
    const [itemId = ''] = await receive(company, { name: 'Pump', delta: 3 });
    const { browser } = await signedIn(stack(), company.companyId);
    const [page, action] = [`/inventory/${itemId}`, `/inventory/${itemId}/details`];
    // Lock the item and terminate the connection that waits for it.
    const client = new pg.Client({ connectionString: stack().databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM items WHERE id = $1 FOR UPDATE', [itemId]);
    const fields = { name: 'Pump', reorderPoint: '4', unit: 'pc "x"' };
    const sending = browser.post(page, action, fields);
    await until('the waiting connection is terminated', async () => {
      const terminated = await client.query(
        `SELECT pg_terminate_backend(pid)
         FROM pg_stat_activity
         WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
      );
      return terminated.rowCount === 1;
    });
    const refused = await sending;
    await client.end();
    expect(refused.status).to.equal(503);
    expect(textOf(refused)).to.contain('Nothing was changed.').and.contain('Submit again');
    expect((await browser.send(action, hiddenIn(refused, action))).status).to.equal(303);
    expect((await company.get('/inventory')).body[0]).to.include({
      reorderPoint: 4,
      unit: 'pc "x"',
    });
  });

  it('is shown again with its input after too many attempts', async () => {
    const company = await makeCompany(stack());
    const { email, userId } = await makeUser(stack(), company.companyId);
    const pair = createHash('sha256').update(`127.0.0.1 ${userId}`).digest('base64url');
    await stack().sql('INSERT INTO rate_limits VALUES ($1, 20, $2)', [
      `sign-in-pair:${pair}`,
      Date.now() + 600_000,
    ]);
    const fields = {
      email,
      password: PASSWORD,
      unsentPath: '/inventory/new',
      'unsent.name': 'Hose',
    };
    const page = await new Browser(stack().baseUrl).send('/sign-in', fields);
    expect(page.status).to.equal(429);
    expect(Number(page.headers['retry-after'])).to.be.within(1, 900);
    expect(formErrors(page)['']).to.match(/^Too many attempts\. Try again in \d+ min\.$/u);
    expect(page.text)
      .to.contain(`value="${email}"`)
      .and.contain('value="Hose"')
      .and.not.contain(PASSWORD);
  });
});
