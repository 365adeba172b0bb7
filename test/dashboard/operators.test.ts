// Operators' pages: access, failed jobs and companies, and what the queue board allows.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Response } from '../support/client.js';
import { Browser, formErrors, signedIn } from '../support/dashboard.js';
import { changeCompany, invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { linkOf, textOf } from '../support/html.js';
import { until } from '../support/processes.js';
import { openQueue } from '../support/queue.js';
import { describeMode, inBothModes, type Stack } from '../support/suite.js';

const JOBS = '/admin/jobs';
const BOARD = '/admin/queues';
const signInOperator = async (stack: Stack) =>
  signedIn(stack, (await makeCompany(stack)).companyId, { role: 'member', operator: true });

describeMode('postgres', 'the operators’ pages', stack => {
  it('do not exist for other signed-in users', async () => {
    const { browser } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    const { browser: op } = await signInOperator(stack());
    const expectSameAnswers = async (send: (path: string) => Promise<Response>) => {
      const [unknownPage, ...answers] = await Promise.all(
        [
          '/admin/nothing',
          JOBS,
          '/admin/companies',
          BOARD,
          `${BOARD}/static/favicon.ico`,
          `${BOARD}/api/queues`,
        ].map(send),
      );
      const comparable = ({ status, text, headers }: Response) => [
        status,
        text.replace(/"(?:instance|requestId)":"[^"]*"|name="token" value="[^"]*"/gu, ''),
        headers['content-security-policy'],
        headers['cache-control'],
        headers.allow,
      ];
      for (const answer of answers)
        expect(comparable(answer)).to.deep.equal(unknownPage && comparable(unknownPage));
      expect(unknownPage?.status).to.equal(404);
    };
    await expectSameAnswers(path => browser.get(path));
    await expectSameAnswers(path => browser.get(path, { headers: { accept: 'application/json' } }));
    await expectSameAnswers(path => browser.send(path, {}));
    expect((await browser.get('/')).text).not.to.contain('/admin/');
    expect((await op.get('/')).text)
      .to.contain(JOBS)
      .and.contain('/admin/companies')
      .and.contain(BOARD);
    const signedOut = new Browser(stack().baseUrl);
    for (const path of [JOBS, BOARD, `${BOARD}/api/queues`]) {
      expect((await signedOut.get(path)).headers.location, path).to.match(/^\/sign-in/u);
    }
  });

  const addFailed = async (
    companyId: string,
    error: object,
    payload: object | null,
    createdAt = new Date(),
    attempts = 5,
  ) => {
    const id = uuidv7();
    await stack().sql(
      `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id,
         payload, attempts, error, created_at, finished_at)
       VALUES ($1, $2, 'invoice.create', 'failed', sha256('x'), $3, $4,
         $5, $8, $6, $7, now())`,
      [companyId, id, uuidv7(), `req-${id}`, payload, error, createdAt, attempts],
    );
    return id;
  };
  const internal = { code: 'internal_error', detail: 'It could not be carried out <now>.' };

  it('list failed jobs with their reasons page by page, and refusals on request', async () => {
    const { browser } = await signInOperator(stack());
    const { companyId } = await makeCompany(stack());
    // Later than the jobs of every other test.
    const at = (second: number) => new Date(Date.now() + 86_400_000 + second * 1000);
    const ids: string[] = [];
    for (let job = 0; job < 51; job += 1)
      ids.push(await addFailed(companyId, internal, { a: 1 }, at(job)));
    const detail = 'Pump: 4 requested, 2 available.';
    const refused = await addFailed(
      companyId,
      {
        code: 'insufficient_stock',
        detail: 'Too little.',
        errors: [
          { pointer: '/items/0/qty', code: 'insufficient_stock', detail },
          { pointer: '', code: 'insufficient_stock', detail: 'Too little.' },
          { pointer: '/reference', code: 'too_long', detail: 'Must be at most 100 characters.' },
          { pointer: '/', code: 'invalid_value', detail: 'The invoice is paid.' },
        ],
      },
      null,
      at(60),
      0,
    );
    const first = await browser.get(JOBS);
    expect(textOf(first)).to.contain(
      `invoice.create ${ids[50]} Test company internal_error It could not be carried out &lt;now>.`,
    );
    expect(first.text)
      .to.contain(`req-${ids[50]}`)
      .and.contain('5 attempts')
      .and.not.contain(refused)
      .and.not.contain(ids[0]);
    const next = linkOf(first, 'next');
    const second = await browser.get(next.replaceAll('&amp;', '&'));
    expect(second.text).to.contain(ids[0]).and.not.contain(ids[1]);
    const all = await browser.get(`${JOBS}?show=all`);
    expect(textOf(all)).to.contain(
      `${refused} Test company insufficient_stock Too little. Pump: 4 requested, 2 available. ` +
        '/reference: Must be at most 100 characters. The invoice is paid. Request',
    );
    const row = all.text.slice(all.text.indexOf(refused), all.text.indexOf(ids[50] ?? ''));
    expect(row, 'a refusal has no attempts').not.to.contain('attempt');
    expect(
      (await browser.get(`${JOBS}?after=${encodeURIComponent('["now()","x"]')}`)).text,
      'an invalid cursor',
    ).to.contain(ids[50]);
    await stack().sql('DELETE FROM jobs WHERE company_id = $1', [companyId]);
  });

  it('retry a job after a system failure, but not a refusal', async () => {
    const { browser } = await signInOperator(stack());
    const company = await makeCompany(stack());
    const id = await addFailed(company.companyId, internal, invoiceRequest());
    const refused = await addFailed(
      company.companyId,
      { code: 'insufficient_stock', detail: 'Too little.' },
      null,
    );
    const retry = (job: string, of = company.companyId) =>
      browser.post(JOBS, `${JOBS}/${of}/${job}/retry`, {});
    expect((await retry(id)).headers.location).to.equal(JOBS);
    await until(
      'a worker runs it',
      async () => (await company.get(`/jobs/${id}`)).body.status === 'succeeded',
    );
    expect((await company.get('/invoices')).body).to.have.length(1);
    const final = await retry(refused);
    expect([
      final.status,
      formErrors(final)['']?.includes('refused, which is final'),
    ]).to.deep.equal([422, true]);
    expect((await retry(uuidv7())).status).to.equal(404);
    expect((await retry('x')).status).to.equal(404);
    const { browser: owner } = await signedIn(stack(), company.companyId);
    expect(
      (await owner.post('/', `${JOBS}/${company.companyId}/${refused}/retry`, {})).status,
    ).to.equal(404);
  });

  it('find companies by part of the name or by id, with their last write', async () => {
    const { browser } = await signInOperator(stack());
    const mark = `m${uuidv7()}`;
    const named = async (name: string) => {
      const company = await makeCompany(stack(), { rateLimit: 500 });
      await changeCompany(stack(), company, { name });
      return company;
    };
    const active = await named(`100% Kreuz_${mark}`);
    for (let number = 10; number < 36; number += 1) await named(`Öl ${number} ${mark}`);
    await receive(active, { name: 'Pump', delta: 5 });
    await active.post('/invoices', invoiceRequest());
    const find = async (search: string) =>
      browser.get(`/admin/companies?${new URLSearchParams({ search })}`);
    expect(textOf(await find(active.companyId))).to.match(
      /100% Kreuz_\S+ \S{36} 1 2 of 500 \w{3} \d+, 20/u,
    );
    expect((await find(`% kreuz_${mark}`)).text).to.contain(active.companyId);
    expect((await find(`%%kreuz${mark}`)).text).to.contain('No company matches<');
    const first = await find('ÖL 1');
    expect(first.text).to.contain(`Öl 10 ${mark}`).and.not.contain(`Öl 20 ${mark}`);
    const all = await find(mark);
    expect(all.text).to.contain(`Öl 33 ${mark}`).and.not.contain(`Öl 34 ${mark}`);
    const next = linkOf(all, 'next');
    const second = await browser.get(next.replaceAll('&amp;', '&'));
    expect(second.text)
      .to.contain(`Öl 34 ${mark}`)
      .and.contain(`Öl 35 ${mark}`)
      .and.not.contain(`Öl 33 ${mark}`);
  });
});

inBothModes('the queue board', stack => {
  /** Opens a queue of the stack directly, so that the test can pause it. */
  const call = (
    browser: Browser,
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ) =>
    browser.request(method, `${BOARD}/api${path}`, {
      headers: { accept: 'application/json', ...headers },
    });

  it('shows each queue, and pauses and resumes one only from its own page', async () => {
    const { browser, user } = await signInOperator(stack());
    const page = await browser.get(BOARD);
    const policy = String(page.headers['content-security-policy']);
    expect(policy)
      .to.contain("script-src 'self';")
      .and.contain("style-src 'self';")
      .and.not.contain('unsafe');
    const [, nonce = ''] = /'nonce-([\w-]{20,})'/u.exec(policy) ?? [];
    expect(page.text).to.contain(`data-nonce="${nonce}"`);
    expect(
      (await browser.get(BOARD)).headers['content-security-policy'],
      'a nonce per response',
    ).not.to.contain(nonce);
    expect(page.text)
      .to.contain(`<base href="${BOARD}/"`)
      .and.not.match(/(?:src|href)="(?:https?:)?\/\//u);
    const paused = async () => {
      const { body } = await call(
        browser,
        'GET',
        '/queues?activeQueue=stock&status=latest&page=1&jobsPerPage=10',
      );
      expect(body.queues.map(({ name }: { name: string }) => name)).to.deep.equal([
        'invoices',
        'stock',
        'ledger',
        'scheduled',
      ]);
      return body.queues[3].isPaused;
    };
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      expect((await call(browser, 'PUT', '/queues/scheduled/pause', headers)).status).to.equal(403);
    }
    expect(await paused()).to.equal(false);
    const own = { origin: stack().baseUrl };
    expect((await call(browser, 'PUT', '/queues/scheduled/pause', own)).status).to.equal(200);
    expect(await paused()).to.equal(true);
    expect((await call(browser, 'PUT', '/queues/scheduled/resume', own)).status).to.equal(200);
    expect(await paused()).to.equal(false);
    await until('the log names the user', async () => {
      const lines = stack().web.output().split('\n');
      return lines.some(
        line => line.includes('/api/queues/scheduled/pause') && line.includes(user.userId),
      );
    });
    const { browser: owner } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    expect((await call(owner, 'PUT', '/queues/scheduled/pause', own)).status).to.equal(404);
  });

  it('refuses to add or change jobs, which workers would run, and to destroy queues', async () => {
    const { browser } = await signInOperator(stack());
    const refused: [string, string][] = [
      ['POST', '/queues/invoices/add'],
      ['PUT', '/queues/invoices/obliterate'],
      ['PATCH', '/queues/invoices/1/update-data'],
      ['PUT', '/queues/scheduled/job-schedulers/delete-old-jobs/remove'],
      ['PUT', '/queues/invoices/concurrency'],
    ];
    for (const [method, path] of refused) {
      const raw = JSON.stringify({
        name: 'batch',
        data: {},
        jobData: {},
        force: true,
        concurrency: 1,
        options: {},
      });
      const headers = { 'content-type': 'application/json', origin: stack().baseUrl };
      expect(
        (await browser.request(method, `${BOARD}/api${path}`, { raw, headers })).status,
        path,
      ).to.equal(403);
    }
  });

  it('shows the error of a failed job', async () => {
    const { browser } = await signInOperator(stack());
    const { queue, close } = openQueue(stack(), 'scheduled');
    try {
      const job = await queue.add('unknown', { note: 'sent by the test' });
      const list = '/queues?activeQueue=scheduled&status=failed&page=1&jobsPerPage=50';
      const find = async () => {
        const { body } = await call(browser, 'GET', list);
        const { jobs } = body.queues.find(({ name }: { name: string }) => name === 'scheduled');
        return jobs.find(({ id }: { id: string }) => id === job.id);
      };
      await until('the board shows it', async () => (await find()) !== undefined);
      const { data, failedReason } = await find();
      expect(data.note).to.equal('sent by the test');
      expect(failedReason).to.match(/there is no scheduled job unknown/u);
      await job.remove();
    } finally {
      await close();
    }
  });

  it('shows a job with its data, never a key or a password', async () => {
    const { browser, user } = await signInOperator(stack());
    const company = await makeCompany(stack());
    const { queue, close } = openQueue(stack(), 'invoices');
    await queue.pause();
    const request = invoiceRequest({ customerName: 'Seen by operators' });
    const headers = { 'idempotency-key': 'sent-by-the-client' };
    const answered = company.post('/invoices', request, { headers });
    try {
      const list = '/queues?activeQueue=invoices&status=latest&page=1&jobsPerPage=50';
      await until('the board shows it', async () =>
        (await call(browser, 'GET', list)).text.includes('Seen by operators'),
      );
      const { text } = await call(browser, 'GET', list);
      const [hash] = await stack().sql<{ hash: string }>(
        `SELECT encode(hash, 'hex') AS hash FROM api_key_secrets WHERE company_id = $1`,
        [company.companyId],
      );
      const [row] = await stack().sql<{ hash: string }>(
        'SELECT password_hash AS hash FROM users WHERE id = $1',
        [user.userId],
      );
      for (const secret of [
        company.key,
        company.key.slice(17),
        'tpk_',
        hash?.hash,
        row?.hash,
        'sent-by-the-client',
        'password',
      ]) {
        expect(text).not.to.contain(secret);
      }
    } finally {
      await queue.resume();
      await close();
    }
    expect((await answered).status).to.equal(201);
  });
});
