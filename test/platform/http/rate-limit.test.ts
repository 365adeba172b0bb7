// Requests per company and hour, counted by all web processes together.
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { type Response, send } from '../../support/client.js';
import { addKey, changeCompany, makeCompany } from '../../support/factories.js';
import { inBothModes, startForTests } from '../../support/suite.js';
import { secondWeb } from '../../support/web.js';
import { answerWithinASecond } from '../../support/within-a-second.js';

/** Shifts a process's clock. */
const CLOCK = new URL('../../faults/clock.js', import.meta.url).href;
const PATH = '/api/external/jobs/none';
const statuses = (answers: Response[], status: number) =>
  answers.filter(answer => answer.status === status).length;

inBothModes('the rate limit', stack => {
  it('allows exactly 1,000 of 1,200 concurrent requests, over two processes and keys', async () => {
    const company = await makeCompany(stack(), { rateLimit: null });
    const { key: other } = await addKey(stack(), company.companyId);
    const urls = [stack().baseUrl, await secondWeb(stack())];
    const answers = await Promise.all(
      Array.from({ length: 1_200 }, (_, at) =>
        send(urls[at % 2] as string, 'GET', PATH, { key: at % 3 ? company.key : other }),
      ),
    );
    expect([statuses(answers, 404), statuses(answers, 429)]).to.deep.equal([1_000, 200]);
    const left = answers
      .filter(({ status }) => status === 404)
      .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(left.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 1_000 }, (_, at) => at));
  });

  it('has one window for processes whose clocks differ', async () => {
    const company = await makeCompany(stack(), { rateLimit: 10 });
    const ahead = await startForTests('web', {
      ...stack().env,
      NODE_OPTIONS: `--import=${CLOCK}`,
      TRADEPOST_CLOCK_SHIFT_MS: String(2 * 3_600_000),
    });
    const left = [];
    for (const port of [stack().web.port, ahead.port, stack().web.port, ahead.port]) {
      const { headers } = await send(`http://127.0.0.1:${port}`, 'GET', PATH, { key: company.key });
      left.push(Number(headers['x-ratelimit-remaining']));
      expect(headers.ratelimit).to.match(/^"hourly";r=\d;t=(3600|35[89]\d)$/u);
    }
    expect(left).to.deep.equal([9, 8, 7, 6]);
  });

  it('ends a window within an hour, even if the clock of its store is set back', async () => {
    const company = await makeCompany(stack(), { rateLimit: 1 });
    await company.get('/nothing');
    const key = `requests:${company.companyId}`;
    if (stack().redis) {
      const redis = new Redis(stack().redis?.url ?? '');
      await redis.pexpire(`tradepost:${key}`, 90_000_000);
      await redis.quit();
    } else
      await stack().sql('UPDATE rate_limits SET expire = expire + 86400000 WHERE key = $1', [key]);
    for (const status of [429, 429]) {
      const answer = await company.get('/nothing');
      expect(answer.status).to.equal(status);
      expect(Number(answer.headers['retry-after'])).to.be.within(3_590, 3_600);
    }
  });

  it('states on every authenticated answer what is left and when it resets', async () => {
    const company = await makeCompany(stack(), { rateLimit: 5 });
    const before = Math.floor(Date.now() / 1000);
    const answers = [
      await company.get('/invoices'),
      await company.get('/nothing'),
      await company.post('/invoices', {}),
      await company.get('/summary?x=1'),
      await company.get('/summary', { headers: { accept: 'text/html' } }),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 404, 422, 400, 406]);
    answers.forEach(({ headers }, at) => {
      expect(headers['ratelimit-policy']).to.equal('"hourly";q=5;w=3600');
      expect(headers.ratelimit).to.match(
        new RegExp(`^"hourly";r=${4 - at};t=(3600|35[89]\\d)$`, 'u'),
      );
      expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).to.deep.equal([
        '5',
        String(4 - at),
      ]);
      expect(Number(headers['x-ratelimit-reset'])).to.be.within(before + 3_590, before + 3_610);
    });
  });

  it('answers the excess with 429 and Retry-After until the window ends', async () => {
    const company = await makeCompany(stack(), { rateLimit: 1 });
    await company.get('/invoices');
    const { status, body, headers } = await company.get('/invoices');
    expect([status, body.code]).to.deep.equal([429, 'rate_limit_exceeded']);
    expect(headers.ratelimit).to.match(/^"hourly";r=0;t=\d+$/u);
    expect(Number(headers['retry-after'])).to.be.within(3_590, 3_600);
    expect(headers['retry-after']).to.equal(/t=(\d+)/u.exec(headers.ratelimit as string)?.[1]);
  });

  it('applies a changed limit within a second; 429s have not counted', async () => {
    const company = await makeCompany(stack(), { rateLimit: 3 });
    const urls = [stack().baseUrl, await secondWeb(stack())];
    const answers: Response[] = [];
    const get = async (at: number) => {
      const answer = await send(urls[at % 2] as string, 'GET', PATH, { key: company.key });
      answers.push(answer);
      return answer;
    };
    await Promise.all(Array.from({ length: 20 }, (_, at) => get(at)));
    expect([statuses(answers, 404), statuses(answers, 429)]).to.deep.equal([3, 17]);
    await changeCompany(stack(), company, { rateLimitPerHour: 7 });
    const limitOf = ({ headers }: Response) => headers['x-ratelimit-limit'];
    const isChanged = (answer: Response) => limitOf(answer) === '7';
    const later = await Promise.all(
      [0, 1].map(at => answerWithinASecond(() => get(at), isChanged)),
    );
    expect(later.map(limitOf)).to.deep.equal(['7', '7']);
    await Promise.all(Array.from({ length: 10 }, (_, at) => get(at)));
    expect(statuses(answers, 404), '3 before and 4 after').to.equal(7);
  });

  it('counts each company separately, and no request without a key', async () => {
    const [one, two] = [
      await makeCompany(stack(), { rateLimit: 1 }),
      await makeCompany(stack(), { rateLimit: 1 }),
    ];
    expect((await one.get('/invoices')).status).to.equal(200);
    expect((await one.get('/invoices')).status).to.equal(429);
    expect((await two.get('/invoices')).status).to.equal(200);
    expect((await send(stack().baseUrl, 'GET', PATH)).headers).not.to.have.any.keys(
      'ratelimit',
      'x-ratelimit-limit',
    );
  });
});
