// The dashboard's limits on requests, per company and per network address.
import { expect } from 'chai';
import { Browser, PASSWORD, signedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { describeMode, inBothModes } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

inBothModes('the dashboard', stack => {
  it('answers 429 to a company that sends hundreds of requests, and not to others', async () => {
    const { browser: signed } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    // At an address of its own: other tests of this minute share one.
    const browser = new Browser(await secondWeb(stack()), signed.cookies.get('session'));
    const headers = { 'x-forwarded-for': '198.51.100.52' };
    const { browser: other } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    let [answered, refused] = [0, 0];
    const flood = async () => {
      while (answered + refused < 640) {
        const { status } = await browser.get('/account', { headers });
        if (status === 200) answered += 1;
        else refused += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, flood));
    expect(answered).to.equal(600);
    const page = await browser.get('/account', { headers });
    expect(page.status).to.equal(429);
    expect(Number(page.headers['retry-after'])).to.be.within(1, 60);
    expect(page.text)
      .to.contain('Too many requests')
      .and.match(/Try again in \d+ s\./u);
    const { body } = await browser.get('/account', {
      headers: { ...headers, accept: 'application/json' },
    });
    expect(body).to.include({ status: 429, code: 'rate_limit_exceeded' });
    expect((await other.get('/account')).status).to.equal(200);
  });
});

describeMode('postgres', 'a network address', stack => {
  const from = async (network: string) => {
    const web = await secondWeb(stack());
    const headers = { 'x-forwarded-for': network };
    const count = (name: string, points: number) =>
      stack().sql('INSERT INTO rate_limits VALUES ($1, $2, $3)', [
        `dashboard-${name}:${network}`,
        points,
        Date.now() + 30_000,
      ]);
    return { web, headers, count };
  };

  it('is limited on the dashboard, not on the API', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const { web, headers, count } = await from('198.51.100.50');
    const here = new Browser(web, browser.cookies.get('session'));
    await count('address', 1_799);
    expect((await here.get('/account', { headers })).status).to.equal(200);
    expect((await here.get('/account', { headers })).status).to.equal(429);
    expect((await new Browser(web).get('/sign-in', { headers })).status).to.equal(429);
    expect((await browser.get('/account')).status).to.equal(200);
    expect((await company.get('/summary', { headers })).status).to.equal(200);
  });

  it('has a lower limit for forms that need no session', async () => {
    const { web, headers, count } = await from('198.51.100.51');
    await count('forms', 120);
    const visitor = new Browser(web);
    const fields = { email: 'a@example.org', password: PASSWORD };
    for (const path of ['/sign-in', '/sign-up'])
      expect((await visitor.send(path, fields, { headers })).status, path).to.equal(429);
    expect((await visitor.get('/sign-in', { headers })).status).to.equal(200);
  });
});
