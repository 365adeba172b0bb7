// The real browser of the tests: one Chromium with one page for all tests, without cookies at the
// start of each, and the checks that every page must pass. Checks that only read pages use a second
// Chromium, which draws nothing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Browser, type CDPSession, chromium, type Locator, type Page } from 'playwright-core';
import { ROOT, until } from './processes.js';
import { atEnd, forAllTests, requireOrSkip } from './suite.js';

/** The first one is the same browser without a window, and takes half of the CPU time. */
const PROGRAMS = ['chromium-headless-shell', 'chromium'];
const MISSING = 'chromium is not installed: apt-get install chromium, or set CHROMIUM_PATH';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The rules whose result can differ between two displays of the same elements. */
const DISPLAY_RULES = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
];
/** No sandbox, which root cannot use, and no connections to other hosts. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Pictures of the pages, for people who look at them. */
export const SAVES_PICTURES = process.env.SCREENSHOT === '1';
const DEFAULT_HEIGHT = 900;
/** Much longer than any step takes, even on a host that is slow and busy. */
const STEP_TIMEOUT_MS = 60_000;

/** Draws no frames, which takes half of the CPU time. A click would wait for one forever. */
const NEVER_DRAW = '--disable-threaded-compositing';

export interface Display {
  readonly width: number;
  readonly height?: number;
  readonly colorScheme: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  /** False for pages that are only read and measured. */
  readonly isDrawn?: boolean;
}

export const WIDE: Display = { width: 1280, colorScheme: 'light' };

export const NARROW_AND_DARK: Display = { width: 360, colorScheme: 'dark' };

/** Every page is checked on these. Two suffice, as colors and layout do not affect each other. */
export const DISPLAYS: readonly Display[] = [WIDE, NARROW_AND_DARK];

/** By their flags. */
const browsers = new Map<string, Promise<Browser>>();
/**
 * By base URL and the browser's flags. Each new page starts up to three processes, which costs two
 * seconds of CPU time.
 */
const pages = new Map<string, Promise<Page>>();

/** For `before` hooks: skips the tests if Chromium is missing, or fails with REQUIRE_ALL=1. */
export function requireChromium(context: Mocha.Context): void {
  requireOrSkip(context, chromiumPath() !== '', MISSING);
}

/** The page without cookies, or signed in if a session's token is given. One at a time. */
export async function openPage(
  baseUrl: string,
  token: string | null,
  display: Display = WIDE,
): Promise<Page> {
  const flags = display.isDrawn === false && !SAVES_PICTURES ? [...FLAGS, NEVER_DRAW] : FLAGS;
  const page = await (pages.get(`${baseUrl} ${flags}`) ?? makePage(baseUrl, flags));
  await page.context().clearCookies();
  await page.context().clearPermissions();
  await setDisplay(page, display);
  await setScripts(page, display.javaScriptEnabled !== false);
  if (token !== null) {
    await page
      .context()
      .addCookies([
        { name: 'session', value: token, url: baseUrl, httpOnly: true, sameSite: 'Lax' },
      ]);
  }
  noises.set(page, []);
  return page;
}

function makePage(baseURL: string, flags: readonly string[]): Promise<Page> {
  const page = (browsers.get(`${flags}`) ?? launch(flags))
    .then(opened => opened.newContext({ baseURL }))
    .then(context => {
      context.setDefaultTimeout(STEP_TIMEOUT_MS);
      return context.newPage();
    })
    .then(made => watch(made, baseURL));
  pages.set(`${baseURL} ${flags}`, page);
  return page;
}

function launch(flags: readonly string[]): Promise<Browser> {
  // Closing the browser deletes its temporary profile.
  const browser = forAllTests(async () => {
    const launched = await chromium.launch({
      executablePath: chromiumPath(),
      headless: true,
      args: [...flags],
    });
    atEnd(() => launched.close());
    return launched;
  });
  browsers.set(`${flags}`, browser);
  return browser;
}

async function setScripts(page: Page, enabled: boolean): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await session.send('Emulation.setScriptExecutionDisabled', { value: !enabled });
}
const sessions = new WeakMap<Page, CDPSession>();

