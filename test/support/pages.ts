// Every page of the dashboard, filled with records that are hard to lay out, and the check of one
// page: accessible, and whole at every width. Add new pages to the lists below.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  checkQuiet,
  closePage,
  findViolations,
  loadAxe,
  NARROW_AND_DARK,
  openPage,
  SAVES_PICTURES,
  savePicture,
  setDisplay,
  WIDE,
} from './browser.js';
import type { Json } from './client.js';
import { findBrokenLayout, WIDTHS } from './layout.js';
import { makeLongRecords } from './long-records.js';
import type { TextOf } from './long-texts.js';
import type { Stack } from './suite.js';

/** A4 without its margins, in CSS pixels. */
const PAPER_WIDTH = 718;

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

const TEMPLATES: PathLists = {
  signedOut: ['/sign-up', '/nothing-here'],
  signedIn: ['/', '/invoices', '/inventory', '/settings', '/admin/jobs?show=all'],
};
const OTHERS: PathLists = {
  signedOut: ['/sign-in', '/invitations/nothing-here', '/reset-password/nothing-here'],
  signedIn: [
    '/account',
    '/settings/documents',
    '/integrations/events',
    '/invoices?overdue=1',
    '/invoices/new',
    '/invoices/drafts',
    '/payments',
    '/payments?unallocated=1',
    '/payments/new',
    '/search',
    '/search?q=pump',
    '/credit-notes',
    '/credit-notes/new',
    '/emails/failed',
    '/tax-report',
    '/tax-report?from=2026-01&to=2026-01',
    '/customers',
    '/customers/new',
    '/customers/names',
    '/customers/import',
    '/receivables',
    '/inventory?archived=1',
    '/inventory/new',
    '/inventory/receive',
    '/inventory/deliveries',
    '/inventory/counts',
    '/inventory/import',
    '/integrations/api-access',
    '/integrations/api-access/new',
    '/integrations/webhooks',
    '/integrations/webhooks/new',
    '/settings/members',
    '/admin/companies',
  ],
};

/** An e-mail that a mail server refused at length. */
async function addLongEmail({ sql }: Stack, invoice: Json, textOf: TextOf): Promise<void> {
  const address = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
  const rejected = [{ address, reply: textOf(500) }];
  await sql(
    `INSERT INTO emails (company_id, id, document_type, document_id, document_number, recipients,
       subject, message, attach, status, error, created_at, due_at)
     SELECT company_id, gen_random_uuid(), 'invoice', id, 'x', $2, 'x', 'x', '["pdf"]', 'failed',
       $3, now(), NULL
     FROM invoices
     WHERE id = $1`,
    [
      invoice.id,
      JSON.stringify({ to: [address, address], cc: [address] }),
      JSON.stringify({ code: 'smtp_refused', detail: textOf(500), rejected }),
    ],
  );
}

/**
 * Makes a company with records of each kind, whose texts are as long as permitted, and a session of
 * an operator who owns it.
 */
export async function makePages(stack: Stack, textOf: TextOf): Promise<Pages> {
  const records = await makeLongRecords(stack, textOf);
  await addLongEmail(stack, records.invoice, textOf);
  const { customer, other, invoice, wide, extended, voided, paid, credited, delivery } = records;
  const name = new URLSearchParams({ name: records.nameWithoutRecord });
  return {
    token: records.token,
    templates: {
      ...TEMPLATES,
      signedIn: [
        ...TEMPLATES.signedIn,
        `/inventory/${delivery.movements[0].itemId}`,
        records.importPath,
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
        records.previewPath,
        records.unclearPath,
        `/search?${new URLSearchParams({ q: textOf(12) })}`,
        `/invoices/${invoice.id}`,
        `/invoices/${invoice.id}/send`,
        `/credit-notes/${credited.id}/send`,
        `/invoices/new?draft=${records.draftId}`,
        `/invoices/drafts/${records.draftId}/delete`,
        `/invoices/drafts/${records.draftId}/print`,
        `/invoices/${invoice.id}/print`,
        `/invoices/${voided.id}`,
        `/invoices/${voided.id}/print`,
        `/invoices/${wide.id}/void`,
        `/payments/${paid.id}`,
        `/payments/${records.free.id}`,
        `/payments/${records.bounced.id}`,
        `/payments/${paid.id}/allocate`,
        `/payments/${paid.id}/refund`,
        `/payments/${paid.id}/reverse`,
        `/credit-notes/${credited.id}`,
        `/credit-notes/${credited.id}/print`,
        `/customers/name?${name}`,
        `/customers/name/print?${name}`,
        ...['open', 'payments', 'details'].map(tab => `/customers/${customer.id}?show=${tab}`),
        `/customers/${customer.id}/print`,
        `/customers/${customer.id}/print?show=open`,
        `/customers/${customer.id}/edit`,
        `/customers/${customer.id}/history`,
        `/customers/${customer.id}/delete`,
        `/customers/${customer.id}/merge`,
        `/customers/${customer.id}/merge?with=${other.id}`,
        records.customerImportPath,
        `/inventory/deliveries/${delivery.id}`,
        `/inventory/deliveries/${delivery.id}/correct`,
        `/inventory/adjustments/${records.lost.id}/undo`,
        records.countPath,
        `${records.countPath}/review`,
        `${records.countPath}/delete`,
        `/integrations/api-access/${records.keyId}`,
        `/integrations/webhooks/${records.webhookId}`,
        `/settings/members/${records.userId}`,
        `/settings/members/${records.colleagueId}`,
        `/settings/members/${records.colleagueId}/role?role=warehouse`,
      ],
    },
  };
}

/**
 * Loads each page once. Fails if one is inaccessible in light or, if wanted, in dark, or broken at
 * a width or on paper. In dark the templates suffice: they use every component, so other pages add
 * no colors.
 */
export async function checkPages(
  { baseUrl }: Pick<Stack, 'baseUrl'>,
  token: string | null,
  paths: readonly string[],
  { inDark = false, isAccessible = true, widths = WIDTHS } = {},
): Promise<void> {
  const page = await openPage(baseUrl, token, { ...WIDE, isDrawn: false });
  const loaded = isAccessible ? await loadAxe(page) : null;
  const broken: string[] = [];
  for (const [index, path] of paths.entries()) {
    await setDisplay(page, WIDE);
    await page.goto(path);
    if (isAccessible) broken.push(...(await violationsOf(page, path)));
    await savePicture(page, WIDE);
    broken.push(...(await findAtEachWidth(page, path, widths)));
    if (inDark || SAVES_PICTURES) await setDisplay(page, NARROW_AND_DARK);
    // Only the frame, which all pages share, has elements that not every display shows.
    if (inDark) broken.push(...(await violationsOf(page, `${path} in dark`, index > 0)));
    checkQuiet(page);
    await savePicture(page, NARROW_AND_DARK);
  }
  await loaded?.dispose();
  expect(broken).to.deep.equal([]);
  await closePage(page);
}

async function violationsOf(page: Page, where: string, passedElsewhere = false) {
  const found = await findViolations(page, passedElsewhere);
  return found.map(each => `${where}: ${each}`);
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
  return [...broken, ...(await findTooWideForPaper(page, path))];
}

/** A printed page is as wide as the paper: what is wider is cut off. */
async function findTooWideForPaper(page: Page, path: string): Promise<string[]> {
  await setDisplay(page, { ...WIDE, width: PAPER_WIDTH });
  await page.emulateMedia({ media: 'print' });
  const broken = await findBrokenLayout(page);
  await page.emulateMedia({ media: null });
  return broken.map(found => `${path} on paper: ${found}`);
}
