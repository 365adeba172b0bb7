// Settings, members and invitations: what owners decide, and what holds whatever two of them do at once.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { keepSecret } from '../support/canary.js';
import { Browser, formErrors, makeSession, PASSWORD, signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany } from '../support/factories.js';
import { describeMode } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

const MEMBERS = '/settings/members';

describeMode('postgres', 'the settings', stack => {
  const all = {
    name: 'Harbour',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    invoicePrefix: 'R-26-',
  };
  const visit = async () => {
    const company = await makeCompany(stack());
    return { company, ...(await signedIn(stack(), company.companyId)) };
  };

  it('change the company, from the next request on', async () => {
    const { company, browser } = await visit();
    const saved = await browser.post('/settings', '/settings', {
      ...all,
      allowNegativeStock: 'true',
    });
    expect([saved.status, saved.headers.location]).to.deep.equal([303, '/settings']);
    const { text } = await browser.get('/settings');
    expect(text)
      .to.contain('The settings are saved.')
      .and.contain('R-26-000001')
      .and.match(/value="true" checked/u);
    const { body } = await company.post('/invoices', invoiceRequest());
    expect(body).to.include({ currency: 'EUR', number: 'R-26-000001' });
    // Without a prefix from here on; what is issued keeps its number.
    await browser.post('/settings', '/settings', { ...all, invoicePrefix: '' });
    expect((await company.post('/invoices', invoiceRequest())).body.number).to.equal('000002');
    expect((await company.get('/invoices?number=R-26-000001')).body).to.have.length(1);
    const [row] = await stack().sql(
      'SELECT allow_negative_stock AS allow FROM companies WHERE id = $1',
      [company.companyId],
    );
    expect(row?.allow).to.equal(false);
  });

  it('fix the currency with the first invoice: it is shown with the reason, and refused', async () => {
    const { company, browser } = await visit();
    await company.post('/invoices', invoiceRequest());
    const { text } = await browser.get('/settings');
    expect(text)
      .to.match(/<select id="field-currency"[^>]* disabled/u)
      .and.contain('It is fixed, because');
    const refused = await browser.post('/settings', '/settings', all);
    expect([refused.status, formErrors(refused).currency]).to.deep.equal([
      422,
      "The currency can't be changed once there are invoices.",
    ]);
    const { currency: _fixed, ...rest } = all;
    expect((await browser.post('/settings', '/settings', rest)).status).to.equal(303);
  });

  it('refuse what is not right beside its field, and keep what was typed', async () => {
    const { company, browser } = await visit();
    const wrong = { name: ' ', currency: 'XYZ', timeZone: 'Berlin', invoicePrefix: 'TOO-LONG-26' };
    for (const [field, value] of Object.entries(wrong)) {
      const refused = await browser.post('/settings', '/settings', { ...all, [field]: value });
      expect([refused.status, Object.keys(formErrors(refused))], field).to.deep.equal([
        422,
        [field, ''],
      ]);
    }
    for (const invoicePrefix of ['inv-', 'R 26', 'Ä-', 'A/']) {
      const refused = await browser.post('/settings', '/settings', { ...all, invoicePrefix });
      expect(formErrors(refused).invoicePrefix, invoicePrefix).to.contain('at most 10 characters');
      expect(refused.text).to.contain(`value="${invoicePrefix}"`).and.contain('value="Harbour"');
    }
    const [row] = await stack().sql('SELECT name FROM companies WHERE id = $1', [
      company.companyId,
    ]);
    expect(row?.name).to.equal('Test company');
  });

  it('are not for members', async () => {
    const { company } = await visit();
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    for (const path of ['/settings', MEMBERS]) {
      expect((await browser.get(path)).status).to.equal(403);
      expect((await browser.get('/')).text).not.to.contain(`href="${path}"`);
    }
    for (const path of ['/settings', `${MEMBERS}/invitations`, `${MEMBERS}/${uuidv7()}/disable`]) {
      expect(
        (await browser.post('/account', path, { ...all, role: 'owner', once: uuidv7() })).status,
      ).to.equal(403);
    }
  });
});

