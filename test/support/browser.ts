// The real browser of the tests: one Chromium for the whole suite, a context of its own (cookies, viewport, colours) for
// each test, and the check that every page has to pass.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ROOT } from './processes.js';
import { atEnd, forAllTests, requireOrSkip } from './suite.js';

const MISSING = 'chromium is not installed: apt-get install chromium, or set CHROMIUM_PATH';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Only violations are described: describing what is right takes longer than finding it. */
const RUN = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";
/** No sandbox, because root has none; nothing that would talk to other hosts. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
}

export const WIDE: Look = { width: 1280, colorScheme: 'light' };

/** Narrow and wide, light and dark: how every page is looked at. Colours depend on no width, nor the layout on colours. */
export const LOOKS: readonly Look[] = [WIDE, { width: 360, colorScheme: 'dark' }];

let browser: Promise<Browser> | undefined;

/** Skips where Chromium is missing; with REQUIRE_ALL=1 that is a failure. For `before` hooks. */
export function requireChromium(context: Mocha.Context): void {
  requireOrSkip(context, chromiumPath() !== '', MISSING);
}

/** A new page at one of the LOOKS, in a context of its own; signed in where a session's token is given. */
export async function openPage(
  baseUrl: string,
  token: string | null,
  look: Look = WIDE,
): Promise<Page> {
  // Its profile is a temporary folder that goes with it.
  browser ??= forAllTests(async () => {
    const launched = await chromium.launch({
      executablePath: chromiumPath(),
      headless: true,
      args: FLAGS,
    });
    atEnd(() => launched.close());
    return launched;
  });
  const { width, colorScheme, javaScriptEnabled = true } = look;
  const context = await (await browser).newContext({
    baseURL: baseUrl,
    viewport: { width, height: 900 },
    colorScheme,
    javaScriptEnabled,
  });
  if (token !== null) {
    await context.addCookies([
      { name: 'session', value: token, url: baseUrl, httpOnly: true, sameSite: 'Lax' },
    ]);
  }
  return watch(await context.newPage(), baseUrl);
}

/** Closes the page and its context. */
export async function closePage(page: Page): Promise<void> {
  await page.context().close();
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * Fails where the page that is open breaks a rule of axe-core, is wider than its window, or since it was opened asked
 * another host for something or wrote an error to the console (a refused script or style among them).
 */
export async function checkPage(page: Page): Promise<void> {
  // Through the debugger: the page's own policy refuses scripts from elsewhere.
  await page.evaluate(axe);
  const violations = (await page.evaluate(RUN)) as Violation[];
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  );
  expect(found, `axe-core on ${page.url()}`).to.deep.equal([]);
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow, `pixels by which ${page.url()} is wider than its window`).to.equal(0);
  checkQuiet(page);
}

/** Keeps a picture of the page that is open, under .screenshots/, for people to look at. */
export async function keepPicture(page: Page, { width, colorScheme }: Look): Promise<void> {
  const { pathname } = new URL(page.url());
  const name = pathname.slice(1).replaceAll('/', '-').replaceAll(UUID, 'one') || 'overview';
  await page.screenshot({
    path: join(ROOT, '.screenshots', `${name}-${width}-${colorScheme}.png`),
    fullPage: true,
  });
}
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

/** Fails where the page since it was opened asked another host for something or wrote an error to the console. */
export function checkQuiet(page: Page): void {
  expect(faults.get(page), page.url()).to.deep.equal([]);
}

const faults = new WeakMap<Page, string[]>();

function watch(page: Page, baseUrl: string): Page {
  const found: string[] = [];
  faults.set(page, found);
  page.on('console', message => {
    // An error page is an error to the console too.
    const isOfPage =
      message.location().url === page.url() && /status of 4\d\d/u.test(message.text());
    if (message.type() === 'error' && !isOfPage) found.push(message.text());
  });
  page.on('pageerror', error => found.push(error.message));
  page.on('request', request => {
    if (!request.url().startsWith(`${baseUrl}/`)) found.push(`asked for ${request.url()}`);
  });
  return page;
}

function chromiumPath(): string {
  return (
    process.env.CHROMIUM_PATH ||
    spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim()
  );
}
