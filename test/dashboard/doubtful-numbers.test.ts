// Where files have decimal commas, 1.250 in a form could be a quarter more than one, or one
// thousand two hundred and fifty. Every field for a number asks.
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { Browser, formErrors, signedIn } from '../support/dashboard.js';
import { changeCompany, makeCompany, receive } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { WORDS } from '../support/long-texts.js';
import { makePages } from '../support/pages.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const COMMAS = { csvFormat: 'semicolon' };
const DOUBT = 'This could mean two numbers. Enter 1250 or 1,25.';
/** Percentages and days, which cannot reach 1,000. */
const SMALL = /taxRate$|tax\.rate$|termsDays$|overlapHours$/iu;

interface NumberField {
  readonly path: string;
  readonly action: string;
  readonly name: string;
  /** The values that the form would send. */
  readonly fields: Record<string, string>;
}

/** The fields for numbers of all forms of a page that change data. */
async function numberFields(browser: Browser, path: string): Promise<NumberField[]> {
  const { text } = await browser.get(path);
  const forms = [...text.matchAll(/<form method="post" action="([^"]+)".*?<\/form>/gsu)];
  return forms.flatMap(([html, action = '']) => {
    const shown = html.replaceAll(/<template>.*?<\/template>/gsu, '');
    const [, button] = /<button class="button" [^>]*name="do" value="([^"]*)"/u.exec(shown) ?? [];
    const fields = { ...fieldsOf({ text: shown }), ...(button ? { do: button } : {}) };
    const names = [...shown.matchAll(/<input [^>]*inputmode="decimal"[^>]*>/gu)].map(
      ([input]) => /name="([^"]+)"/u.exec(input)?.[1] ?? '',
    );
    // A discount may also be a percentage, so its keyboard is that of texts.
    const discounts = [...shown.matchAll(/name="((?:items\.0\.)?discount)"/gu)].map(
      ([, name = '']) => name,
    );
    return [...names, ...discounts].map(name => ({
      ...{ path, action, name },
      fields: fields as Record<string, string>,
    }));
  });
}

describeMode('postgres', 'a typed 1.250 where files have decimal commas', stack => {
  it('is asked about in every field for a number', async () => {
    const { token, templates, others } = await makePages(stack(), WORDS);
    await stack().sql(`UPDATE companies SET csv_format = 'semicolon'`);
    const browser = new Browser(stack().baseUrl, token);
    const asked = new Set<string>();
    const silent: string[] = [];
    // The form with the draft first points out the terms of its customer.
    const paths = [...templates.signedIn, ...others.signedIn].filter(each => !/draft=/u.test(each));
    for (const path of new Set(paths)) {
      for (const { action, name, fields } of await numberFields(browser, path)) {
        if (SMALL.test(name)) continue;
        const answer = await browser.send(action, { ...fields, [name]: '1.250' });
        const kind = name.replaceAll(/\b\d+\b|[0-9a-f-]{36}/gu, '*');
        const errors = Object.values(formErrors(answer));
        if (errors.includes(DOUBT))
          asked.add(`${action.replaceAll(/[0-9a-f-]{36}/gu, ':id')} ${kind}`);
        else silent.push(`${path}: ${action} ${name}: ${answer.status} ${errors}`);
      }
    }
    expect(silent).to.deep.equal([]);
    expect([...asked].sort()).to.deep.equal([
      '/customers/:id/edit creditLimit',
      '/customers/new creditLimit',
      '/inventory/:id/adjust quantity',
      '/inventory/:id/details reorderPoint',
      '/inventory/:id/details unitCost',
      '/inventory/:id/details unitPrice',
      '/inventory/counts/:id quantity',
      '/inventory/deliveries/:id/correct items.*.quantity',
      '/inventory/new delta',
      '/inventory/new reorderPoint',
      '/inventory/new unitCost',
      '/inventory/new unitPrice',
      '/inventory/receive items.*.quantity',
      '/inventory/receive items.*.unitCost',
      '/invoices/:id/credit line.*.amount',
      '/invoices/:id/credit line.*.qty',
      '/invoices/new discount',
      '/invoices/new items.*.discount',
      '/invoices/new items.*.price',
      '/invoices/new items.*.qty',
      '/payments/:id/allocate invoice.*',
      '/payments/:id/refund amount',
      '/payments/new amount',
      '/payments/new invoice.*',
    ]);
  });

  it('is not asked about if the page has filled it in', async () => {
    const company = await makeCompany(stack());
    const item = { name: 'Cable', delta: 2, unitPrice: 1.125, reorderPoint: 12.125 };
    await receive(company, item);
    await changeCompany(stack(), company, COMMAS);
    const { browser } = await signedIn(stack(), company.companyId);
    const [{ id }] = (await company.get('/inventory')).body;
    const path = `/inventory/${id}`;
    const { reorderPoint = '', unitPrice = '' } = fieldsOf(await browser.get(path));
    expect([reorderPoint, unitPrice]).to.deep.equal(['12.1250', '1.1250']);
    const fields = { name: 'Cable', sku: 'C-1', reorderPoint, unitPrice };
    const saved = await browser.post(path, `${path}/details`, fields);
    expect(saved.status, textOf(saved)).to.equal(303);
    const { body } = await company.get(`/inventory/${id}`);
    expect(body).to.include({ sku: 'C-1', reorderPoint: 12.125, unitPrice: 1.125 });
  });

  it('is asked about again in a draft that was saved with it', async () => {
    const company = await makeCompany(stack());
    await changeCompany(stack(), company, COMMAS);
    const { browser } = await signedIn(stack(), company.companyId);
    const line = { 'items.0.name': 'Delivery', 'items.0.qty': '1.250', 'items.0.price': '8' };
    const draft = { customerName: 'Adler', date: '2026-11-02', ...line, do: 'save-draft' };
    const { headers } = await browser.post('/invoices/new', '/invoices/new', draft);
    const opened = await browser.get(String(headers.location));
    expect(fieldsOf(opened)['items.0.qty']).to.equal('1.250');
    const sent = { ...(fieldsOf(opened) as Record<string, string>), newName: 'adler' };
    const issued = await browser.send('/invoices/new', sent);
    expect(formErrors(issued)['items-0-qty']).to.equal(DOUBT);
  });

  it('is 1.25 elsewhere', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const item = { name: 'Hose', unitPrice: '1.250' };
    expect((await browser.post('/inventory/new', '/inventory/new', item)).status).to.equal(303);
    let made: Json;
    await until('the item is made', async () => {
      [made] = (await company.get('/inventory')).body;
      return made !== undefined;
    });
    expect(made.unitPrice).to.equal(1.25);
  });
});