describeMode('postgres', 'members', stack => {
  const visit = async () => {
    const { companyId } = await makeCompany(stack());
    const owner = await signedIn(stack(), companyId);
    const member = await signedIn(stack(), companyId, { role: 'member' });
    return { companyId, owner, member };
  };
  const act = (browser: Browser, userId: string, action: string, fields = {}) =>
    browser.post(MEMBERS, `${MEMBERS}/${userId}/${action}`, fields);
  const ownersOf = async (companyId: string) =>
    stack().sql(
      `SELECT id FROM users WHERE company_id = $1 AND role = 'owner' AND disabled_at IS NULL`,
      [companyId],
    );

  it('get and lose the rights of owners at once', async () => {
    const { owner, member } = await visit();
    expect(
      (await act(owner.browser, member.user.userId, 'role', { role: 'owner' })).status,
    ).to.equal(303);
    expect((await member.browser.get(MEMBERS)).status).to.equal(200);
    // The new owner may take the rights of the one who gave them.
    await act(member.browser, owner.user.userId, 'role', { role: 'member' });
    expect((await owner.browser.get(MEMBERS)).status).to.equal(403);
    expect(
      (await act(member.browser, owner.user.userId, 'role', { role: 'king' })).status,
    ).to.equal(422);
  });

  it('who are disabled are signed out everywhere at once, and can be enabled again', async () => {
    const { companyId, owner, member } = await visit();
    const phone = new Browser(
      stack().baseUrl,
      await makeSession(stack(), companyId, member.user.userId),
    );
    await act(owner.browser, member.user.userId, 'disable');
    for (const browser of [member.browser, phone])
      expect((await browser.get('/')).status).to.equal(303);
    const signIn = () =>
      new Browser(stack().baseUrl).send('/sign-in', {
        email: member.user.email,
        password: PASSWORD,
      });
    expect((await signIn()).status).to.equal(422);
    expect((await owner.browser.get(MEMBERS)).text).to.contain('disabled');
    await act(owner.browser, member.user.userId, 'enable');
    expect((await member.browser.get('/')).status, 'the old session stays ended').to.equal(303);
    expect((await signIn()).status).to.equal(303);
  });

  it('always have an owner who can sign in, also where two take each other’s rights at the same moment', async () => {
    const { companyId, owner } = await visit();
    for (const [action, fields] of [
      ['disable', {}],
      ['role', { role: 'member' }],
    ] as const) {
      const refused = await act(owner.browser, owner.user.userId, action, fields);
      expect([refused.status, formErrors(refused)['']]).to.deep.equal([
        422,
        'This is the last owner who can sign in. Make another member an owner first.',
      ]);
    }
    for (let round = 0; round < 8; round += 1) {
      const other = await signedIn(stack(), companyId);
      const action = round % 2 === 0 ? 'disable' : 'role';
      const token = async (browser: Browser) =>
        /name="token" value="([^"]+)"/u.exec((await browser.get(MEMBERS)).text)?.[1] ?? '';
      const [first] = await ownersOf(companyId);
      const rival = new Browser(
        stack().baseUrl,
        await makeSession(stack(), companyId, String(first?.id)),
      );
      const [a, b] = await Promise.all([token(other.browser), token(rival)]);
      await Promise.all([
        other.browser.send(`${MEMBERS}/${first?.id}/${action}`, { token: a, role: 'member' }),
        rival.send(`${MEMBERS}/${other.user.userId}/${action}`, { token: b, role: 'member' }),
      ]);
      expect(await ownersOf(companyId)).to.have.length(1);
    }
  });

  it('of another company are nobody', async () => {
    const { owner } = await visit();
    const { member: stranger, companyId } = await visit();
    for (const id of [stranger.user.userId, uuidv7(), 'x']) {
      for (const action of ['role', 'disable', 'enable']) {
        expect(
          (await act(owner.browser, id, action, { role: 'owner' })).status,
          `${action} ${id}`,
        ).to.equal(404);
      }
    }
    expect(await ownersOf(companyId)).to.have.length(1);
    expect((await stranger.browser.get('/')).status).to.equal(200);
  });
});

