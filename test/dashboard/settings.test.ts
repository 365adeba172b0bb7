// Settings, members and invitations: what owners can change, alone and concurrently.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { registerSecret } from '../support/canary.js';
import { makeCustomer } from '../support/customers.js';
import {
  Browser,
  formErrors,
  makeOwnerAndMember,
  makeSession,
  makeSignedIn,
  PASSWORD,
  signedIn,
} from '../support/dashboard.js';
import { changeCompany, invoiceRequest, makeCompany } from '../support/factories.js';
import { fieldsOf } from '../support/html.js';
import { describeMode } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

const MEMBERS = '/settings/members';

describeMode('postgres', 'the settings page', stack => {
  const settings = {
    name: 'Harbour',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    invoicePrefix: 'R-26-',
  };
  const arrange = () => makeSignedIn(stack(), { role: 'owner' });

  it('saves only what a person changed, not what another owner changed meanwhile', async () => {
    const { company, browser } = await arrange();
    const opened = fieldsOf(await browser.get('/settings')) as Record<string, string>;
    await changeCompany(stack(), company, { invoicePrefix: 'NEW-' });
    const saved = await browser.post('/settings', '/settings', { ...opened, name: 'Renamed' });
    expect(saved.status).to.equal(303);
    const [row] = await stack().sql(
      'SELECT name, invoice_prefix AS prefix FROM companies WHERE id = $1',
      [company.companyId],
    );
    expect(row).to.deep.equal({ name: 'Renamed', prefix: 'NEW-' });
  });

  it('changes the company from the next request on', async () => {
    const { company, browser } = await arrange();
    const saved = await browser.post('/settings', '/settings', {
      ...settings,
      allowNegativeStock: 'true',
    });
    expect([saved.status, saved.headers.location]).to.deep.equal([303, '/settings']);
    const page = await browser.get('/settings');
    expect(page.text).to.contain('Settings saved.').and.contain('R-26-000001');
    expect(fieldsOf(page).allowNegativeStock).to.equal('true');
    const { body } = await company.post('/invoices', invoiceRequest());
    expect(body).to.include({ currency: 'EUR', number: 'R-26-000001' });
    // Issued invoices keep their numbers when the prefix changes.
    await browser.post('/settings', '/settings', { ...settings, invoicePrefix: '' });
    expect((await company.post('/invoices', invoiceRequest())).body.number).to.equal('000002');
    expect((await company.get('/invoices?number=R-26-000001')).body).to.have.length(1);
    const [row] = await stack().sql(
      'SELECT allow_negative_stock AS allow FROM companies WHERE id = $1',
      [company.companyId],
    );
    expect(row?.allow).to.equal(false);
  });

  it('sets and clears what new invoices get', async () => {
    const { company, browser } = await arrange();
    const defaults = { creditNotePrefix: 'CR-', termsDays: '30', defaultTaxRate: '19.0' };
    const saved = await browser.post('/settings', '/settings', { ...settings, ...defaults });
    expect(saved.status).to.equal(303);
    expect(fieldsOf(await browser.get('/settings'))).to.include({
      creditNotePrefix: 'CR-',
      termsDays: '30',
      defaultTaxRate: '19',
    });
    const { body } = await company.post('/invoices', invoiceRequest());
    expect([body.dueDate, body.taxTotal]).to.deep.equal(['2026-12-20', 3.52]);
    for (const [field, value] of Object.entries({
      creditNotePrefix: 'cr',
      termsDays: '366',
      defaultTaxRate: '101',
    })) {
      const changed = { ...settings, ...defaults, [field]: value };
      const refused = await browser.post('/settings', '/settings', changed);
      expect([refused.status, Object.keys(formErrors(refused))[0]], field).to.deep.equal([
        422,
        field,
      ]);
    }
    expect((await browser.post('/settings', '/settings', settings)).status).to.equal(303);
    const [row] = await stack().sql(
      `SELECT terms_days, default_tax_rate, credit_note_prefix FROM companies WHERE id = $1`,
      [company.companyId],
    );
    expect(row).to.deep.equal({
      terms_days: null,
      default_tax_rate: null,
      credit_note_prefix: '',
    });
  });

  it('sets what happens to invoices above a credit limit, from the next one on', async () => {
    const { company, browser } = await arrange();
    await makeCustomer(company, { name: 'Acme', creditLimit: 10 });
    const post = () => company.post('/invoices', invoiceRequest({ customerName: 'Acme' }));
    expect((await post()).status).to.equal(201);
    const opened = fieldsOf(await browser.get('/settings')) as Record<string, string>;
    expect(opened.creditLimitAction).to.equal('warn');
    const refuse = { ...opened, creditLimitAction: 'refuse' };
    expect((await browser.post('/settings', '/settings', refuse)).status).to.equal(303);
    expect(fieldsOf(await browser.get('/settings')).creditLimitAction).to.equal('refuse');
    expect((await post()).body).to.include({
      code: 'credit_limit_exceeded',
      outstanding: 18.5,
      available: -8.5,
    });
    const wrong = { ...refuse, creditLimitAction: 'stop' };
    const refused = await browser.post('/settings', '/settings', wrong);
    expect(refused.status).to.equal(422);
    expect(formErrors(refused)).to.have.property('creditLimitAction');
  });

  it('shows the currency as fixed after the first invoice, and refuses to change it', async () => {
    const { company, browser } = await arrange();
    await company.post('/invoices', invoiceRequest());
    const { text } = await browser.get('/settings');
    expect(text)
      .to.match(/<select id="field-currency"[^>]* disabled/u)
      .and.contain('Can’t be changed once invoices exist.');
    const refused = await browser.post('/settings', '/settings', settings);
    expect([refused.status, formErrors(refused).currency]).to.deep.equal([
      422,
      "The currency can't be changed once there are invoices.",
    ]);
    const { currency: _fixed, ...rest } = settings;
    expect((await browser.post('/settings', '/settings', rest)).status).to.equal(303);
  });

  it('shows an error beside each invalid field and keeps the input', async () => {
    const { company, browser } = await arrange();
    const wrong = { name: ' ', currency: 'XYZ', timeZone: 'Berlin', invoicePrefix: 'TOO-LONG-26' };
    for (const [field, value] of Object.entries(wrong)) {
      const refused = await browser.post('/settings', '/settings', { ...settings, [field]: value });
      expect([refused.status, Object.keys(formErrors(refused))], field).to.deep.equal([
        422,
        [field, ''],
      ]);
    }
    for (const invoicePrefix of ['inv-', 'R 26', 'Ä-', 'A/']) {
      const refused = await browser.post('/settings', '/settings', { ...settings, invoicePrefix });
      expect(formErrors(refused).invoicePrefix, invoicePrefix).to.contain('at most 10 characters');
      expect(refused.text).to.contain(`value="${invoicePrefix}"`).and.contain('value="Harbour"');
    }
    const [row] = await stack().sql('SELECT name FROM companies WHERE id = $1', [
      company.companyId,
    ]);
    expect(row?.name).to.equal('Test company');
  });

  it('is not for members', async () => {
    const { company } = await arrange();
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    for (const path of ['/settings', MEMBERS]) {
      expect((await browser.get(path)).status).to.equal(403);
      expect((await browser.get('/')).text).not.to.contain(`href="${path}"`);
    }
    for (const path of ['/settings', `${MEMBERS}/invitations`, `${MEMBERS}/${uuidv7()}/disable`]) {
      expect(
        (await browser.post('/account', path, { ...settings, role: 'owner', once: uuidv7() }))
          .status,
      ).to.equal(403);
    }
  });
});

