// Every page of the dashboard, filled with records that are hard to lay out, and the check of one
// page: accessible, and whole at every width. Add new pages to the lists below.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  checkPage,
  checkQuiet,
  closePage,
  NARROW_AND_DARK,
  openPage,
  savePicture,
  setDisplay,
  WIDE,
} from './browser.js';
import { Browser, makeSession, makeUser } from './dashboard.js';
import { addKey, changeCompany, makeCompany, receive } from './factories.js';
import { fieldsOf } from './html.js';
import { importFile, uploadFile } from './imports.js';
import { findBrokenLayout, WIDTHS } from './layout.js';
import { created, credit, issue, pay } from './ledger.js';
import { until } from './processes.js';
import type { Stack } from './suite.js';

interface PathLists {
  readonly signedOut: readonly string[];
  readonly signedIn: readonly string[];
}

/** The paths of all pages. The templates together use every component. */
export interface Pages {
  /** The session for `signedIn`. */
  readonly token: string;
  readonly templates: PathLists;
  readonly others: PathLists;
}

/** One word of 90 characters, as a long name of a customer and of a company. */
const LONG_WORD = 'Unbroken'.repeat(11);

const TEMPLATES: PathLists = {
  signedOut: ['/sign-up', '/nothing-here'],
  signedIn: ['/', '/invoices', '/inventory', '/settings', '/admin/jobs?show=all'],
};
const OTHERS: PathLists = {
  signedOut: ['/sign-in', '/invitations/nothing-here', '/reset-password/nothing-here'],
  signedIn: [
    '/account',
    '/invoices?overdue=1',
    '/invoices/new',
    '/invoices/drafts',
    '/payments',
    '/payments?unallocated=1',
    '/payments/new',
    '/search',
    `/search?q=${LONG_WORD.slice(0, 8)}`,
    '/credit-notes',
    '/credit-notes/new',
    '/tax-report',
    '/tax-report?from=2026-01&to=2026-01',
    '/customers',
    '/customers/new',
    '/customers/names',
    '/customers/import',
    `/customers/name?name=${LONG_WORD}`,
    '/receivables',
    '/inventory?archived=1',
    '/inventory/new',
    '/inventory/receive',
    '/inventory/deliveries',
    '/inventory/import',
    '/integrations/api-access',
    '/integrations/api-access/new',
    '/settings/members',
    '/admin/companies',
  ],
};