/** Ends the page's scripts. Only another page of the same host continues in its process. */
export async function closePage(page: Page): Promise<void> {
  await page.goto('/healthz');
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * Fails if the page, once it is loaded, violates a rule of axe-core or fails `checkWidth`. For a
 * page that passed on another display, `DISPLAY_RULES` suffice.
 */
export async function checkPage(page: Page, passedElsewhere = false): Promise<void> {
  await page.waitForLoadState();
  const found = await findViolations(page, passedElsewhere);
  expect(found, `axe-core on ${page.url()}`).to.deep.equal([]);
  await checkWidth(page);
}

/** Loads axe-core with each page until disposed, which is faster than after each page. */
export function loadAxe(page: Page): Promise<{ dispose(): Promise<void> }> {
  return page.addInitScript({ content: axe });
}

/** The findings of axe-core for `checkPage`, as sentences. */
export async function findViolations(page: Page, passedElsewhere = false): Promise<string[]> {
  // Through the debugger, because the page's CSP refuses scripts of other origins.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Describes violations only: describing passed rules takes longer than checking them. No rule
  // that runs reads the style sheets, so they need not be loaded.
  const options = {
    resultTypes: ['violations'],
    preload: false,
    ...(passedElsewhere ? { runOnly: DISPLAY_RULES } : {}),
  };
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[];
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/**
 * Fails if the page scrolls sideways, shows an element that is hidden, has a container in a
 * fieldset, or fails `checkQuiet`. Chromium now and then leaves such a container blank if the page
 * arrives in parts.
 */
export async function checkWidth(page: Page): Promise<void> {
  const { overflow, shown, containers } = (await page.evaluate(`({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    shown: Array.from(document.querySelectorAll('[hidden]'))
      .filter(element => element.checkVisibility())
      .map(({ outerHTML }) => outerHTML),
    containers: Array.from(document.querySelectorAll('fieldset *'))
      .filter(element => getComputedStyle(element).containerType !== 'normal')
      .map(({ className }) => className),
  })`)) as { overflow: number; shown: string[]; containers: string[] };
  expect(overflow, `pixels by which ${page.url()} is wider than its window`).to.equal(0);
  expect(shown, `hidden elements shown by ${page.url()}`).to.deep.equal([]);
  expect(containers, `containers in fieldsets of ${page.url()}`).to.deep.equal([]);
  checkQuiet(page);
}

/** Fails if the page, since it was opened, requested another host or logged an error. */
export function checkQuiet(page: Page): void {
  expect(noises.get(page), page.url()).to.deep.equal([]);
}

/** Waits until the control has the focus: the browser moves it after it has loaded the page. */
export async function expectFocus(control: Locator): Promise<void> {
  await control.and(control.page().locator(':focus')).waitFor();
}

/**
 * Enters a text and Enter into the focused field as a scanner does: within milliseconds, which
 * keys that are sent one by one on a busy machine do not.
 */
export async function scan(page: Page, text: string): Promise<void> {
  // The field may have the focus before the page's scripts, which handle these events, have run.
  await page.waitForLoadState();
  await page.evaluate(`(text => {
    const field = document.activeElement;
    for (const character of text) {
      field.value += character;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    const enter = { key: 'Enter', bubbles: true, cancelable: true };
    field.dispatchEvent(new KeyboardEvent('keydown', enter));
  })(${JSON.stringify(text)})`);
}

/** Waits until the field has the value: scripts may set it after an answer of the server. */
export function expectValue(field: Locator, value: string): Promise<void> {
  return until(`the field has ${value}`, async () => (await field.inputValue()) === value);
}

/** Holds a script of the pages back, as a slow network does, until the result is called. */
export function holdScript(page: Page, name: string): Promise<() => Promise<void>> {
  return holdRequests(page, `**/${name}.js*`);
}

/** Holds requests back until the result is called. */
export async function holdRequests(page: Page, pattern: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = promiseParts();
  await page.route(pattern, async route => {
    await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

function promiseParts(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Resizes the open page's window and switches its colors if they differ, since that takes long. */
export async function setDisplay(page: Page, display: Display): Promise<void> {
  const { width, height = DEFAULT_HEIGHT, colorScheme } = display;
  const before = displays.get(page);
  displays.set(page, { width, height, colorScheme });
  await page.setViewportSize({ width, height });
  if (before?.colorScheme !== colorScheme) await page.emulateMedia({ colorScheme });
}
const displays = new WeakMap<Page, Display>();

/** With SCREENSHOT=1, saves a picture of the page under .screenshots/ for manual review. */
export async function savePicture(page: Page, { width, colorScheme }: Display): Promise<void> {
  if (!SAVES_PICTURES) return;
  const { pathname } = new URL(page.url());
  const name = pathname.slice(1).replaceAll('/', '-').replaceAll(UUID, 'one') || 'overview';
  await page.screenshot({
    path: join(ROOT, '.screenshots', `${name}-${width}-${colorScheme}.png`),
    fullPage: true,
  });
}
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

/** Requests to other hosts and logged errors, by page. */
const noises = new WeakMap<Page, string[]>();

function watch(page: Page, baseUrl: string): Page {
  const add = (noise: string) => noises.get(page)?.push(noise);
  page.on('console', message => {
    // The console also reports the status of an expected error page.
    const isOfPage =
      message.location().url === page.url() && /status of 4\d\d/u.test(message.text());
    if (message.type() === 'error' && !isOfPage) add(message.text());
  });
  page.on('pageerror', error => add(error.message));
  page.on('request', request => {
    if (!request.url().startsWith(`${baseUrl}/`)) add(`requested ${request.url()}`);
  });
  return page;
}

/** Prints the page of a failed test. */
afterEach(async function () {
  if (this.currentTest?.state !== 'failed') return;
  for (const page of await Promise.all(pages.values())) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 5_000 })
      .catch(error => `${error}`);
    process.stdout.write(`    the browser is at ${page.url()}:\n${text.slice(0, 1_000)}\n`);
  }
});

function chromiumPath(): string {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const { stdout } = spawnSync('which', PROGRAMS, { encoding: 'utf8' });
  return stdout.split('\n')[0] ?? '';
}