describeMode('postgres', 'members', stack => {
  const arrange = () => makeOwnerAndMember(stack());
  const act = (browser: Browser, userId: string, action: string, fields = {}) =>
    browser.post(MEMBERS, `${MEMBERS}/${userId}/${action}`, fields);
  const ownersOf = async (companyId: string) =>
    stack().sql(
      `SELECT id FROM users WHERE company_id = $1 AND role = 'owner' AND disabled_at IS NULL`,
      [companyId],
    );

  it('gain and lose the rights of an owner at once', async () => {
    const { owner, member } = await arrange();
    expect(
      (await act(owner.browser, member.user.userId, 'role', { role: 'owner' })).status,
    ).to.equal(303);
    expect((await member.browser.get(MEMBERS)).status).to.equal(200);
    // The new owner can demote the first one.
    await act(member.browser, owner.user.userId, 'role', { role: 'member' });
    expect((await owner.browser.get(MEMBERS)).status).to.equal(403);
    expect(
      (await act(member.browser, owner.user.userId, 'role', { role: 'king' })).status,
    ).to.equal(422);
  });

  it('are signed out everywhere when they are disabled, and can be enabled again', async () => {
    const { companyId, owner, member } = await arrange();
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
    expect((await owner.browser.get(MEMBERS)).text).to.contain('Disabled');
    await act(owner.browser, member.user.userId, 'enable');
    expect((await member.browser.get('/')).status, 'the old session stays ended').to.equal(303);
    expect((await signIn()).status).to.equal(303);
  });

  it('a company always keeps an active owner, even if two demote each other at once', async () => {
    const { companyId, owner } = await arrange();
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
      const tokenOf = async (browser: Browser) => fieldsOf(await browser.get(MEMBERS)).token ?? '';
      const [first] = await ownersOf(companyId);
      const rival = new Browser(
        stack().baseUrl,
        await makeSession(stack(), companyId, String(first?.id)),
      );
      const [a, b] = await Promise.all([tokenOf(other.browser), tokenOf(rival)]);
      await Promise.all([
        other.browser.send(`${MEMBERS}/${first?.id}/${action}`, { token: a, role: 'member' }),
        rival.send(`${MEMBERS}/${other.user.userId}/${action}`, { token: b, role: 'member' }),
      ]);
      expect(await ownersOf(companyId)).to.have.length(1);
    }
  });

  it('of another company do not exist', async () => {
    const { owner } = await arrange();
    const { member: outsider, companyId } = await arrange();
    for (const id of [outsider.user.userId, uuidv7(), 'x']) {
      for (const action of ['role', 'disable', 'enable']) {
        expect(
          (await act(owner.browser, id, action, { role: 'owner' })).status,
          `${action} ${id}`,
        ).to.equal(404);
      }
    }
    expect(await ownersOf(companyId)).to.have.length(1);
    expect((await outsider.browser.get('/')).status).to.equal(200);
  });
});

