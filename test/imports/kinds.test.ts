// Imports of all kinds behave in the same way. No worker runs but those that a test starts.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Response } from '../support/client.js';
import { type Browser, signedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { cellsOf, textOf } from '../support/html.js';
import { launch, PROCESS_SCRIPTS } from '../support/processes.js';
import { describeMode, makeStack } from '../support/suite.js';

/** Each kind with its form, and a column of names, of numbers and two of texts. */
const KINDS = [
  { kind: 'stock', form: '/inventory/import', header: ['name', 'unitPrice', 'unit', 'sku'] },
  {
    kind: 'customers',
    form: '/customers/import',
    header: ['name', 'creditLimit', 'phone', 'number'],
  },
] as const;
type Kind = (typeof KINDS)[number];

/** Rows that a worker applies in one transaction. */
const CHUNK_ROWS = 250;
/** Of a company, of all kinds together. */
const MAX_QUEUED = 5;

const fileOf = ({ header }: Kind, rows: readonly string[]) =>
  [header.join(';'), ...rows].join('\n');

describeMode(
  'postgres',
  'an import',
  stack => {
    const arrange = async (): Promise<Browser> => {
      const { companyId } = await makeCompany(stack());
      return (await signedIn(stack(), companyId)).browser;
    };
    /** Uploads a file and returns the address of its preview. */
    const upload = async (browser: Browser, kind: Kind, rows: readonly string[]) => {
      const file = { name: 'file.csv', content: fileOf(kind, rows) };
      const sent = await browser.upload(kind.form, kind.form, { key: randomUUID() }, file);
      expect(sent.status, textOf(sent)).to.equal(303);
      return String(sent.headers.location);
    };
    const start = (browser: Browser, path: string) => browser.post(path, `${path}/start`, {});
    /** The lines and the cells of the rejected rows that a page shows. */
    const rejected = (page: Response) =>
      cellsOf(page, 'Rejected rows').map(cells => cells.slice(0, 2));
    /** Leaves the imports of earlier tests to no worker. */
    const postponeOthers = async () => {
      for (const table of ['imports', 'customer_imports'])
        await stack().sql(`UPDATE ${table} SET run_at = 'infinity' WHERE status = 'queued'`);
    };
    /** Runs a worker that is killed after its first transaction with an import. */
    const applyOnce = async () => {
      const env = { ...stack().env, NODE_ENV: 'test', FAIL_POINT: 'kill:committed:1' };
      await launch(PROCESS_SCRIPTS.worker, env, { name: 'dying worker' }).ended;
    };

    for (const kind of KINDS) {
      describe(`of ${kind.kind}`, () => {
        it('reads its stored file again with another decimal separator', async () => {
          const browser = await arrange();
          const path = await upload(browser, kind, ['A;1.250;;']);
          expect((await start(browser, path)).status, 'in doubt').to.equal(422);
          const choose = async (decimals: string) => {
            const chosen = await browser.post(path, `${path}/format`, { decimals });
            expect(chosen.status).to.equal(303);
            return browser.get(path);
          };
          const shown = async (mark: string) => {
            const [[...cells] = []] = cellsOf(await choose(mark), 'First rows');
            return /1[.,][\d,.]+/u.exec(cells.join(' '))?.[0];
          };
          expect(await shown(',')).to.match(/^1,250/u);
          expect(await shown('.')).to.equal('1.25');
          expect((await start(browser, path)).status).to.equal(303);
          expect(textOf(await choose(',')), 'without effect').to.contain('0 of 1 rows processed');
        });

        it('ends with the transaction that applies its last row', async () => {
          const browser = await arrange();
          const rows = Array.from({ length: CHUNK_ROWS }, (_, at) => `Name ${at};1,5;;`);
          const path = await upload(browser, kind, rows);
          await postponeOthers();
          expect((await start(browser, path)).status).to.equal(303);
          await applyOnce();
          const { body } = await browser.get(`${path}/progress`);
          expect(body).to.include({ status: 'done', value: CHUNK_ROWS, max: CHUNK_ROWS });
        });

        it('is not held up by a clock of the database that was set back', async () => {
          const browser = await arrange();
          const path = await upload(browser, kind, ['Late;1,5;;']);
          await postponeOthers();
          expect((await start(browser, path)).status).to.equal(303);
          for (const table of ['imports', 'customer_imports'])
            await stack().sql(
              `UPDATE ${table} SET run_at = run_at + interval '1 hour'
               WHERE status = 'queued' AND run_at < 'infinity'`,
            );
          await applyOnce();
          expect((await browser.get(`${path}/progress`)).body).to.include({ status: 'done' });
        });

        it('shows the first three cells of a rejected row', async () => {
          const browser = await arrange();
          const path = await upload(browser, kind, ['A;1,5;;', 'Wrong;many;and;more']);
          const row = [['Line 3', 'Wrong · many · and']];
          expect(rejected(await browser.get(path))).to.deep.equal(row);
          expect((await start(browser, path)).status).to.equal(303);
          expect(rejected(await browser.get(path))).to.deep.equal(row);
        });

        it('is not started while five imports of any kind are queued', async () => {
          const browser = await arrange();
          for (let queued = 0; queued < MAX_QUEUED; queued += 1) {
            const other = KINDS[queued % KINDS.length] ?? kind;
            const path = await upload(browser, other, [`${queued};1,5;;`]);
            expect((await start(browser, path)).status).to.equal(303);
          }
          const path = await upload(browser, kind, ['A;1,5;;']);
          const refused = await start(browser, path);
          expect(refused.status).to.equal(422);
          expect(textOf(refused)).to.contain('Several imports are still running.');
        });
      });
    }

    it('is refused beyond five that are queued, of both kinds and started at once', async () => {
      const browser = await arrange();
      const paths: string[] = [];
      for (let index = 0; index < 2 * MAX_QUEUED; index += 1)
        paths.push(await upload(browser, KINDS[index % 2] ?? KINDS[0], [`${index};1,5;;`]));
      const answers = await Promise.all(paths.map(path => start(browser, path)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([
        ...Array(MAX_QUEUED).fill(303),
        ...Array(MAX_QUEUED).fill(422),
      ]);
    });

    it('asks for the file of a preview that an earlier release made', async () => {
      const browser = await arrange();
      const path = await upload(browser, KINDS[1], ['A;1.250;;']);
      await stack().sql('UPDATE customer_imports SET file = NULL, decimal_mark = NULL');
      expect((await browser.get(path)).status).to.equal(200);
      const refused = await browser.post(path, `${path}/format`, { decimals: '.' });
      expect(refused.status).to.equal(422);
      expect(textOf(refused)).to.contain('Upload the file again.');
    });
  },
  () => makeStack('postgres', ['web']),
);