/** Makes a company with one record of each kind, and a session of an operator who owns it. */
export async function makePages(stack: Stack): Promise<Pages> {
  const company = await makeCompany(stack);
  const { companyId } = company;
  const { userId } = await makeUser(stack, companyId, { operator: true });
  const colleague = await makeUser(stack, companyId, { role: 'member', name: LONG_WORD });
  const key = await addKey(stack, companyId);
  await changeCompany(stack, { companyId }, { name: LONG_WORD });
  const token = await makeSession(stack, companyId, userId);
  const [itemId] = await receive(
    company,
    { name: 'Pump', delta: 3, reorderPoint: 5, unitCost: 2 },
    { name: 'A very long name of an item that has to wrap somewhere', delta: 0 },
  );
  const { body: delivery } = await company.post('/inventory/adjustments', {
    ...{ reason: 'received', reference: LONG_WORD, note: 'Second half of the order' },
    items: [{ name: 'Pump', delta: 2, unitCost: 2 }],
  });
  await company.post('/inventory/adjustments', {
    reason: 'received',
    items: [{ name: 'Pump', delta: 1 }],
  });
  const date = new Date().toISOString().slice(0, 10);
  const wide = await issue(company, { date, customerName: LONG_WORD });
  const invoice = await issue(company, { date });
  const paid = await pay(company, 120, [invoice]);
  // This invoice has the taxes, discounts and entries that a company may leave unused.
  const extended = await issue(company, {
    date: '2026-01-01',
    dueDate: '2026-01-02',
    items: [
      { name: 'Service', qty: 2, price: 1_000_000, taxRate: 19, discount: { percent: 12.5 } },
      { name: 'Training', qty: 1, price: 10, taxRate: 0, taxCategory: 'AE' },
    ],
    discount: { amount: 5, reason: LONG_WORD },
    note: LONG_WORD,
  });
  await pay(company, 20, [extended]);
  const person = new Browser(stack.baseUrl, token);
  const address = { line1: LONG_WORD, city: LONG_WORD, country: 'DE' };
  const { body: customer } = await company.post('/customers', {
    ...{ name: 'Quay', aliases: [`Quay ${LONG_WORD}`], legalName: LONG_WORD, address },
    ...{ email: `a@${LONG_WORD.slice(0, 60)}.example`, creditLimit: 1, note: LONG_WORD },
  });
  await issue(company, { date, customerName: 'Quay', reference: LONG_WORD });
  await company.patch(`/customers/${customer.id}`, { hold: true, phone: LONG_WORD.slice(0, 50) });
  const { body: other } = await company.post('/customers', { name: 'Pier', address });
  await pay(company, 20, [], { customerName: 'Quay', date });
  const customerFile = {
    name: 'customers.csv',
    content: `name,email\nA,${LONG_WORD}\nB,b@b.example`,
  };
  const importPath = '/customers/import';
  const importFields = { key: colleague.userId, decimals: '' };
  const customerImport = await person.upload(importPath, importPath, importFields, customerFile);
  const voided = await issue(company, { date: '2026-01-01' });
  created(await company.post(`/invoices/${voided.id}/void`, { reason: LONG_WORD }));
  const credited = await credit(company, extended, { items: [{ line: 1, amount: 1 }] });
  const correctPath = `/inventory/deliveries/${delivery.id}/correct`;
  const correction = fieldsOf(await person.get(correctPath));
  await person.post(correctPath, correctPath, { ...correction, 'items.0.quantity': '1' });
  const draftId = await saveDraft(person);
  const file = {
    name: 'stock.csv',
    content: 'name,count,color\nPump,4,\nA_very_long_name_that_does_not_wrap_by_itself,x,red',
  };
  const preview = await uploadFile(person, file);
  const unclear = await uploadFile(person, { content: `${LONG_WORD},Preis\nPump,2` });
  const started = await importFile(person, file);
  await until(
    "the summary has this month's invoices",
    async () => (await company.get('/summary')).body.invoices.count === 3,
  );
  return {
    token,
    templates: {
      ...TEMPLATES,
      signedIn: [
        ...TEMPLATES.signedIn,
        `/inventory/${itemId}`,
        String(started.headers.location),
        `/invoices/${extended.id}`,
        `/invoices/${extended.id}/print`,
        `/invoices/${extended.id}/credit`,
        `/invoices/new?copy=${extended.id}`,
        `/payments/new?invoice=${wide.id}`,
        `/customers/${customer.id}`,
      ],
    },
    others: {
      ...OTHERS,
      signedIn: [
        ...OTHERS.signedIn,
        String(preview.headers.location),
        String(unclear.headers.location),
        `/invoices/${invoice.id}`,
        `/invoices/new?draft=${draftId}`,
        `/invoices/drafts/${draftId}/delete`,
        `/invoices/${invoice.id}/print`,
        `/invoices/${voided.id}`,
        `/invoices/${voided.id}/print`,
        `/invoices/${wide.id}/void`,
        `/payments/${paid.id}`,
        `/payments/${paid.id}/allocate`,
        `/payments/${paid.id}/refund`,
        `/payments/${paid.id}/reverse`,
        `/credit-notes/${credited.id}`,
        `/customers/${customer.id}?show=open`,
        `/customers/${customer.id}?show=payments`,
        `/customers/${customer.id}?show=details`,
        `/customers/${customer.id}/print`,
        `/customers/${customer.id}/print?show=open`,
        `/customers/${customer.id}/edit`,
        `/customers/${customer.id}/history`,
        `/customers/${customer.id}/delete`,
        `/customers/${customer.id}/merge`,
        `/customers/${customer.id}/merge?with=${other.id}`,
        String(customerImport.headers.location),
        `/inventory/deliveries/${delivery.id}`,
        correctPath,
        `/credit-notes/${credited.id}/print`,
        `/integrations/api-access/${key.keyId}`,
        `/settings/members/${userId}`,
        `/settings/members/${colleague.userId}`,
        `/settings/members/${colleague.userId}/role?role=warehouse`,
      ],
    },
  };
}

/** Saves a draft that is hard to lay out, and returns its id. */
async function saveDraft(person: Browser): Promise<string> {
  const path = '/invoices/new';
  const saved = await person.post(path, path, {
    ...{ do: 'save-draft', customerName: LONG_WORD, date: '2026-01-01', note: LONG_WORD },
    ...{ 'items.0.name': LONG_WORD, 'items.0.qty': '1', 'items.0.price': '999999999.99' },
  });
  return new URLSearchParams(String(saved.headers.location).split('?')[1]).get('draft') ?? '';
}

/**
 * Loads each page once. Fails if one is inaccessible in light or, if wanted, in dark, or broken at
 * a width. In dark the templates suffice: they use every component, so other pages add no colors.
 */
export async function checkPages(
  { baseUrl }: Pick<Stack, 'baseUrl'>,
  token: string | null,
  paths: readonly string[],
  { inDark = false, widths = WIDTHS } = {},
): Promise<void> {
  const page = await openPage(baseUrl, token);
  const broken: string[] = [];
  for (const [index, path] of paths.entries()) {
    await setDisplay(page, WIDE);
    await page.goto(path);
    await checkPage(page);
    await savePicture(page, WIDE);
    broken.push(...(await findAtEachWidth(page, path, widths)));
    await setDisplay(page, NARROW_AND_DARK);
    // Only the frame, which all pages share, has elements that not every display shows.
    if (inDark) await checkPage(page, index > 0);
    else checkQuiet(page);
    await savePicture(page, NARROW_AND_DARK);
  }
  expect(broken).to.deep.equal([]);
  await closePage(page);
}

async function findAtEachWidth(
  page: Page,
  path: string,
  widths: readonly number[],
): Promise<string[]> {
  const broken: string[] = [];
  for (const width of widths) {
    await setDisplay(page, { ...WIDE, width });
    broken.push(...(await findBrokenLayout(page)).map(found => `${path} ${width}: ${found}`));
  }
  return broken;
}