describeMode('postgres', 'an invitation', stack => {
  let invitees = 0;
  const arrange = async () => {
    const { companyId } = await makeCompany(stack());
    return { companyId, ...(await signedIn(stack(), companyId)) };
  };
  const invite = async (browser: Browser, role = 'member', once = uuidv7()) => {
    const answer = await browser.post(MEMBERS, `${MEMBERS}/invitations`, { once, role });
    const [, path = ''] = /http:\/\/[^/]+(\/invitations\/[\w-]{43})</u.exec(answer.text) ?? [];
    // From now on no log line and no other response may contain it.
    registerSecret(path.slice('/invitations/'.length));
    return { answer, path };
  };
  /** A browser with its own network address, and so with its own count of attempts. */
  const invitee = async (ownAddress?: string) => {
    invitees += 1;
    const from = ownAddress ?? `203.0.114.${invitees}`;
    const browser = new Browser(await secondWeb(stack()));
    const options = { headers: { 'x-forwarded-for': from } };
    return {
      browser,
      get: (path: string) => browser.get(path, options),
      accept: (path: string, fields: Record<string, string>) => browser.send(path, fields, options),
    };
  };
  const fresh = () => ({ email: `${uuidv7()}@example.org`, password: PASSWORD });

  it('makes one person a user with the invited role and signs them in', async () => {
    const { companyId, browser } = await arrange();
    const { answer, path } = await invite(browser, 'owner');
    expect([
      answer.status,
      answer.headers['cache-control'],
      answer.headers['set-cookie'],
    ]).to.deep.equal([200, 'no-store', undefined]);
    const person = await invitee();
    expect((await person.get(path)).text).to.contain('Join Test company');
    const fields = fresh();
    expect((await person.accept(path, fields)).headers.location).to.equal('/');
    expect((await person.get('/')).text).to.contain('Welcome to Test company!');
    const [row] = await stack().sql(
      'SELECT company_id, role, operator FROM users WHERE email = $1',
      [fields.email],
    );
    expect(row).to.deep.equal({ company_id: companyId, role: 'owner', operator: false });
    const again = await invitee();
    for (const refused of [await again.get(path), await again.accept(path, fresh())]) {
      expect(refused.status).to.equal(404);
      expect(refused.text).to.contain('This invitation is no longer valid');
    }
  });

  it('is a link of 256 random bits, shown once and stored only as its SHA-256', async () => {
    const { companyId, browser } = await arrange();
    const once = uuidv7();
    const { path } = await invite(browser, 'member', once);
    const token = path.slice('/invitations/'.length);
    expect(Buffer.from(token, 'base64url')).to.have.length(32);
    expect((await browser.get(MEMBERS)).text).not.to.contain(token);
    const again = await invite(browser, 'member', once);
    expect([again.answer.status, again.path]).to.deep.equal([422, '']);
    expect(again.answer.text, 'the form shown again has a new key').not.to.contain(
      `value="${once}"`,
    );
    const rows = await stack().sql<{ row: string; days: number }>(
      `SELECT invitations::text AS row,
         EXTRACT(EPOCH FROM expires_at - created_at) / 86400 AS days
       FROM invitations
       WHERE company_id = $1`,
      [companyId],
    );
    expect(rows.map(({ days }) => Number(days))).to.deep.equal([7]);
    expect(rows[0]?.row)
      .not.to.contain(token)
      .and.not.to.contain(Buffer.from(token, 'base64url').toString('hex'));
    await (await invitee()).get(path);
    expect(stack().web.output()).not.to.contain(token);
  });

  it('shows the same page if it is withdrawn, expired, mistyped or by a former owner', async () => {
    const { companyId, browser } = await arrange();
    const [withdrawn, expired] = [await invite(browser), await invite(browser)];
    await stack().sql(
      `UPDATE invitations
       SET expires_at = now()
       WHERE company_id = $1 AND token_hash = sha256($2::bytea)`,
      [companyId, expired.path.slice('/invitations/'.length)],
    );
    const [, id] =
      /invitations\/([\w-]{36})\/withdraw/u.exec((await browser.get(MEMBERS)).text) ?? [];
    const { browser: other } = await arrange();
    expect(
      (await other.post(MEMBERS, `${MEMBERS}/invitations/${id}/withdraw`, {})).status,
    ).to.equal(404);
    expect((await (await invitee()).get(withdrawn.path)).status).to.equal(200);
    expect(
      (await browser.post(MEMBERS, `${MEMBERS}/invitations/${id}/withdraw`, {})).status,
    ).to.equal(303);
    const former = await signedIn(stack(), companyId);
    const orphaned = await invite(former.browser, 'owner');
    await browser.post(MEMBERS, `${MEMBERS}/${former.user.userId}/disable`, {});
    const person = await invitee();
    const paths = [
      withdrawn.path,
      expired.path,
      orphaned.path,
      `${withdrawn.path}x`,
      '/invitations/%ff%2e',
    ];
    const pages = await Promise.all(paths.map(path => person.get(path)));
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    for (const path of paths.slice(0, 3))
      expect((await person.accept(path, fresh())).status).to.equal(404);
  });

  it('stays valid if the e-mail address or password breaks a rule of signing up', async () => {
    const { browser, user } = await arrange();
    const { path } = await invite(browser);
    const person = await invitee();
    const refusal = async (fields: Record<string, string>) => {
      const answer = await person.accept(path, { ...fresh(), ...fields });
      expect([answer.status, answer.text.includes(PASSWORD)]).to.deep.equal([422, false]);
      return formErrors(answer);
    };
    expect((await refusal({ email: user.email.toUpperCase() })).email).to.contain('already');
    expect((await refusal({ email: 'no-address' })).email).to.contain('is not an e-mail address');
    expect((await refusal({ password: 'Qwertyuiop' })).password).to.contain('too common');
    expect((await person.accept(path, fresh())).status).to.equal(303);
  });

  it('is used once, by the first of two people', async () => {
    const { companyId, browser } = await arrange();
    const { path } = await invite(browser);
    const people = await Promise.all([invitee(), invitee()]);
    const answers = await Promise.all(people.map(person => person.accept(path, fresh())));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 404]);
    const roles = await stack().sql('SELECT role FROM users WHERE company_id = $1 ORDER BY role', [
      companyId,
    ]);
    expect(roles.map(({ role }) => role)).to.deep.equal(['member', 'owner']);
  });

  it('can be guessed at 30 times in 15 minutes from one address', async () => {
    const from = '203.0.115.1';
    const person = await invitee(from);
    await stack().sql('INSERT INTO rate_limits VALUES ($1, 29, $2)', [
      `link:${from}`,
      Date.now() + 600_000,
    ]);
    expect((await person.get('/invitations/unknown')).status).to.equal(404);
    expect((await person.get('/invitations/unknown')).status).to.equal(429);
    const { path } = await invite((await arrange()).browser);
    expect((await person.get(path)).status, 'a valid link is never counted').to.equal(200);
  });
});