describeMode('postgres', 'an invitation', stack => {
  let address = 0;
  const visit = async () => {
    const { companyId } = await makeCompany(stack());
    return { companyId, ...(await signedIn(stack(), companyId)) };
  };
  const invite = async (browser: Browser, role = 'member', once = uuidv7()) => {
    const answer = await browser.post(MEMBERS, `${MEMBERS}/invitations`, { once, role });
    const [, path = ''] = /http:\/\/[^/]+(\/invitations\/[\w-]{43})</u.exec(answer.text) ?? [];
    // From here on no log and no other answer may have it.
    keepSecret(path.slice('/invitations/'.length));
    return { answer, path };
  };
  /** From an address of its own, which has its own count of tries. */
  const stranger = async (given?: string) => {
    address += 1;
    const from = given ?? `203.0.114.${address}`;
    const browser = new Browser(await secondWeb(stack()));
    const options = { headers: { 'x-forwarded-for': from } };
    return {
      browser,
      get: (path: string) => browser.get(path, options),
      accept: (path: string, fields: Record<string, string>) => browser.send(path, fields, options),
    };
  };
  const fresh = () => ({ email: `${uuidv7()}@example.org`, password: PASSWORD });

  it('makes one person a user with its role, and signs them in', async () => {
    const { companyId, browser } = await visit();
    const { answer, path } = await invite(browser, 'owner');
    expect([
      answer.status,
      answer.headers['cache-control'],
      answer.headers['set-cookie'],
    ]).to.deep.equal([200, 'no-store', undefined]);
    const person = await stranger();
    expect((await person.get(path)).text).to.contain('Join Test company');
    const fields = fresh();
    expect((await person.accept(path, fields)).headers.location).to.equal('/');
    expect((await person.get('/')).text).to.contain('Welcome to Test company!');
    const [row] = await stack().sql(
      'SELECT company_id, role, operator FROM users WHERE email = $1',
      [fields.email],
    );
    expect(row).to.deep.equal({ company_id: companyId, role: 'owner', operator: false });
    const again = await stranger();
    for (const late of [await again.get(path), await again.accept(path, fresh())]) {
      expect(late.status).to.equal(404);
      expect(late.text).to.contain('This invitation is not open');
    }
  });

  it('is a link of 256 random bits, shown once, of which the database has the SHA-256 alone; asked for twice, it is one', async () => {
    const { companyId, browser } = await visit();
    const once = uuidv7();
    const { path } = await invite(browser, 'member', once);
    const token = path.slice('/invitations/'.length);
    expect(Buffer.from(token, 'base64url')).to.have.length(32);
    expect((await browser.get(MEMBERS)).text).not.to.contain(token);
    const again = await invite(browser, 'member', once);
    expect([again.answer.status, again.path]).to.deep.equal([422, '']);
    expect(again.answer.text, 'who wants another one can have it').not.to.contain(
      `value="${once}"`,
    );
    const rows = await stack().sql<{ row: string; days: number }>(
      `SELECT i::text AS row, EXTRACT(EPOCH FROM expires_at - created_at) / 86400 AS days FROM invitations i WHERE company_id = $1`,
      [companyId],
    );
    expect(rows.map(({ days }) => Number(days))).to.deep.equal([7]);
    expect(rows[0]?.row)
      .not.to.contain(token)
      .and.not.to.contain(Buffer.from(token, 'base64url').toString('hex'));
    await (await stranger()).get(path);
    expect(stack().web.output()).not.to.contain(token);
  });

  it('that is withdrawn, out of date, mistyped or made by who is an owner no more leads to one and the same page', async () => {
    const { companyId, browser } = await visit();
    const [withdrawn, late] = [await invite(browser), await invite(browser)];
    await stack().sql(
      `UPDATE invitations SET expires_at = now() WHERE company_id = $1 AND token_hash = sha256($2::bytea)`,
      [companyId, late.path.slice(13)],
    );
    const [, id] =
      /invitations\/([\w-]{36})\/withdraw/u.exec((await browser.get(MEMBERS)).text) ?? [];
    const { browser: other } = await visit();
    expect(
      (await other.post(MEMBERS, `${MEMBERS}/invitations/${id}/withdraw`, {})).status,
    ).to.equal(404);
    expect((await (await stranger()).get(withdrawn.path)).status).to.equal(200);
    expect(
      (await browser.post(MEMBERS, `${MEMBERS}/invitations/${id}/withdraw`, {})).status,
    ).to.equal(303);
    const former = await signedIn(stack(), companyId);
    const theirs = await invite(former.browser, 'owner');
    await browser.post(MEMBERS, `${MEMBERS}/${former.user.userId}/disable`, {});
    const person = await stranger();
    const paths = [
      withdrawn.path,
      late.path,
      theirs.path,
      `${withdrawn.path}x`,
      '/invitations/%ff%2e',
    ];
    const pages = await Promise.all(paths.map(path => person.get(path)));
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    for (const path of paths.slice(0, 3))
      expect((await person.accept(path, fresh())).status).to.equal(404);
  });

  it('stays open where the person’s e-mail address or password is refused, by the rules of signing up', async () => {
    const { browser, user } = await visit();
    const { path } = await invite(browser);
    const person = await stranger();
    const refusal = async (fields: Record<string, string>) => {
      const answer = await person.accept(path, { ...fresh(), ...fields });
      expect([answer.status, answer.text.includes(PASSWORD)]).to.deep.equal([422, false]);
      return formErrors(answer);
    };
    expect((await refusal({ email: user.email.toUpperCase() })).email).to.contain('already');
    expect((await refusal({ email: 'nobody' })).email).to.contain('is not an e-mail address');
    expect((await refusal({ password: 'Qwertyuiop' })).password).to.contain('guessed first');
    expect((await person.accept(path, fresh())).status).to.equal(303);
  });

  it('is used once, by whoever is first', async () => {
    const { companyId, browser } = await visit();
    const { path } = await invite(browser);
    const people = await Promise.all([stranger(), stranger()]);
    const answers = await Promise.all(people.map(person => person.accept(path, fresh())));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 404]);
    const roles = await stack().sql('SELECT role FROM users WHERE company_id = $1 ORDER BY role', [
      companyId,
    ]);
    expect(roles.map(({ role }) => role)).to.deep.equal(['member', 'owner']);
  });

  it('may be guessed at 30 times in 15 minutes from one address', async () => {
    const from = '203.0.115.1';
    const person = await stranger(from);
    await stack().sql('INSERT INTO rate_limits VALUES ($1, 29, $2)', [
      `invitation:${from}`,
      Date.now() + 600_000,
    ]);
    expect((await person.get('/invitations/nobody')).status).to.equal(404);
    expect((await person.get('/invitations/nobody')).status).to.equal(429);
    const { path } = await invite((await visit()).browser);
    expect((await person.get(path)).status, 'a link that is right is never counted').to.equal(200);
  });
});
