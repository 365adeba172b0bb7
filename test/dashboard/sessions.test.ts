// Sessions of the dashboard: how they start, what the browser and the database store, and how they
// end.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { type Response, send } from '../support/client.js';
import { Browser, makeSession, makeUser, PASSWORD, signedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

describeMode('postgres', 'a session', stack => {
  const start = async () => {
    const { companyId } = await makeCompany(stack());
    const { browser, user } = await signedIn(stack(), companyId);
    const token = browser.cookies.get('session') ?? '';
    return { companyId, browser, user, token };
  };
  const isSignedIn = async (browser: Browser) => (await browser.get('/')).status === 200;

  it('starts with e-mail address (in any case) and password', async () => {
    const { companyId } = await makeCompany(stack());
    const { email } = await makeUser(stack(), companyId);
    const browser = new Browser(stack().baseUrl);
    const { status, headers } = await browser.send('/sign-in', {
      email: ` ${email.toUpperCase()}`,
      password: PASSWORD,
    });
    expect([status, headers.location]).to.deep.equal([303, '/']);
    expect(await isSignedIn(browser)).to.equal(true);
  });

  it('is 256 random bits in an HttpOnly cookie; the database has only their SHA-256', async () => {
    const { companyId } = await makeCompany(stack());
    const { email } = await makeUser(stack(), companyId);
    const browser = new Browser(stack().baseUrl);
    const { headers } = await browser.send('/sign-in', { email, password: PASSWORD });
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie).to.match(
      /^session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/u,
    );
    const token = browser.cookies.get('session') ?? '';
    const rows = await stack().sql<{ row: string; id: Buffer }>(
      'SELECT s::text AS row, id FROM sessions s WHERE company_id = $1',
      [companyId],
    );
    expect(rows.map(({ id }) => id)).to.deep.equal([hashOf(token)]);
    expect(rows[0]?.row)
      .not.to.contain(token)
      .and.not.to.contain(Buffer.from(token).toString('hex'));
  });

  it('has a __Host- cookie with Secure over https', async () => {
    const { companyId } = await makeCompany(stack());
    const { email } = await makeUser(stack(), companyId);
    const https = { headers: { 'x-forwarded-proto': 'https', origin: '' } };
    const browser = new Browser(await secondWeb(stack()));
    const { headers } = await browser.send('/sign-in', { email, password: PASSWORD }, https);
    expect(headers['set-cookie']?.[0]).to.match(
      /^__Host-session=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/u,
    );
    expect((await browser.get('/', https)).status).to.equal(200);
    // Over https, a cookie that any host of the domain can set is not accepted.
    const token = browser.cookies.get('__Host-session') ?? '';
    expect((await new Browser(await secondWeb(stack()), token).get('/', https)).status).to.equal(
      303,
    );
  });

  it('gets a new id at sign-in, which ends the previous session of the browser', async () => {
    const { companyId, user, token } = await start();
    const browser = new Browser(stack().baseUrl, token);
    await browser.send('/sign-in', { email: user.email, password: PASSWORD });
    expect(browser.cookies.get('session')).not.to.equal(token);
    expect(await isSignedIn(new Browser(stack().baseUrl, token))).to.equal(false);
    expect(
      await stack().sql('SELECT 1 FROM sessions WHERE company_id = $1', [companyId]),
    ).to.have.length(1);
    // A planted token is not adopted.
    const planted = 'A'.repeat(43);
    const victim = new Browser(stack().baseUrl, planted);
    await victim.send('/sign-in', { email: user.email, password: PASSWORD });
    expect(victim.cookies.get('session')).not.to.equal(planted);
    expect(await isSignedIn(new Browser(stack().baseUrl, planted))).to.equal(false);
  });

  it('ends after 12 idle hours, and after 14 days in any case', async () => {
    const { browser, token } = await start();
    const set = (column: string, value: string) =>
      stack().sql(`UPDATE sessions SET ${column} = now() + $2::interval WHERE id = $1`, [
        hashOf(token),
        value,
      ]);
    const [row] = await stack().sql<{ days: number }>(
      `SELECT EXTRACT(EPOCH FROM expires_at - created_at) / 86400 AS days
       FROM sessions WHERE id = $1`,
      [hashOf(token)],
    );
    expect(Number(row?.days)).to.equal(14);
    await set('last_seen_at', '-11 hours 59 minutes');
    expect(await isSignedIn(browser)).to.equal(true);
    await set('last_seen_at', '-12 hours');
    expect(await isSignedIn(browser)).to.equal(false);
    await set('last_seen_at', '0');
    expect(await isSignedIn(browser)).to.equal(true);
    await set('expires_at', '-1 second');
    expect(await isSignedIn(browser)).to.equal(false);
  });

  it('records when it was last seen, at most once per minute', async () => {
    const { browser, token } = await start();
    const age = async (seconds: number) => {
      await stack().sql(
        `UPDATE sessions SET last_seen_at = now() - $2 * interval '1 s' WHERE id = $1`,
        [hashOf(token), seconds],
      );
      await browser.get('/');
      const [row] = await stack().sql<{ age: number }>(
        'SELECT EXTRACT(EPOCH FROM now() - last_seen_at) AS age FROM sessions WHERE id = $1',
        [hashOf(token)],
      );
      return Number(row?.age);
    };
    expect(await age(50)).to.be.at.least(50);
    expect(await age(61)).to.be.below(50);
  });

  it('ends on signing out, so a copied token stops working', async () => {
    const { browser, token } = await start();
    const { status, headers } = await browser.post('/', '/sign-out', {});
    expect([status, headers.location]).to.deep.equal([303, '/sign-in']);
    expect(headers['set-cookie']?.[0]).to.match(/^session=; Path=\/; Max-Age=0/u);
    expect(await isSignedIn(new Browser(stack().baseUrl, token))).to.equal(false);
  });

  it('ends on signing out everywhere, on every device of this user only', async () => {
    const { companyId, browser, user } = await start();
    const phone = new Browser(stack().baseUrl, await makeSession(stack(), companyId, user.userId));
    const { browser: colleague } = await signedIn(stack(), companyId);
    await browser.post('/account', '/account/sign-out-everywhere', {});
    expect([
      await isSignedIn(browser),
      await isSignedIn(phone),
      await isSignedIn(colleague),
    ]).to.deep.equal([false, false, true]);
  });

  it('ends everywhere else when the password changes', async () => {
    const { companyId, browser, user } = await start();
    const phone = new Browser(stack().baseUrl, await makeSession(stack(), companyId, user.userId));
    const fields = { currentPassword: PASSWORD, newPassword: 'another horse entirely' };
    const { status } = await browser.post('/account', '/account/password', fields);
    expect(status).to.equal(303);
    expect((await browser.get('/account')).text).to.contain('Password changed.');
    expect((await browser.get('/account')).text, 'shown once').not.to.contain('Password changed.');
    expect(await isSignedIn(phone)).to.equal(false);
    const again = new Browser(stack().baseUrl);
    const signIn = await again.send('/sign-in', {
      email: user.email,
      password: fields.newPassword,
    });
    expect(signIn.status).to.equal(303);
  });

  it('does not start if the password changes while it is checked', async () => {
    const { companyId } = await makeCompany(stack());
    const { email, userId } = await makeUser(stack(), companyId);
    const change = new pg.Client({ connectionString: stack().databaseUrl });
    await change.connect();
    try {
      // As changePassword does: the new hash, then the end of all sessions, in one transaction.
      await change.query('BEGIN');
      await change.query(`UPDATE users SET password_hash = 'scrypt$1$1$1$x$y' WHERE id = $1`, [
        userId,
      ]);
      await change.query('DELETE FROM sessions WHERE company_id = $1', [companyId]);
      let answer: Response | undefined;
      const signIn = new Browser(stack().baseUrl)
        .send('/sign-in', { email, password: PASSWORD })
        .then(response => {
          answer = response;
        });
      await until('the sign-in waits for the change or is answered', async () => {
        const [waiting] = await stack().sql(
          `SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%FROM "users"%FOR SHARE%'`,
        );
        return answer !== undefined || waiting !== undefined;
      });
      await change.query('COMMIT');
      await signIn;
      expect(answer?.status).to.equal(422);
      expect(
        await stack().sql('SELECT 1 FROM sessions WHERE company_id = $1', [companyId]),
      ).to.have.length(0);
    } finally {
      await change.end();
    }
  });

  it('ends at once when the user is disabled, and the user cannot sign in again', async () => {
    const { companyId, browser, user } = await start();
    await stack().sql('UPDATE users SET disabled_at = now() WHERE company_id = $1 AND id = $2', [
      companyId,
      user.userId,
    ]);
    expect(await isSignedIn(browser)).to.equal(false);
    const { status } = await new Browser(stack().baseUrl).send('/sign-in', {
      email: user.email,
      password: PASSWORD,
    });
    expect(status).to.equal(422);
  });

  it('does not open the API, and an API key does not open the dashboard', async () => {
    const { companyId, browser } = await start();
    const { key } = await makeCompany(stack());
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const api = await send(stack().baseUrl, 'GET', '/api/external/summary', {
      headers: { cookie },
    });
    expect([api.status, api.body.code], companyId).to.deep.equal([401, 'missing_api_key']);
    for (const headers of [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { cookie: `session=${key}` },
    ]) {
      const page = await send(stack().baseUrl, 'GET', '/', {
        headers: headers as Record<string, string>,
      });
      expect([page.status, page.headers.location]).to.deep.equal([303, '/sign-in']);
    }
  });
});
