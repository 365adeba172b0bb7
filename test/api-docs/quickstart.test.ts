// The samples of the quickstart and the guides, run exactly as the pages print them.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { type Json, send } from '../support/client.js';
import { freshKey, makeCustomer, refuseAboveLimits } from '../support/customers.js';
import { changeCompany, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { atEnd, describeMode, openForTests, requireOrSkip, type Stack } from '../support/suite.js';
import { codeBlocks, guideBlocks } from './guide-blocks.js';

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
    const shown = JSON.parse(
      codeBlocks(page).find(text => text.includes('"validation_failed"')) ?? '',
    );
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
    await changeCompany(stack(), company, { nextInvoiceNumber: 42 });
    await receive(company, { name: 'Ball valve 1/2"', delta: 50 });
    const issue = (items: object[]) =>
      company.post('/invoices', { customerName: 'Bright & Sons', date: '2026-11-20', items });
    const valves = { name: 'Ball valve 1/2"', qty: 2, price: 7.35 };
    const { body: first } = await issue([valves, { name: 'Delivery', qty: 1, price: 18.5 }]);
    const variables: Record<string, string> = { INVOICE_ID: first.id };
    const call = async (command: string) =>
      JSON.parse(await output(command, stack(), company, variables));
    const guide = (name: string) => guideBlocks(stack(), name);

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

describeMode('postgres', 'the guide to customers', stack => {
  it('has commands that work as printed, with the figures that it shows', async function () {
    requireOrSkip(this, spawnSync('curl', ['--version']).status === 0, 'install curl');
    const company = await makeCompany(stack());
    openForTests(stack().databaseUrl, 2);
    await refuseAboveLimits(company);
    await closeDatabase();
    const key = await freshKey(stack(), company);
    const variables: Record<string, string> = { DUPLICATE_ID: '', CUSTOMER_ID: '' };
    const run = (command: string) => output(command, stack(), { ...company, ...key }, variables);
    const call = async (command: string): Promise<Json> => JSON.parse(await run(command));
    const shown = (text: string) => JSON.parse(`{${text}}`);
    const [create = '', merge = '', invoice = '', shownInvoice = '', , ...more] = await guideBlocks(
      stack(),
      'customers',
    );
    const [refused = '', shownRefusal = '', statement = '', allocate = '', ...last] = more;
    const [receivables = '', shownRow = '', csv = ''] = last;

    variables.DUPLICATE_ID = (await makeCustomer(company, { name: 'Bright Ltd' })).id;
    const customer = await call(create);
    variables.CUSTOMER_ID = customer.id;
    expect((await call(merge)).aliases).to.deep.equal(['Bright Ltd']);
    expect(await call(invoice)).to.deep.include(shown(shownInvoice));
    expect(await call(refused)).to.deep.include({
      code: 'credit_limit_exceeded',
      ...shown(shownRefusal),
    });

    const consulting = (date: string, qty: number) =>
      company.post('/invoices', {
        customerId: customer.id,
        date,
        items: [{ name: 'Consulting', qty, price: 95 }],
      });
    await consulting('2026-11-09', 2);
    const { body: payment } = await company.post('/payments', {
      amount: 400,
      date: '2026-11-12',
      invoices: [{ number: 'INV-000001' }],
    });
    variables.PAYMENT_ID = payment.id;
    const { opening, entries, closing } = await call(statement);
    expect([opening, ...entries.map((line: Json) => line.balance), closing]).to.deep.equal([
      ...[380, 570, 170, 170],
    ]);
    const openItems = async (day: string) => {
      const query = `customerId=${customer.id}&type=open&to=${day}`;
      const { invoices, credits } = (await company.get(`/statements?${query}`)).body;
      return [
        ...invoices.map(({ number, due, daysOverdue }: Json) => [number, due, daysOverdue]),
        ...credits.map(({ unallocated }: Json) => ['credit', unallocated]),
      ];
    };
    expect(await openItems('2026-11-30')).to.deep.equal([
      ['INV-000002', 190, 7],
      ['credit', 20],
    ]);
    await consulting('2026-11-20', 1);
    await call(allocate);
    expect(await openItems('2026-11-19')).to.deep.equal([
      ['INV-000002', 190, 0],
      ['credit', 20],
    ]);
    expect(await openItems('2026-11-20')).to.deep.equal([
      ['INV-000002', 190, 0],
      ['INV-000003', 75, 0],
    ]);
    expect((await call(receivables)).customers).to.deep.equal([
      { customerId: customer.id, ...shown(shownRow) },
    ]);
    expect(await run(csv)).to.contain(`\r\n"${customer.id}","Bright & Sons",1000,`);
  });
});

/** The output of a command of a page, with these variables and the company's key. */
async function output(
  command: string,
  { baseUrl }: Stack,
  { key }: Pick<TestCompany, 'key'>,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { ...process.env, TRADEPOST_URL: baseUrl, TRADEPOST_KEY: key, ...variables };
  return (await run('sh', ['-c', command], { env })).stdout;
}

/** The text of each sample in a language, in order. */
function samplesOf(page: string, language: string): string[] {
  const samples = page.split('<div class="sample" data-language="').slice(1);
  return samples
    .filter(html => html.startsWith(`${language}"`))
    .flatMap(html => codeBlocks(html)[0] ?? []);
}
