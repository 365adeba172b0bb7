// Password reset links: who can make one, what it changes, and when it stops working.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { registerSecret } from '../support/canary.js';
import {
  Browser,
  formErrors,
  makeOwnerAndMember,
  makeSession,
  makeUser,
  PASSWORD,
  signedIn,
} from '../support/dashboard.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

const MEMBERS = '/settings/members';
const NEW_PASSWORD = 'a quiet harbour at noon';
registerSecret(NEW_PASSWORD);

describeMode('postgres', 'a password reset link', stack => {
  const arrange = () => makeOwnerAndMember(stack());
  const request = async (browser: Browser, userId: string) => {
    const answer = await browser.post(MEMBERS, `${MEMBERS}/${userId}/reset-link`, {});
    const [, path = ''] = /http:\/\/[^/]+(\/reset-password\/[\w-]{43})</u.exec(answer.text) ?? [];
    // From now on no log line and no other response may contain it.
    if (path !== '') registerSecret(path.slice('/reset-password/'.length));
    return { answer, path };
  };
  const choose = (browser: Browser, path: string, newPassword = NEW_PASSWORD) =>
    browser.send(path, { newPassword });
  const signIn = (email: string, password: string) =>
    new Browser(stack().baseUrl).send('/sign-in', { email, password });
  const isSignedIn = async (browser: Browser) => (await browser.get('/')).status === 200;

  it('sets a new password once, ends all sessions and signs the user in', async () => {
    const { companyId, owner, member } = await arrange();
    const { userId, email } = member.user;
    const phone = new Browser(stack().baseUrl, await makeSession(stack(), companyId, userId));
    const { answer, path } = await request(owner.browser, userId);
    expect([answer.status, answer.headers['cache-control']]).to.deep.equal([200, 'no-store']);
    const browser = new Browser(stack().baseUrl);
    expect((await browser.get(path)).text).to.contain(email);
    const chosen = await choose(browser, path);
    expect([chosen.status, chosen.headers.location]).to.deep.equal([303, '/']);
    expect((await browser.get('/')).text).to.contain('Password changed.');
    for (const ended of [member.browser, phone]) expect(await isSignedIn(ended)).to.equal(false);
    expect(await isSignedIn(owner.browser)).to.equal(true);
    expect((await signIn(email, PASSWORD)).status).to.equal(422);
    expect((await signIn(email, NEW_PASSWORD)).status).to.equal(303);
    const again = new Browser(stack().baseUrl);
    for (const refused of [await again.get(path), await choose(again, path)]) {
      expect(refused.status).to.equal(404);
      expect(refused.text).to.contain('This link is no longer valid').and.contain('Ask an owner');
    }
  });

  for (const [title, change] of [
    ['the password was reset', `password_hash = 'scrypt$16$8$1$AAAA$AAAA'`],
    ['the user was disabled', 'disabled_at = now()'],
  ]) {
    it(`is not undone by a change of password that was checked before ${title}`, async () => {
      const { companyId, member } = await arrange();
      const { browser, user } = member;
      await browser.get('/account');
      const client = new pg.Client({ connectionString: stack().databaseUrl });
      await client.connect();
      await client.query('BEGIN');
      await client.query(`UPDATE users SET ${change} WHERE id = $1`, [user.userId]);
      const changing = browser.post('/account', '/account/password', {
        currentPassword: PASSWORD,
        newPassword: NEW_PASSWORD,
      });
      await until('the change waits for the lock', async () => {
        const blocked = await client.query(
          'SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
        );
        return blocked.rowCount === 1;
      });
      const row = 'SELECT password_hash AS hash FROM users WHERE company_id = $1 AND id = $2';
      const { rows } = await client.query(row, [companyId, user.userId]);
      await client.query('COMMIT');
      await client.end();
      const refused = await changing;
      expect(refused.status).to.equal(422);
      expect(formErrors(refused).currentPassword).to.contain('not your current password');
      expect(await stack().sql(row, [companyId, user.userId])).to.deep.equal(rows);
    });
  }

  it('is 256 random bits, shown once, stored only as its SHA-256, for 24 hours', async () => {
    const { companyId, owner, member } = await arrange();
    const { path } = await request(owner.browser, member.user.userId);
    const token = path.slice('/reset-password/'.length);
    expect(Buffer.from(token, 'base64url')).to.have.length(32);
    const rows = await stack().sql<{ row: string; hash: Buffer; hours: number }>(
      `SELECT password_resets::text AS row, token_hash AS hash,
         EXTRACT(EPOCH FROM expires_at - created_at) / 3600 AS hours
       FROM password_resets
       WHERE company_id = $1`,
      [companyId],
    );
    expect(rows.map(({ hours }) => Number(hours))).to.deep.equal([24]);
    expect(rows[0]?.hash).to.deep.equal(createHash('sha256').update(token).digest());
    expect(rows[0]?.row).not.to.contain(token);
    await new Browser(stack().baseUrl).get(path);
    expect(stack().web.output()).not.to.contain(token);
  });

  it('shows the same page for every reason that it is no longer valid', async () => {
    const { companyId, owner, member } = await arrange();
    const replaced = await request(owner.browser, member.user.userId);
    const disabled = await request(owner.browser, member.user.userId);
    await owner.browser.post(MEMBERS, `${MEMBERS}/${member.user.userId}/disable`, {});
    await owner.browser.post(MEMBERS, `${MEMBERS}/${member.user.userId}/enable`, {});
    const [late, changed, kept] = [
      await signedIn(stack(), companyId),
      await signedIn(stack(), companyId),
      await signedIn(stack(), companyId),
    ];
    const expired = await request(owner.browser, late.user.userId);
    await stack().sql('UPDATE password_resets SET expires_at = now() WHERE user_id = $1', [
      late.user.userId,
    ]);
    const outdated = await request(owner.browser, changed.user.userId);
    await changed.browser.post('/account', '/account/password', {
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
    });
    // Made by an owner who is one no longer.
    const former = await signedIn(stack(), companyId);
    const orphaned = await request(former.browser, kept.user.userId);
    await owner.browser.post(MEMBERS, `${MEMBERS}/${former.user.userId}/role`, { role: 'member' });
    const paths = [replaced, disabled, expired, outdated, orphaned].map(({ path }) => path);
    expect(paths.every(path => path !== '')).to.equal(true);
    const visitor = new Browser(await secondWeb(stack()));
    const from = { headers: { 'x-forwarded-for': '203.0.116.1' } };
    const pages = await Promise.all(
      [...paths, `${replaced.path}x`, '/reset-password/%ff'].map(path => visitor.get(path, from)),
    );
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(pages[0]?.status).to.equal(404);
    for (const path of paths)
      expect((await visitor.send(path, { newPassword: NEW_PASSWORD }, from)).status).to.equal(404);
  });

  it('stays open if the password breaks a rule, and is used by the first of two', async () => {
    const { owner, member } = await arrange();
    const { path } = await request(owner.browser, member.user.userId);
    const visitors = [new Browser(stack().baseUrl), new Browser(stack().baseUrl)] as const;
    const refused = await choose(visitors[0], path, 'Qwertyuiop');
    expect([refused.status, formErrors(refused).newPassword]).to.deep.equal([
      422,
      'This password is too common.',
    ]);
    const answers = await Promise.all(visitors.map(browser => choose(browser, path)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 404]);
  });

  it('is made by an owner, only for their company and never for an operator', async () => {
    const { companyId, owner, member } = await arrange();
    const outsider = await arrange();
    expect((await request(owner.browser, outsider.member.user.userId)).answer.status).to.equal(404);
    const operator = await makeUser(stack(), companyId, { operator: true });
    const refused = await request(owner.browser, operator.userId);
    expect([refused.answer.status, refused.path]).to.deep.equal([422, '']);
    const { text } = await owner.browser.get(`${MEMBERS}/${operator.userId}`);
    expect(text).not.to.contain('reset-link');
    const byMember = await member.browser.post(
      '/account',
      `${MEMBERS}/${owner.user.userId}/reset-link`,
      {},
    );
    expect(byMember.status).to.equal(403);
    const rows = await stack().sql('SELECT 1 FROM password_resets WHERE company_id = $1', [
      companyId,
    ]);
    expect(rows).to.have.length(0);
  });

  it('is what the sign-in page tells people to ask for', async () => {
    const { text } = await new Browser(stack().baseUrl).get('/sign-in');
    expect(text)
      .to.contain('Forgot password?')
      .and.contain('Ask an owner of your company')
      .and.contain('the operator of this installation');
  });
});
