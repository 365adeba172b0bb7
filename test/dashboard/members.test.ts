// A member's own page: what can be changed, said before it is done, and when the member was here.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { registerSecret } from '../support/canary.js';
import {
  Browser,
  formErrors,
  makeOwnerAndMember,
  makeSession,
  PASSWORD,
  signedIn,
} from '../support/dashboard.js';
import { fieldsOf, textOf } from '../support/html.js';
import { describeMode } from '../support/suite.js';

const MEMBERS = '/settings/members';

describeMode('postgres', 'the page of a member', stack => {
  const arrange = () => makeOwnerAndMember(stack());

  it('says what a change means before it is made; the list changes nothing itself', async () => {
    const { owner, member } = await arrange();
    const { userId, email } = member.user;
    const list = await owner.browser.get(MEMBERS);
    expect(list.text).to.contain(`href="${MEMBERS}/${userId}"`);
    expect(list.text).not.to.match(/action="[^"]*\/(role|disable)"/u);
    const { text } = await owner.browser.get(`${MEMBERS}/${userId}`);
    expect(text)
      .to.contain(`<form method="get" action="${MEMBERS}/${userId}/role"`)
      .and.contain('Stock and deliveries, without prices, invoices or payments.')
      .and.contain(`${email} will be signed out everywhere`)
      .and.contain(`action="${MEMBERS}/${userId}/disable"`);
    const confirmation = await owner.browser.get(`${MEMBERS}/${userId}/role?role=owner`);
    expect(confirmation.text)
      .to.contain(`${email} will manage API keys, settings and members, including other owners.`)
      .and.contain(`<form method="post" action="${MEMBERS}/${userId}/role"`);
    const [row] = await stack().sql('SELECT role FROM users WHERE id = $1', [userId]);
    expect(row?.role, 'nothing has changed yet').to.equal('member');
  });

  it('says what a person loses, and refuses a role that was changed in the meantime', async () => {
    const { companyId, owner } = await arrange();
    const second = await signedIn(stack(), companyId, { name: 'Grace Hopper' });
    const page = `${MEMBERS}/${second.user.userId}`;
    const confirmation = await owner.browser.get(`${page}/role?role=warehouse`);
    expect(textOf(confirmation))
      .to.contain('Make Grace Hopper a warehouse user?')
      .and.contain('Grace Hopper will work with stock and deliveries, and won’t see prices')
      .and.contain('The invitation and reset links in their name stop working.');
    const fields = fieldsOf(confirmation) as Record<string, string>;
    await owner.browser.post(page, `${page}/role`, { role: 'readonly' });
    const late = await owner.browser.send(`${page}/role`, fields);
    expect([late.status, formErrors(late)['']]).to.deep.equal([
      422,
      'This role was changed in the meantime. Check it, then choose again.',
    ]);
    for (const query of ['?role=readonly', '?role=king', '']) {
      expect((await owner.browser.get(`${page}/role${query}`)).headers.location).to.equal(page);
    }
    expect((await owner.browser.get(MEMBERS)).text)
      .to.contain('Grace Hopper')
      .and.contain(second.user.email)
      .and.contain('Read only');
  });

  it('invites a person by name, who may change it when joining', async () => {
    const { owner } = await arrange();
    const email = `${uuidv7()}@example.org`;
    const invitation = { once: uuidv7(), role: 'readonly', name: 'Ada', email };
    const { text } = await owner.browser.post(MEMBERS, `${MEMBERS}/invitations`, invitation);
    expect(text).to.contain('For Ada, as a read-only user');
    const [, path = ''] = /http:\/\/[^/]+(\/invitations\/[\w-]{43})</u.exec(text) ?? [];
    registerSecret(path.slice('/invitations/'.length));
    expect((await owner.browser.get(MEMBERS)).text).to.contain(`Ada, ${email}`);
    const person = new Browser(stack().baseUrl);
    const form = fieldsOf(await person.get(path));
    expect(form).to.include({ name: 'Ada', email });
    const tooLong = { email, password: PASSWORD, name: 'x'.repeat(101) };
    expect(formErrors(await person.send(path, tooLong)).name).to.contain('100');
    const joined = await person.send(path, { email, password: PASSWORD, name: 'Ada Byron' });
    expect(joined.headers.location).to.equal('/');
    const { text: members } = await owner.browser.get(MEMBERS);
    expect(members).to.contain('Ada Byron').and.contain(email);
    expect((await person.get('/account')).text).to.contain('value="Ada Byron"');
    expect((await person.get('/invoices/new')).status).to.equal(403);
  });

  it('does not offer the only owner what would be refused', async () => {
    const { companyId, owner, member } = await arrange();
    const own = `${MEMBERS}/${owner.user.userId}`;
    const alone = await owner.browser.get(own);
    expect(alone.text).to.contain('This is the only owner.');
    expect(alone.text).not.to.match(/action="[^"]*\/(role|disable)"/u);
    // A disabled owner does not count.
    const second = await signedIn(stack(), companyId);
    await owner.browser.post(MEMBERS, `${MEMBERS}/${second.user.userId}/disable`, {});
    expect((await owner.browser.get(own)).text).to.contain('This is the only owner.');
    await owner.browser.post(MEMBERS, `${MEMBERS}/${member.user.userId}/role`, { role: 'owner' });
    expect((await owner.browser.get(own)).text)
      .to.contain(`action="${own}/role"`)
      .and.contain(`action="${own}/disable"`);
  });

  it('shows when the user was last seen, even after all sessions have ended', async () => {
    const { companyId, owner, member } = await arrange();
    const path = `${MEMBERS}/${member.user.userId}`;
    expect((await owner.browser.get(path)).text).to.contain('Not signed in');
    await member.browser.get('/');
    await member.browser.post('/account', '/account/sign-out-everywhere', {});
    const sessions = await stack().sql(
      'SELECT 1 FROM sessions WHERE company_id = $1 AND user_id = $2',
      [companyId, member.user.userId],
    );
    expect(sessions).to.have.length(0);
    for (const page of [path, MEMBERS]) {
      const { text } = await owner.browser.get(page);
      expect(text, page).not.to.contain('Not signed in');
    }
  });

  it('records the time at most once a minute, whichever session it is', async () => {
    const { companyId, member } = await arrange();
    const { userId } = member.user;
    const age = async (seconds: number) => {
      await stack().sql(
        `UPDATE users SET last_seen_at = now() - $2 * interval '1 s' WHERE id = $1`,
        [userId, seconds],
      );
      member.browser.cookies.set('session', await makeSession(stack(), companyId, userId));
      await member.browser.get('/');
      const [row] = await stack().sql<{ age: number }>(
        'SELECT EXTRACT(EPOCH FROM now() - last_seen_at) AS age FROM users WHERE id = $1',
        [userId],
      );
      return Number(row?.age);
    };
    expect(await age(50)).to.be.at.least(50);
    expect(await age(61)).to.be.below(50);
  });

  it('is invited by an e-mail address or by none, never by something else', async () => {
    const { owner } = await arrange();
    const invitation = { once: uuidv7(), role: 'member', name: 'Ada', email: 'bad' };
    const refused = await owner.browser.post(MEMBERS, `${MEMBERS}/invitations`, invitation);
    expect([refused.status, formErrors(refused).email]).to.deep.equal([
      422,
      'Must be an e-mail address.',
    ]);
    expect((await owner.browser.get(MEMBERS)).text).not.to.contain('Open invitations');
  });

  it('is not invited by the address of a user of the company, who could not accept', async () => {
    const { owner, member } = await arrange();
    const { owner: stranger } = await arrange();
    const invite = (email: string) =>
      owner.browser.post(MEMBERS, `${MEMBERS}/invitations`, {
        once: uuidv7(),
        role: 'member',
        email,
      });
    const refused = await invite(member.user.email.toUpperCase());
    expect([refused.status, formErrors(refused).email]).to.deep.equal([
      422,
      'A user of this company has this e-mail address.',
    ]);
    // Users of other companies are not revealed.
    const { text } = await invite(stranger.user.email);
    expect(text).to.contain(`For ${stranger.user.email}, as a member`);
    const [, token = ''] = /\/invitations\/([\w-]{43})</u.exec(text) ?? [];
    registerSecret(token);
  });
});
