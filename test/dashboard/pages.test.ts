// The first pages: sign-up, the account and the overview.
import { expect } from 'chai';
import { Browser, formErrors, makeUser, PASSWORD, signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

describeMode('postgres', 'signing up a company', stack => {
  let address = 0;
  /** Each from its own address, because attempts are counted per address. */
  const signUp = async (fields: Record<string, string>) => {
    address += 1;
    const browser = new Browser(await secondWeb(stack()));
    const all = {
      name: 'Kreuz & Söhne',
      currency: 'EUR',
      timeZone: 'Europe/Berlin',
      password: PASSWORD,
      ...fields,
    };
    const answer = await browser.send('/sign-up', all, {
      headers: { 'x-forwarded-for': `203.0.113.${address}` },
    });
    return { browser, answer };
  };
  const newEmail = () => `${crypto.randomUUID()}@example.org`;

  it('creates the company and its owner, and signs in', async () => {
    const email = newEmail();
    const { browser, answer } = await signUp({ email, personName: 'Ada Byron' });
    expect([answer.status, answer.headers.location]).to.deep.equal([303, '/']);
    const { status, text } = await browser.get('/');
    expect(status).to.equal(200);
    expect(text)
      .to.contain('Kreuz &amp; Söhne')
      .and.contain('Your company is ready.')
      .and.contain('First steps');
    const [row] = await stack().sql(
      `SELECT c.name, trim(c.currency) AS currency, c.time_zone,
         u.name AS "personName", u.role, u.operator, u.password_hash
       FROM users u JOIN companies c ON c.id = u.company_id WHERE u.email = $1`,
      [email],
    );
    expect(row).to.include({
      name: 'Kreuz & Söhne',
      currency: 'EUR',
      time_zone: 'Europe/Berlin',
      personName: 'Ada Byron',
      role: 'owner',
      operator: false,
    });
    expect(row?.password_hash).to.match(/^scrypt\$131072\$8\$1\$/u);
  });

  it('explains each invalid field, keeps the input, and creates nothing', async () => {
    const email = newEmail();
    const companies = async () =>
      Number(
        (await stack().sql(`SELECT count(*) FROM companies WHERE name = 'Taken "Ltd"'`))[0]?.count,
      );
    const refusal = async (fields: Record<string, string>) => {
      const { answer } = await signUp({ name: 'Taken "Ltd"', email, ...fields });
      expect(answer.status).to.equal(422);
      expect(answer.text).to.contain('value="Taken &quot;Ltd&quot;"').and.not.contain(PASSWORD);
      return formErrors(answer);
    };
    expect(await refusal({ email: '', password: '' })).to.include({
      email: 'Required.',
      password: 'Required.',
    });
    expect((await refusal({ email: 'no-address' })).email).to.contain('is not an e-mail address');
    expect((await refusal({ password: 'too short' })).password).to.contain('at least 10');
    expect((await refusal({ password: 'x'.repeat(1_001) })).password).to.contain('at most 1000');
    expect((await refusal({ password: 'Qwertyuiop' })).password).to.contain('too common');
    expect((await refusal({ password: 'aaaaaaaaaaaa' })).password).to.contain('too common');
    expect((await refusal({ password: email })).password).to.contain('must not be your e-mail');
    expect((await refusal({ currency: 'XYZ' })).currency).to.contain('ISO 4217');
    const { email: taken } = await makeUser(stack(), (await makeCompany(stack())).companyId);
    expect((await refusal({ email: taken.toUpperCase() })).email).to.contain('already');
    expect(await companies()).to.equal(0);
  });

  it('is allowed 20 times per hour from one address', async () => {
    const key = `sign-up:203.0.113.${address + 1}`;
    await stack().sql('INSERT INTO rate_limits VALUES ($1, 20, $2)', [key, Date.now() + 600_000]);
    expect((await signUp({ email: newEmail() })).answer.status).to.equal(429);
  });

  it('redirects signed-in users to the overview, as does signing in', async () => {
    const { browser } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    for (const path of ['/sign-in', '/sign-up'])
      expect((await browser.get(path)).headers.location).to.equal('/');
  });
});

describeMode('postgres', 'the account', stack => {
  it('changes the password only with the current one', async () => {
    const { browser } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    const change = (currentPassword: string, newPassword: string) =>
      browser.post('/account', '/account/password', { currentPassword, newPassword });
    expect(
      formErrors(await change('not this one', 'another horse entirely')).currentPassword,
    ).to.contain('not your current');
    expect(formErrors(await change(PASSWORD, 'password123')).newPassword).to.contain('too common');
    expect((await browser.get('/account')).status).to.equal(200);
  });
});

describeMode('postgres', 'the overview', stack => {
  it('shows a new company its first steps', async () => {
    const { browser } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    const { text } = await browser.get('/');
    expect(text).to.contain('First steps').and.not.contain('Invoiced');
  });

  it('shows the same figures as the API, for this company only', async () => {
    const company = await makeCompany(stack(), { currency: 'KWD', timeZone: 'Pacific/Auckland' });
    await receive(
      company,
      { name: 'Pump <b>', delta: 3, reorderPoint: 5, unitCost: 2.125 },
      { name: 'Pipe', delta: 9 },
    );
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(
      new Date(),
    );
    for (const price of [1234567.125, 3]) {
      const items = [{ name: 'Pipe', qty: 1, price }];
      await company.post(
        '/invoices',
        invoiceRequest({ date: today, customerName: 'A & B', items }),
      );
    }
    const { browser } = await signedIn(stack(), company.companyId);
    await until(
      'the summary shows both',
      async () => (await company.get('/summary')).body.invoices.count === 2,
    );
    const { body } = await company.get('/summary');
    const shown = textOf(await browser.get('/'));
    expect(body.invoices.total).to.equal(1234570.125);
    expect(shown)
      .to.contain('KWD 1,234,570.125')
      .and.contain('KWD 617,285.063')
      .and.contain('KWD 6.375');
    expect(shown)
      .to.contain('A &amp; B')
      .and.contain('Pump &lt;b> Low stock 3')
      .and.not.contain('Bright');
    expect(shown).to.match(/Updated just now/u);
    const day = Number(today.slice(8));
    const rows = [
      ...(await browser.get('/')).text.matchAll(
        /data-value="(\d+)"[^>]*>\d+<\/th><td class="end" data-value="([^"]*)"/gu,
      ),
    ];
    expect(
      rows
        .map(([, date, total]) => [Number(date), total])
        .slice(0, day + 1)
        .at(day - 1),
    ).to.deep.equal([day, '1234570.125']);
    expect(
      rows.slice(day).every(([, , total]) => total === ''),
      'no line into the future',
    ).to.equal(true);
  });
});
