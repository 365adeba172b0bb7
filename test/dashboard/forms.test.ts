// The protection of forms: their origin, token, size and number of attempts, and the headers of
// every page.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { send } from '../support/client.js';
import { Browser, formErrors, makeUser, PASSWORD, signedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { fieldsOf } from '../support/html.js';
import { describeMode } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

describeMode('postgres', 'a form of the dashboard', stack => {
  const visitor = async (options = {}) =>
    signedIn(stack(), (await makeCompany(stack())).companyId, options);

  it('is refused from another site, by Sec-Fetch-Site or by Origin, signed in or not', async () => {
    const { browser } = await visitor();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      const signOut = await browser.post('/', '/sign-out', {}, { headers });
      expect(signOut.status, JSON.stringify(headers)).to.equal(403);
      const signIn = await new Browser(stack().baseUrl).send(
        '/sign-in',
        { email: 'a@b.cd', password: 'x' },
        { headers },
      );
      expect(signIn.status, JSON.stringify(headers)).to.equal(403);
    }
    expect((await browser.get('/')).status).to.equal(200);
  });

  it('is accepted only with the token of its session', async () => {
    const [{ browser }, { browser: other }] = [await visitor(), await visitor()];
    const { token = '' } = fieldsOf(await other.get('/'));
    for (const fields of [{}, { token: '' }, { token: 'A'.repeat(86) }, { token }] as Record<
      string,
      string
    >[]) {
      const { status, text, headers } = await browser.send('/sign-out', fields);
      expect(status).to.equal(403);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(text).to.contain('out of date');
    }
    expect((await browser.post('/', '/sign-out', {})).status).to.equal(303);
  });

  it('has a different token on every page', async () => {
    const { browser } = await visitor();
    const tokens = await Promise.all(
      [1, 2].map(async () => fieldsOf(await browser.get('/account')).token),
    );
    expect(new Set(tokens).size).to.equal(2);
  });

  it('takes up to 64 KiB of urlencoded fields without NUL', async () => {
    const browser = new Browser(stack().baseUrl);
    const status = async (
      raw: string,
      type = 'application/x-www-form-urlencoded',
      path = '/sign-in',
    ) => (await browser.send(path, {}, { raw, headers: { 'content-type': type } })).status;
    expect(await status('{}', 'application/json')).to.equal(415);
    expect(await status('email=a', 'application/x-www-form-urlencoded; charset=latin1')).to.equal(
      415,
    );
    expect(await status(`email=${'a'.repeat(65_536)}`, undefined, '/sign-up')).to.equal(413);
    expect(await status(`email=${'a'.repeat(65_536)}`)).to.equal(413);
    expect(await status('email=a%00&password=b')).to.equal(400);
    expect(await status('__proto__.x=1&constructor.prototype.y=2&email=%ff&password=%zz')).to.equal(
      422,
    );
    expect((await browser.get('/sign-in?next=%00')).status).to.equal(400);
  });

  it('to sign in answers an unknown address like a wrong password, equally fast', async () => {
    const { companyId } = await makeCompany(stack());
    const { email } = await makeUser(stack(), companyId);
    // A hash with the product's own cost; its password is unknown.
    await stack().sql('UPDATE users SET password_hash = $2 WHERE email = $1', [
      email,
      `scrypt$131072$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
    ]);
    const attempt = async (address: string) => {
      const started = performance.now();
      const answer = await new Browser(stack().baseUrl).send('/sign-in', {
        email: address,
        password: 'not this one',
      });
      return {
        ms: performance.now() - started,
        page: answer.text.replaceAll(address, ''),
        status: answer.status,
      };
    };
    const known = await attempt(email);
    const unknown = await attempt(`x${email}`);
    expect([known.status, unknown.status]).to.deep.equal([422, 422]);
    expect(unknown.page).to.equal(known.page);
    expect(unknown.ms)
      .to.be.above(known.ms / 3)
      .and.below(known.ms * 3);
  });

  it('to sign in keeps the address, not the password; redirects stay on the site', async () => {
    const { companyId } = await makeCompany(stack());
    const { email } = await makeUser(stack(), companyId);
    const browser = new Browser(stack().baseUrl);
    const wrong = await browser.send('/sign-in', {
      email,
      password: '<wrong>',
      next: '/account?x=1',
    });
    expect(formErrors(wrong)).to.deep.equal({
      '': 'Incorrect e-mail or password.',
    });
    expect(wrong.text)
      .to.contain(`value="${email}"`)
      .and.contain('value="/account?x=1"')
      .and.not.contain('wrong');
    const next = async (path: string) =>
      (await browser.send('/sign-in', { email, password: PASSWORD, next: path })).headers.location;
    expect(await next('/account?x=1')).to.equal('/account?x=1');
    for (const path of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/%09/evil',
      '/..//evil.example',
      'javascript:1',
    ]) {
      expect(await next(path), path).to.match(/^\/(?![/\\])/u);
    }
    expect((await new Browser(stack().baseUrl).get('/account?a=b')).headers.location).to.equal(
      '/sign-in?next=%2Faccount%3Fa%3Db',
    );
  });

  describe('to sign in', () => {
    const arrange = async () => {
      const { companyId } = await makeCompany(stack());
      const { email, userId } = await makeUser(stack(), companyId);
      const web = await secondWeb(stack());
      const attempt = (address: string, from: string, password = 'not this one') =>
        new Browser(web).send(
          '/sign-in',
          { email: address, password },
          { headers: { 'x-forwarded-for': from } },
        );
      const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
      const pair = (from: string) => `sign-in-pair:${hash(`${from} ${userId}`)}`;
      const account = `sign-in-account:${hash(userId)}`;
      const used = async (key: string) =>
        (await stack().sql('SELECT points FROM rate_limits WHERE key = $1', [key]))[0]?.points;
      const setUsed = (key: string, points: number) =>
        stack().sql(
          `INSERT INTO rate_limits VALUES ($1, $2, $3)
           ON CONFLICT (key) DO UPDATE SET points = $2, expire = $3`,
          [key, points, Date.now() + 600_000],
        );
      return { companyId, email, userId, attempt, pair, account, used, setUsed };
    };

    it('allows 20 wrong attempts per network and account, 60 per network, in 15 min', async () => {
      const { email, attempt, pair, used, setUsed } = await arrange();
      expect((await attempt(email, '192.0.2.1')).status).to.equal(422);
      expect((await attempt(email, '192.0.2.1', PASSWORD)).status).to.equal(303);
      expect(await used(pair('192.0.2.1'))).to.equal(1);
      await setUsed(pair('192.0.2.1'), 19);
      expect((await attempt(email, '192.0.2.1')).status).to.equal(422);
      const { status, headers, text } = await attempt(email, '192.0.2.1', PASSWORD);
      expect([status, headers['content-type']]).to.deep.equal([429, 'text/html; charset=utf-8']);
      expect(Number(headers['retry-after'])).to.be.within(1, 900);
      expect(text).to.contain('Too many attempts');
      // An attempt is counted before the password is checked, so a refusal computes no hash.
      await setUsed('sign-in-address:198.51.100.7', 60);
      expect((await attempt('stranger@example.org', '198.51.100.7')).status).to.equal(429);
    });

    it('counts all spellings that Postgres finds the account by as one', async () => {
      const { companyId, userId, attempt, pair, used, setUsed } = await arrange();
      const email = `vittoriaiii.${userId}@example.org`;
      await stack().sql('UPDATE users SET email = $2 WHERE company_id = $1', [companyId, email]);
      const [lower] = await stack().sql<{ same: boolean }>(`SELECT lower('İ') = 'i' AS same`);
      const dotted = lower?.same ? email.replace('i', 'İ') : email;
      const from = '203.0.113.20';
      for (const spelling of [email, email.toUpperCase(), dotted, ` ${email} `])
        expect((await attempt(spelling, from)).status).to.equal(422);
      expect(await used(pair(from))).to.equal(4);
      await setUsed(pair(from), 20);
      for (const spelling of [email, email.toUpperCase(), dotted])
        expect((await attempt(spelling, from, PASSWORD)).status, spelling).to.equal(429);
    });

    it('never locks the owner out of a network where they signed in before', async () => {
      const { email, attempt, account, setUsed } = await arrange();
      const [home, hotel, stranger] = ['203.0.113.30', '203.0.113.31', '203.0.113.32'];
      expect((await attempt(email, home, PASSWORD)).status).to.equal(303);
      // One stranger alone does not reach the limit of the account.
      for (let wrong = 0; wrong < 21; wrong += 1) await attempt(email, stranger);
      expect((await attempt(email, stranger)).status).to.equal(429);
      expect((await attempt(email, hotel, PASSWORD)).status).to.equal(303);
      // Ten do.
      await setUsed(account, 200);
      expect((await attempt(email, '203.0.113.33', PASSWORD)).status).to.equal(429);
      expect((await attempt(email, home, PASSWORD)).status).to.equal(303);
      expect((await attempt(email, hotel, PASSWORD)).status).to.equal(303);
    });
  });
});

describeMode('postgres', 'the answers of the dashboard', stack => {
  const POLICY =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'";

  it('allow only own files, are never cached, and have nothing inline', async () => {
    const { browser } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    for (const path of ['/', '/account', '/sign-up', '/nothing-here']) {
      const { text, headers } = await browser.get(path);
      expect(headers, path).to.include({
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
      });
      expect(text).not.to.match(
        /<style|<script(?! type="module" src)|\sstyle=|\son\w+=|https?:\/\/(?!www\.w3\.org)/u,
      );
    }
  });

  it('load files that are cached for ever under an address that changes with them', async () => {
    const { text } = await new Browser(stack().baseUrl).get('/sign-up');
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/gu)].map(
      ([, path = '']) => path,
    );
    expect(files.map(path => path.split('/').at(-1))).to.have.members([
      'icon.svg',
      'inter-latin-wght-normal.woff2',
      'styles.css',
      'page.js',
      'own-locale.js',
    ]);
    for (const path of files) {
      const { status, headers } = await send(stack().baseUrl, 'GET', path);
      expect([status, headers['cache-control']]).to.deep.equal([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect(headers).not.to.have.property('set-cookie');
    }
  });

  it('bring the font for accented names along, under the name in the stylesheet', async () => {
    const browser = new Browser(stack().baseUrl);
    const { text } = await browser.get('/sign-up');
    const sheet = /href="([^"]+styles\.css)"/u.exec(text)?.[1] ?? '';
    const names = [...(await browser.get(sheet)).text.matchAll(/url\(([\w-]+\.woff2)\)/gu)];
    expect(names.map(([, name]) => name)).to.have.members([
      'inter-latin-ext-wght-normal.woff2',
      'inter-latin-wght-normal.woff2',
    ]);
    for (const [, name = ''] of names) {
      const { status, headers } = await browser.get(sheet.replace('styles.css', name));
      expect([status, headers['content-type']]).to.deep.equal([200, 'font/woff2']);
    }
  });

  it('have an icon at the address that browsers try by themselves', async () => {
    const browser = new Browser(stack().baseUrl);
    const { status, headers } = await browser.get('/favicon.ico');
    expect(status).to.equal(302);
    const icon = await browser.get(String(headers.location));
    expect([icon.status, icon.headers['content-type']]).to.deep.equal([200, 'image/x-icon']);
  });

  it('keep the navigation of a signed-in person on a page that does not exist', async () => {
    const { browser } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    const missing = await browser.get('/nothing-here');
    expect(missing.status).to.equal(404);
    expect(missing.text).to.contain('href="/invoices"').and.contain('action="/sign-out"');
    const signedOut = await new Browser(stack().baseUrl).get('/nothing-here');
    expect(signedOut.text).not.to.contain('href="/invoices"');
  });

  it('for an unknown path are a page for browsers, else a problem document', async () => {
    const type = async (path: string, accept?: string) => {
      const { status, headers } = await send(stack().baseUrl, 'GET', path, {
        headers: accept ? { accept } : {},
      });
      return `${status} ${headers['content-type']}`;
    };
    expect(await type('/nothing', 'text/html,*/*;q=0.8')).to.equal('404 text/html; charset=utf-8');
    expect(await type('/nothing', '*/*')).to.equal('404 application/problem+json');
    expect(await type('/nothing')).to.equal('404 application/problem+json');
    const { browser } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    const missing = (accept: string) => browser.get('/invoices/nothing', { headers: { accept } });
    expect((await missing('text/html')).headers['content-type']).to.equal(
      'text/html; charset=utf-8',
    );
    expect((await missing('*/*')).body).to.include({ status: 404, code: 'not_found' });
    expect(await type('/api/external/nothing', 'text/html')).to.equal(
      '401 application/problem+json',
    );
    expect(await type('/api/external', 'text/html')).to.equal('401 application/problem+json');
  });

  it('refuse a wrong method with 405 and Allow', async () => {
    const wrong = (accept: string) =>
      send(stack().baseUrl, 'DELETE', '/sign-in', { headers: { accept } });
    for (const accept of ['', '*/*', 'application/json']) {
      const { status, headers, body } = await wrong(accept);
      expect([status, headers.allow]).to.deep.equal([405, 'GET, HEAD, OPTIONS, POST']);
      expect([headers['content-type'], body.code]).to.deep.equal([
        'application/problem+json',
        'method_not_allowed',
      ]);
    }
    const page = await wrong('text/html,*/*;q=0.8');
    expect([page.status, page.headers.allow]).to.deep.equal([405, 'GET, HEAD, OPTIONS, POST']);
    expect(page.headers['content-type']).to.equal('text/html; charset=utf-8');
    expect((await send(stack().baseUrl, 'OPTIONS', '/account')).headers.allow).to.equal(
      'GET, HEAD, OPTIONS',
    );
  });
});
