// Imports of one company beside the work of the others: how much is accepted, and who waits.
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { send } from '../support/client.js';
import { Browser, signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { fieldsOf } from '../support/html.js';
import { importFile } from '../support/imports.js';
import { lockCompany } from '../support/neighbours.js';
import { until } from '../support/processes.js';
import { describeMode, startForTests } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** A web process takes some 130 MiB before. */
const MAX_WEB_BYTES = 400 * 1024 * 1024;
/** Beside the other tests of a whole run, the longest wait was 1,013 ms. */
const MAX_WAIT_MS = 2_000;
/** Less than three waits of a write, of 5 s each. */
const THREE_TURNS_MS = 14_000;
/** Between two requests that are timed, so that they add little load. */
const PAUSE_MS = 50;

describeMode('postgres', 'beside the imports of one company', stack => {
  const arrange = async (target = stack()) => {
    const company = await makeCompany(target);
    await receive(company, { name: 'Pump', delta: 1_000_000 });
    const { browser } = await signedIn(target, company.companyId);
    return { company, browser };
  };
  const upload = (browser: Browser, content: string, fields: Record<string, string> = {}) =>
    importFile(browser, { content }, fields);
  const status = async (companyId: string) =>
    (
      await stack().sql(
        `SELECT status FROM imports WHERE company_id = $1 AND status <> 'preview'`,
        [companyId],
      )
    ).map(row => row.status);
  /** Locks the company's items in a session of its own until the returned function is called. */
  const lockItems = async (companyId: string) => {
    const session = new pg.Client({ connectionString: stack().databaseUrl });
    await session.connect();
    await session.query('BEGIN');
    await session.query('SELECT 1 FROM items WHERE company_id = $1 FOR UPDATE', [companyId]);
    return () => session.end();
  };
  /** Keeps workers from carrying out the company's imports during the tests that follow. */
  const stopImports = (companyId: string) =>
    stack().sql(
      `UPDATE imports
       SET status = 'failed', run_at = NULL, finished_at = now()
       WHERE company_id = $1 AND status = 'queued'`,
      [companyId],
    );
  /** Calls `request` again and again until `isOver`. Returns the times it took, sorted. */
  const timesOf = async (request: () => Promise<{ status: number }>, isOver: () => boolean) => {
    const times: number[] = [];
    while (!isOver()) {
      const startedAt = performance.now();
      expect((await request()).status).to.be.oneOf([200, 201]);
      times.push(performance.now() - startedAt);
      await delay(PAUSE_MS);
    }
    return times.sort((a, b) => a - b);
  };
  const createInvoice = (company: TestCompany) => () =>
    company.post('/invoices', invoiceRequest({ items: [{ name: 'Pump', qty: 1, price: 2 }] }));

  it('other imports go on while an item that it names is locked', async () => {
    const [blocked, other] = [await arrange(), await arrange()];
    const release = await lockItems(blocked.company.companyId);
    try {
      expect((await upload(blocked.browser, 'name,delta\nPump,1')).status).to.equal(303);
      for (let round = 1; round <= 3; round += 1) {
        await upload(other.browser, `name,delta\nPump,${round}`);
        await until(`import ${round} of the other company is over`, async () =>
          (await status(other.company.companyId)).every(each => each === 'done'),
        );
      }
      await until('it waits longer and longer', async () => {
        const [row] = await stack().sql<{ postponed: number; attempts: number; ahead: boolean }>(
          `SELECT postponed, attempts, run_at > now() + interval '0.5 s' AS ahead
           FROM imports
           WHERE company_id = $1`,
          [blocked.company.companyId],
        );
        return row?.attempts === 0 && row.postponed >= 3 && row.ahead;
      });
    } finally {
      await release();
    }
    await until(
      'it is over as well',
      async () => (await status(blocked.company.companyId))[0] === 'done',
    );
  });

  it('an undo waits no longer for its locked company than an import does', async () => {
    const { company, browser } = await arrange();
    const { headers } = await upload(browser, 'name,delta\nPump,1');
    await until('it is applied', async () => (await status(company.companyId))[0] === 'done');
    const release = await lockCompany(stack(), company.companyId);
    const path = String(headers.location);
    try {
      expect((await browser.post(path, `${path}/undo`, {})).status).to.equal(303);
      const isPostponed = async () => {
        const [row] = await stack().sql<{ postponed: number }>(
          'SELECT postponed FROM imports WHERE company_id = $1',
          [company.companyId],
        );
        return (row?.postponed ?? 0) >= 3;
      };
      await until('other imports have had three turns', isPostponed, THREE_TURNS_MS);
    } finally {
      await release();
    }
    await until('it is undone', async () => {
      const [row] = await stack().sql<{ undo: string }>(
        'SELECT undo FROM imports WHERE company_id = $1',
        [company.companyId],
      );
      return row?.undo === 'done';
    });
  });

  it('at most five of them are queued, however many arrive at once', async () => {
    const { company, browser } = await arrange();
    const release = await lockItems(company.companyId);
    try {
      const token = browser.cookies.get('session') ?? '';
      const second = new Browser(await secondWeb(stack()), token);
      for (let queued = 0; queued < 4; queued += 1) await upload(browser, 'name,delta\nPump,1');
      const rows = Array.from({ length: 3_000 }, (_, at) => `Item ${at},1`).join('\n');
      const answers = await Promise.all(
        [browser, second, browser, second].map(each => upload(each, `name,delta\nPump,1\n${rows}`)),
      );
      expect(answers.map(answer => answer.status).sort()).to.deep.equal([303, 422, 422, 422]);
      for (const answer of answers.filter(each => each.status === 422))
        expect(answer.text).to.contain('Several imports are still running');
      expect(await status(company.companyId)).to.deep.equal(Array(5).fill('queued'));
    } finally {
      await stopImports(company.companyId);
      await release();
    }
  });

  it('8,000 rows, all or nothing, and their undo delay no invoice of another company', async () => {
    const [{ company, browser }, other] = [await arrange(), await arrange()];
    const rows = Array.from({ length: 8_000 }, (_, at) => `Item ${at},1,1.25`);
    const file = ['name,delta,unitCost', ...rows].join('\n');
    /** Sends a request and fails if another company waits before the import is done with it. */
    const expectNoDelay = async (send: () => Promise<{ status: number }>) => {
      let isOver = false;
      const working = send()
        .then(answer => expect(answer.status).to.equal(303))
        .then(() =>
          until('it is over', async () => (await status(company.companyId))[0] === 'done'),
        )
        .finally(() => {
          isOver = true;
        });
      const times = await timesOf(createInvoice(other.company), () => isOver);
      await working;
      expect(times.at(-1)).to.be.below(MAX_WAIT_MS);
    };
    await expectNoDelay(() => upload(browser, file, { allOrNothing: 'true' }));
    const readFigures = () =>
      stack().sql(
        `SELECT item_count::int AS items, stock_value::float AS value,
         (SELECT count(*)::int FROM movements WHERE company_id = $1) AS movements,
         (SELECT count(*)::int FROM adjustments WHERE company_id = $1) AS adjustments
       FROM companies
       WHERE id = $1`,
        [company.companyId],
      );
    expect(await readFigures()).to.deep.equal([
      { items: 8_001, value: 10_000, movements: 8_001, adjustments: 33 },
    ]);
    const [row] = await stack().sql('SELECT id FROM imports WHERE company_id = $1', [
      company.companyId,
    ]);
    const path = `/inventory/imports/${row?.id}`;
    await expectNoDelay(() => browser.post(path, `${path}/undo`, {}));
    expect(await readFigures()).to.deep.equal([
      { items: 1, value: 0, movements: 16_001, adjustments: 65 },
    ]);
  });

  it('many large files at once are refused beyond a few, and delay no other company', async () => {
    // A process that no other test has left memory to.
    const web = await startForTests('web', stack().env);
    const target = { ...stack(), baseUrl: `http://127.0.0.1:${web.port}` };
    const [{ company, browser }, other] = [await arrange(target), await arrange(target)];
    const release = await lockItems(company.companyId);
    const row = `,1,${'y'.repeat(235)}`;
    const rows = Array.from({ length: 19_999 }, (_, at) => `Item ${at}${row}`);
    const file = ['name,delta,note', 'Pump,1,', ...rows].join('\n').slice(0, MAX_FILE_BYTES);
    try {
      let isOver = false;
      const uploads = Promise.all(Array.from({ length: 7 }, () => upload(browser, file))).finally(
        () => {
          isOver = true;
        },
      );
      const allTimes = await Promise.all([
        timesOf(
          () => other.company.get('/summary'),
          () => isOver,
        ),
        timesOf(createInvoice(other.company), () => isOver),
      ]);
      const answers = await uploads;
      // Not the slowest of all: this process also sends 35 MB.
      for (const times of allTimes)
        expect(times[Math.floor(times.length * 0.9)]).to.be.below(MAX_WAIT_MS);
      const refused = answers.filter(answer => answer.status === 429);
      const accepted = answers.filter(answer => answer.status === 303);
      // One at a time and four that wait, on a slow machine too long.
      expect(accepted.length).to.be.within(1, 5);
      expect(accepted.length + refused.length).to.equal(7);
      for (const { headers, text } of refused) {
        expect(Number(headers['retry-after'])).to.be.within(1, 60);
        expect(text).to.contain('Several files of your company are being uploaded already.');
      }
      expect(await residentBytes(target.baseUrl)).to.be.below(MAX_WEB_BYTES);
      // The others upload as usual.
      expect((await upload(other.browser, 'name,delta\nPump,1')).status).to.equal(303);
    } finally {
      await stopImports(company.companyId);
      await release();
      await web.stop();
    }
  });

  it('an upload that is given up while it waits is forgotten', async () => {
    const { browser } = await arrange();
    const { token = '' } = fieldsOf(await browser.get('/inventory/import'));
    const begin = () => {
      const { hostname, port, origin } = new URL(stack().baseUrl);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      const head = [
        'POST /inventory/import HTTP/1.1',
        `Host: ${hostname}:${port}`,
        `Origin: ${origin}`,
        `Cookie: session=${browser.cookies.get('session')}`,
        'Content-Type: multipart/form-data; boundary=a',
        'Content-Length: 10000',
      ];
      const field = `--a\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n`;
      socket.write(`${head.join('\r\n')}\r\n\r\n${field}`);
      return socket;
    };
    // One has its turn, four wait, and the next one is refused.
    const uploads = Array.from({ length: 5 }, begin);
    expect((await upload(browser, 'name,delta\nPump,1')).status).to.equal(429);
    for (const socket of uploads.reverse()) {
      socket.destroy();
      await new Promise(resolve => socket.once('close', resolve));
    }
    const startedAt = performance.now();
    expect((await upload(browser, 'name,delta\nPump,1')).status).to.equal(303);
    expect(performance.now() - startedAt).to.be.below(10_000);
  });

  it('a file of millions of empty cells is read or refused', async () => {
    const { browser } = await arrange();
    const line = ','.repeat(60_000);
    const lines = Array.from({ length: 16 }, () => line).join('\n');
    for (const header of ['name,delta', line.replace(',,', 'name,delta')]) {
      const { status: answer } = await upload(browser, `${header}\n${lines}\nPump,1`);
      expect(answer).to.be.oneOf([303, 422]);
    }
    expect((await browser.get('/')).status).to.equal(200);
  });

  async function residentBytes(baseUrl: string): Promise<number> {
    const { text } = await send(baseUrl, 'GET', '/metrics');
    const own = /^process_resident_memory_bytes\{[^}]*process="web"[^}]*\} (\S+)$/mu.exec(text);
    return Number(own?.[1]);
  }
});
