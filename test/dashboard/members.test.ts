// A member's own page: what can be changed, said before it is done, and when the member was here.
import { expect } from 'chai';
import { makeSession, signedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const MEMBERS = '/settings/members';

describeMode('postgres', 'the page of a member', stack => {
  const arrange = async () => {
    const { companyId } = await makeCompany(stack());
    const owner = await signedIn(stack(), companyId);
    const member = await signedIn(stack(), companyId, { role: 'member' });
    return { companyId, owner, member };
  };

  it('says what a change means before it is made; the list changes nothing itself', async () => {
    const { owner, member } = await arrange();
    const { userId, email } = member.user;
    const list = await owner.browser.get(MEMBERS);
    expect(list.text).to.contain(`href="${MEMBERS}/${userId}"`);
    expect(list.text).not.to.match(/action="[^"]*\/(role|disable)"/u);
    const { text } = await owner.browser.get(`${MEMBERS}/${userId}`);
    expect(text)
      .to.contain(`${email} will manage keys, settings and members, including you.`)
      .and.contain(`action="${MEMBERS}/${userId}/role"`)
      .and.contain(`${email} will be signed out`)
      .and.contain(`action="${MEMBERS}/${userId}/disable"`);
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
});
