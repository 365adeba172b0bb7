// The samples of the quickstart and the guides, run exactly as the pages print them.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { send } from '../support/client.js';
import { makeCompany, receive } from '../support/factories.js';
import { unescapeHtml } from '../support/html.js';
import { atEnd, describeMode, requireOrSkip } from '../support/suite.js';

const run = promisify(execFile);

const LANGUAGES = [
  { id: 'curl', program: 'sh', needs: 'curl' },
  { id: 'javascript', program: process.execPath, needs: process.execPath },
  { id: 'python', program: 'python3', needs: 'python3' },
] as const;

describeMode('postgres', 'the quickstart', stack => {
  let page: string;
  let folder: string;

  before(async () => {
    page = (await send(stack().baseUrl, 'GET', '/docs')).text;
    folder = await mkdtemp(join(tmpdir(), 'tradepost-quickstart-'));
    atEnd(() => rm(folder, { recursive: true }));
  });

  it('names the address of this installation', () => {
    expect(page).to.contain(`export TRADEPOST_URL=${stack().baseUrl}\n`);
  });

  for (const { id, program, needs } of LANGUAGES) {
    it(`creates an invoice and shows an error with ${id}, as printed`, async function () {
      const missing = `install ${needs} (apt-get install ${needs}) to run the samples with ${id}`;
      const isPresent = spawnSync(needs, ['--version']).status === 0;
      requireOrSkip(this, isPresent, missing);
      const company = await makeCompany(stack());
      const env = { ...process.env, TRADEPOST_URL: stack().baseUrl, TRADEPOST_KEY: company.key };
      const outputs: string[] = [];
      for (const [index, text] of samplesOf(page, id).entries()) {
        const file = join(folder, `${id}-${index}.${id === 'javascript' ? 'mjs' : id}`);
        await writeFile(file, text);
        outputs.push((await run(program, [file], { env })).stdout);
      }
      const [invoice = '', problem = ''] = outputs;
      expect(invoice).to.contain('INV-000001').and.contain('18.5');
      expect(problem).to.contain('validation_failed');
      for (const pointer of ['/items/0/qty', '/refrence']) expect(problem).to.contain(pointer);
      const { body } = await company.get('/invoices');
      expect(body.map(({ number }: { number: string }) => number)).to.deep.equal(['INV-000001']);
    });
  }

  it('prints the answer that the second sample gets', async () => {
    const company = await makeCompany(stack());
    const shown = JSON.parse(blocks(page).find(text => text.includes('"validation_failed"')) ?? '');
    const { body } = await company.post('/invoices', {
      customerName: 'Bright & Sons',
      date: '2026-11-20',
      items: [{ name: 'Delivery', qty: 0, price: 18.5 }],
      refrence: 'SO-5012',
    });
    expect({ ...body, requestId: null }).to.deep.equal({ ...shown, requestId: null });
  });
});

describeMode('postgres', 'the guides to tax and payments', stack => {
  it('have commands that work as printed, with the answers that they show', async function () {
    requireOrSkip(this, spawnSync('curl', ['--version']).status === 0, 'install curl');
    const company = await makeCompany(stack());
    await stack().sql('UPDATE companies SET next_invoice_number = 42 WHERE id = $1', [
      company.companyId,
    ]);
    await receive(company, { name: 'Ball valve 1/2"', delta: 50 });
    const issue = (items: object[]) =>
      company.post('/invoices', { customerName: 'Bright & Sons', date: '2026-11-20', items });
    const valves = { name: 'Ball valve 1/2"', qty: 2, price: 7.35 };
    const { body: first } = await issue([valves, { name: 'Delivery', qty: 1, price: 18.5 }]);
    const variables: Record<string, string> = { INVOICE_ID: first.id };
    const call = async (command: string) => {
      const access = { TRADEPOST_URL: stack().baseUrl, TRADEPOST_KEY: company.key };
      const env = { ...process.env, ...access, ...variables };
      return JSON.parse((await run('sh', ['-c', command], { env })).stdout);
    };
    const guide = async (name: string) =>
      blocks((await send(stack().baseUrl, 'GET', `/docs/${name}`)).text);

    const [create = '', shownInvoice = ''] = await guide('tax');
    expect(await call(create)).to.deep.include(JSON.parse(`{${shownInvoice}}`));
    await issue([{ name: 'Consulting', qty: 1.5, price: 95 }]);

    const [pay = '', shownPayment = '', allocate = '', refund = '', credit = ''] =
      await guide('payments');
    const payment = await call(pay);
    const shown = JSON.parse(`{${shownPayment}}`);
    const amounts = ({ allocations }: { allocations: Record<string, unknown>[] }) =>
      allocations.map(({ invoiceNumber, amount }) => `${invoiceNumber} ${amount}`);
    expect(amounts(payment)).to.deep.equal(amounts(shown));
    expect(payment).to.include({ unallocated: shown.unallocated, refunded: shown.refunded });
    variables.PAYMENT_ID = payment.id;
    expect((await call(allocate)).unallocated).to.equal(6.47);
    expect((await call(refund)).amount).to.equal(6.47);
    expect(await call(credit)).to.include({ number: 'CN-000001', total: 7.35, unallocated: 7.35 });
  });
});

/** The text of each sample in a language, in order. */
function samplesOf(page: string, language: string): string[] {
  const samples = page.split('<div class="sample" data-language="').slice(1);
  return samples
    .filter(html => html.startsWith(`${language}"`))
    .flatMap(html => blocks(html)[0] ?? []);
}

function blocks(html: string): string[] {
  const found = html.matchAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/gu);
  return [...found].map(([, text = '']) => unescapeHtml(text));
}
