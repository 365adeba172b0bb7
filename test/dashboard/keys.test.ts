// API access: creating, rotating and revoking keys, and what members and other companies can't do.
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { SCOPES } from '../../src/api-keys/model.js';
import { type Response, send } from '../support/client.js';
import { type Browser, formErrors, makeSignedIn, signedIn } from '../support/dashboard.js';
import { addKey, makeCompany } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { until } from '../support/processes.js';
import { describeMode, inBothModes } from '../support/suite.js';
import { secondWeb } from '../support/web.js';
import { answerWithinASecond } from '../support/within-a-second.js';

const KEYS = '/integrations/api-access';
const NEW_KEY = `${KEYS}/new`;
const KEY = /tpk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/u;

describeMode('postgres', 'API access', stack => {
  const arrange = () => makeSignedIn(stack(), { timeZone: 'Pacific/Auckland', role: 'owner' });
  const create = (browser: Browser, fields: Record<string, string>) =>
    browser.post(
      NEW_KEY,
      NEW_KEY,
      { once: uuidv7(), name: 'Shop', access: 'all', ...fields },
      { mayTell: true },
    );
  const keyIn = ({ text }: Response): string => KEY.exec(text)?.[0] ?? '';
  const status = async (key: string, path = '/summary') =>
    (await send(stack().baseUrl, 'GET', `/api/external${path}`, { key })).status;

  it('creates a working key and shows it in this one response only', async () => {
    const { company, browser, user } = await arrange();
    const answer = await create(browser, { name: ' Web <shop> ' });
    expect([
      answer.status,
      answer.headers['cache-control'],
      answer.headers['set-cookie'],
    ]).to.deep.equal([200, 'no-store', undefined]);
    const key = keyIn(answer);
    expect(await status(key)).to.equal(200);
    const list = await browser.get(KEYS);
    expect(list.text).not.to.match(KEY);
    expect(list.text)
      .to.contain(key.slice(0, 16))
      .and.contain('Web &lt;shop>')
      .and.contain(`data-label="Created by"><div><span class="wraps">${user.email}`);
    const [row] = await stack().sql(
      `SELECT keys::text || array_agg(secrets::text)::text AS all
       FROM api_keys keys JOIN api_key_secrets secrets ON secrets.api_key_id = keys.id
       WHERE keys.company_id = $1 AND keys.name = 'Web <shop>'
       GROUP BY keys`,
      [company.companyId],
    );
    expect(row?.all).not.to.contain(key.slice(17));
    expect(stack().web.output()).not.to.contain(key);
  });

  it('shows a curl command that works as pasted', async () => {
    const { browser } = await arrange();
    const scopes = [
      ['read'],
      ['chosen', 'inventory:read'],
      ['chosen', 'payments:read'],
      ['chosen', 'invoices:write'],
      ['chosen', 'inventory:write'],
      // About a record that does not exist: payments and credit notes are permanent.
      ['chosen', 'payments:write', '404'],
      ['chosen', 'credits:write', '404'],
    ];
    for (const [access = '', scope = '', status = '20[01]'] of scopes) {
      const { text } = await create(browser, {
        access,
        ...(scope === '' ? {} : { 'scopes[]': scope }),
      });
      const line = /<pre[^>]*>([^<]*)</u.exec(text)?.[1] ?? '';
      const command = line.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      const { stdout } = spawnSync('sh', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`], {
        encoding: 'utf8',
      });
      expect(stdout, command).to.match(new RegExp(`^${status}$`, 'u'));
    }
  });

  it('creates one key for a double click or a reload', async () => {
    const { company, browser } = await arrange();
    const once = uuidv7();
    const answers = await Promise.all([create(browser, { once }), create(browser, { once })]);
    expect(answers.map(answer => answer.status).sort()).to.deep.equal([200, 422]);
    const again = await create(browser, { once });
    expect(formErrors(again)['']).to.contain('already created');
    expect(again.text).not.to.match(KEY);
    expect(again.text, 'the form shown again has a new key').not.to.contain(`value="${once}"`);
    expect(
      await stack().sql('SELECT 1 FROM api_keys WHERE company_id = $1', [company.companyId]),
    ).to.have.length(2);
  });

  it('has an id from the server, so the same form of two companies makes two keys', async () => {
    const [one, other] = [await arrange(), await arrange()];
    const once = uuidv7();
    const keys: string[] = [];
    for (const { browser } of [one, other]) {
      const answer = await create(browser, { once });
      expect(answer.status).to.equal(200);
      keys.push(keyIn(answer));
    }
    const rows = await stack().sql<{ id: string; company: string }>(
      'SELECT id, company_id AS company FROM api_keys WHERE once = $1 ORDER BY id',
      [once],
    );
    expect(rows.map(({ company }) => company)).to.deep.equal([
      one.company.companyId,
      other.company.companyId,
    ]);
    expect(new Set([once, ...rows.map(({ id }) => id)]).size).to.equal(3);
    // An operator who revokes one of them by its id alone revokes that one.
    const { status: exit, stdout } = spawnSync(
      process.execPath,
      ['dist/src/commands/admin.js', 'key', 'revoke', '--key', rows[1]?.id ?? ''],
      { encoding: 'utf8', env: { ...process.env, ...stack().env } },
    );
    expect([exit, JSON.parse(stdout).companyId]).to.deep.equal([0, other.company.companyId]);
    await until('the other company’s key is refused', async () => {
      return (await status(keys[1] ?? '')) === 401;
    });
    expect(await status(keys[0] ?? '')).to.equal(200);
  });

  it('gives a key a preset or chosen permissions', async () => {
    const { company, browser } = await arrange();
    const scopesOf = async (fields: Record<string, string>) => {
      expect((await create(browser, fields)).status).to.equal(200);
      const [row] = await stack().sql(
        'SELECT scopes FROM api_keys WHERE company_id = $1 ORDER BY id DESC LIMIT 1',
        [company.companyId],
      );
      return row?.scopes;
    };
    const { text } = await browser.get(NEW_KEY);
    const boxes = [...text.matchAll(/<input[^>]*name="scopes\[\]"[^>]*>/gu)].map(([box]) => box);
    expect(boxes).to.have.length(SCOPES.length);
    const checked = boxes.filter(box => box.includes('checked'));
    expect(checked.map(box => /value="([^"]*)"/u.exec(box)?.[1])).to.deep.equal([
      'summary:read',
      'invoices:read',
      'invoices:write',
      'inventory:read',
      'inventory:write',
    ]);
    expect(await scopesOf({ access: 'read' })).to.deep.equal([
      'summary:read',
      'invoices:read',
      'inventory:read',
    ]);
    expect(await scopesOf({ access: 'chosen', 'scopes[]': 'invoices:write' })).to.deep.equal([
      'invoices:write',
    ]);
    expect(await scopesOf({ access: 'all' })).to.have.length(5);
    expect(await scopesOf({ access: 'everything' })).to.have.length(SCOPES.length);
    expect(textOf(await browser.get(KEYS))).to.contain(
      'Everything, with payments, customers, documents and events',
    );
  });

  it('changes a key’s permissions, which every process enforces within a second', async () => {
    const { company, browser, user } = await arrange();
    const path = `${KEYS}/${company.keyId}`;
    const [from = ''] =
      /(?<=name="from" value=")[^"]*:[^"]*/u.exec((await browser.get(path)).text) ?? [];
    expect(from).to.equal(SCOPES.join());
    const save = (fields: Record<string, string>) =>
      browser.post(path, `${path}/scopes`, { from, ...fields });
    for (const url of [stack().baseUrl, await secondWeb(stack())])
      expect((await send(url, 'GET', '/api/external/invoices', company)).status).to.equal(200);
    const saved = await save({ access: 'chosen', 'scopes[]': 'summary:read' });
    expect([saved.status, saved.headers.location]).to.deep.equal([303, path]);
    for (const url of [stack().baseUrl, await secondWeb(stack())]) {
      const list = () => send(url, 'GET', '/api/external/invoices', company);
      const refused = await answerWithinASecond(list, answer => answer.status === 403);
      expect([refused.status, refused.body.requiredScope]).to.deep.equal([403, 'invoices:read']);
    }
    expect(await status(company.key)).to.equal(200);
    const page = textOf(await browser.get(path));
    expect(page).to.contain('Permissions summary:read ').and.contain('Permissions changed ');
    expect(page).to.contain(`Permissions changed by ${user.email}`);
  });

  it('refuses permissions that are unknown, none, or chosen on an outdated page', async () => {
    const { company, browser } = await arrange();
    const path = `${KEYS}/${company.keyId}`;
    const from = SCOPES.join();
    const save = (fields: Record<string, string>) =>
      browser.post(path, `${path}/scopes`, { from, access: 'chosen', ...fields });
    const scopesOf = async () => {
      const [row] = await stack().sql<{ scopes: string[] }>(
        'SELECT scopes FROM api_keys WHERE id = $1',
        [company.keyId],
      );
      return row?.scopes ?? [];
    };
    for (const fields of [{}, { 'scopes[]': 'everything' }] as Record<string, string>[])
      expect(formErrors(await save(fields)).scopes).to.contain('one or more of');
    expect(formErrors(await save({ access: 'none' })).access).to.contain('Must be one of all');
    expect(await scopesOf()).to.have.length(SCOPES.length);
    const answers = await Promise.all(
      ['summary:read', 'invoices:read'].map(scope => save({ 'scopes[]': scope })),
    );
    expect(answers.map(answer => answer.status).sort()).to.deep.equal([303, 422]);
    const [winner = ''] = await scopesOf();
    const late = await save({ 'scopes[]': 'inventory:read' });
    expect(formErrors(late)['']).to.contain('changed in the meantime');
    expect(late.text, 'the page shown again').to.contain(`name="from" value="${winner}"`);
    expect((await save({ 'scopes[]': winner })).status, 'the same again').to.equal(303);
    expect(await scopesOf()).to.deep.equal([winner]);
  });

  it('shows an error beside each invalid field and keeps the input', async () => {
    const { browser } = await arrange();
    const refusal = async (fields: Record<string, string>) => {
      const answer = await create(browser, fields);
      expect(answer.status).to.equal(422);
      return { answer, errors: formErrors(answer) };
    };
    expect((await refusal({ name: '' })).errors.name).to.equal('Required.');
    expect((await refusal({ name: 'x'.repeat(101) })).errors.name).to.equal(
      'Must be at most 100 characters.',
    );
    const nothing = await refusal({ name: 'Till "1"', access: 'chosen' });
    expect(nothing.errors.scopes).to.contain('one or more of');
    expect(nothing.answer.text)
      .to.contain('value="Till &quot;1&quot;"')
      .and.match(/value="chosen" checked/u);
    expect(
      (await refusal({ access: 'chosen', 'scopes[]': 'everything' })).errors.scopes,
    ).to.contain('one or more');
    expect((await refusal({ access: 'nonsense' })).errors.access).to.equal(
      'Must be one of all, read, everything, chosen.',
    );
    expect((await refusal({ expiresOn: '2026-02-30' })).errors.expiresOn).to.contain(
      'Must be a date',
    );
    expect((await refusal({ expiresOn: '2020-01-01' })).errors.expiresOn).to.equal(
      'Choose a future date.',
    );
  });

  it('ends a key with the last day in the company’s time zone', async () => {
    const { company, browser } = await arrange();
    await create(browser, { expiresOn: '2099-12-31' });
    const [row] = await stack().sql<{ at: Date }>(
      'SELECT expires_at AS at FROM api_keys WHERE company_id = $1 AND expires_at IS NOT NULL',
      [company.companyId],
    );
    expect(row?.at.toISOString()).to.equal('2099-12-31T11:00:00.000Z');
  });

  it('shows the status of each key', async () => {
    const { company, browser } = await arrange();
    const statements: Record<string, string> = {
      Expired: `UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`,
      Expiring: `UPDATE api_keys SET expires_at = now() + interval '13 days' WHERE id = $1`,
      Active: `UPDATE api_keys SET expires_at = now() + interval '15 days' WHERE id = $1`,
      Revoked: 'UPDATE api_keys SET revoked_at = now() WHERE id = $1',
    };
    for (const [label, statement] of Object.entries(statements)) {
      const { keyId } = await addKey(stack(), company.companyId);
      await stack().sql(statement, [keyId]);
      expect(textOf(await browser.get(`${KEYS}/${keyId}`)), label).to.contain(`Status ${label} `);
    }
  });

  it('rotates a key with an overlap, once per page view', async () => {
    const { company, browser } = await arrange();
    const path = `${KEYS}/${company.keyId}`;
    const from = company.key.slice(4, 16);
    const rotate = (fields: Record<string, string>) =>
      browser.post(path, `${path}/rotate`, fields, { mayTell: true });
    for (const overlapHours of ['', '-1', '168.5', 'a day']) {
      const { status: refused, text } = await rotate({ from, overlapHours });
      expect([refused, KEY.test(text)], overlapHours).to.deep.equal([422, false]);
    }
    const answer = await rotate({ from, overlapHours: '24' });
    expect([await status(keyIn(answer)), await status(company.key)]).to.deep.equal([200, 200]);
    expect(textOf(await browser.get(KEYS))).to.match(/Rotating old secret valid until \w+ \d/u);
    const again = await rotate({ from, overlapHours: '24' });
    expect([
      again.status,
      formErrors(again)['']?.includes('rotated in the meantime'),
    ]).to.deep.equal([422, true]);
    const last = await rotate({ from: keyIn(answer).slice(4, 16), overlapHours: '0' });
    expect(await status(keyIn(last))).to.equal(200);
    await until('the old secret ends', async () => (await status(keyIn(answer))) === 401);
  });

  it('revokes a key only after its name is entered', async () => {
    const { company, browser } = await arrange();
    const path = `${KEYS}/${company.keyId}`;
    const wrong = await browser.post(path, `${path}/revoke`, { confirmation: 'test key' });
    expect(formErrors(wrong).confirmation).to.equal('Enter the key’s name: Test key');
    expect(await status(company.key)).to.equal(200);
    expect(
      (await browser.post(path, `${path}/revoke`, { confirmation: 'Test key' })).headers.location,
    ).to.equal(KEYS);
    await until('it is refused', async () => (await status(company.key)) === 401);
    const page = await browser.get(path);
    expect(page.text).to.contain('Revoked').and.not.contain('/rotate"').and.not.contain('/revoke"');
  });

  it('shows who rotated and who revoked a key, even for an operator', async () => {
    const { company, browser, user } = await arrange();
    const path = `${KEYS}/${company.keyId}`;
    const factsOf = async () => textOf(await browser.get(path));
    expect(await factsOf()).not.to.match(/Rotated|Revoked/u);
    const fields = { from: company.key.slice(4, 16), overlapHours: '1' };
    await browser.post(path, `${path}/rotate`, fields, { mayTell: true });
    expect(await factsOf()).to.contain(`Rotated by ${user.email}`);
    await browser.post(path, `${path}/revoke`, { confirmation: 'Test key' });
    expect(await factsOf()).to.contain(`Revoked by ${user.email}`);
    const other = await addKey(stack(), company.companyId);
    spawnSync(
      process.execPath,
      ['dist/src/commands/admin.js', 'key', 'revoke', '--key', other.keyId],
      { env: { ...process.env, ...stack().env } },
    );
    expect(textOf(await browser.get(`${KEYS}/${other.keyId}`))).to.contain(
      'Revoked by An operator',
    );
  });

  it('is not for members, and shows no keys of other companies', async () => {
    const { company, browser: outsider } = await arrange();
    const { browser: member } = await signedIn(stack(), company.companyId, { role: 'member' });
    const other = await makeCompany(stack());
    const actions: [string, Record<string, string>][] = [
      ['/scopes', { from: SCOPES.join(), access: 'read' }],
      ['/rotate', { from: other.key.slice(4, 16), overlapHours: '0' }],
      ['/revoke', { confirmation: 'Test key' }],
    ];
    const unknown = uuidv7();
    for (const [action, fields] of actions) {
      const answers = await Promise.all(
        [other.keyId, unknown, 'x'].map(id =>
          outsider.post(KEYS, `${KEYS}/${id}${action}`, fields),
        ),
      );
      expect(answers.map(answer => answer.status)).to.deep.equal([404, 404, 404]);
      expect(
        (await member.post('/account', `${KEYS}/${company.keyId}${action}`, fields)).status,
      ).to.equal(403);
    }
    for (const path of [KEYS, NEW_KEY, `${KEYS}/${company.keyId}`])
      expect((await member.get(path)).status).to.equal(403);
    expect(
      (await member.post('/account', NEW_KEY, { once: unknown, name: 'N', access: 'all' })).status,
    ).to.equal(403);
    expect((await member.get('/')).text).not.to.contain(KEYS);
    expect([
      (await outsider.get(`${KEYS}/${other.keyId}`)).status,
      await status(other.key),
    ]).to.deep.equal([404, 200]);
    expect(await status(company.key)).to.equal(200);
  });
});

inBothModes('the requests of the hour', stack => {
  it('are shown against the limit, and viewing them counts as no request', async () => {
    const company = await makeCompany(stack(), { rateLimit: 40 });
    const { browser } = await signedIn(stack(), company.companyId, { operator: true });
    const shown = async (path: string) =>
      / (\d+) of 40/u.exec(textOf(await browser.get(path)).replaceAll(' of  ', ' of '))?.[1];
    expect(await shown(KEYS)).to.equal('0');
    for (let request = 0; request < 3; request += 1) await company.get('/summary');
    expect([await shown(KEYS), await shown(KEYS)]).to.deep.equal(['3', '3']);
    expect(await shown(`/admin/companies?search=${company.companyId}`)).to.equal('3');
    expect((await company.get('/summary')).headers['x-ratelimit-remaining']).to.equal('36');
  });
});
