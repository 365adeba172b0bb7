// The documentation in a real browser: accessible and of bearable length, with and without
// JavaScript.
import { expect } from 'chai';
import {
  checkPage,
  closePage,
  DISPLAYS,
  openPage,
  requireChromium,
  savePicture,
  setDisplay,
  WIDE,
} from '../support/browser.js';
import { describeMode } from '../support/suite.js';

const PAGES = [
  '/docs/errors',
  '/docs/authentication',
  '/docs/stock-matching',
  '/docs/tax',
  '/docs/payments',
  '/docs/customers',
  '/docs/testing',
  '/docs/changelog',
];
/** About three screens, which a reader can still scan. */
const OPENED_MAX_PX = 2_600;

describeMode('postgres', 'the documentation in a browser', stack => {
  before(function () {
    requireChromium(this);
  });

  for (const path of ['/docs', ...PAGES])
    it(`${path} is accessible, wide and light, narrow and dark, and when opened`, async () => {
      const page = await openPage(stack().baseUrl, null, { ...WIDE, isDrawn: false });
      await page.goto(path);
      for (const display of DISPLAYS) {
        await setDisplay(page, display);
        await savePicture(page, display);
        await page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })");
        await checkPage(page, display !== DISPLAYS[0]);
        const cut = await page.evaluate(`
          [...document.querySelectorAll('pre')]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length
        `);
        expect(cut, `samples that are cut off at ${display.width} px`).to.equal(0);
      }
      await closePage(page);
    });

  it('opens each operation in at most 2,600 px, and by its address', async () => {
    const page = await openPage(stack().baseUrl, null);
    await page.goto('/docs');
    await page.locator('details.operation > summary').first().click();
    await page.locator('details.operation[open]').waitFor();
    const heights = (await page.evaluate(`
      [...document.querySelectorAll('details.operation')].map(operation => {
        operation.open = true;
        const { height } = operation.getBoundingClientRect();
        operation.open = false;
        return [operation.id, height];
      })
    `)) as [string, number][];
    expect(heights).to.have.length.above(8);
    for (const [id, height] of heights) expect(height, id).to.be.within(200, OPENED_MAX_PX);
    await page.goto('/docs#adjustInventory');
    const reason = page.locator('#adjustInventory .name').first();
    expect(await reason.isVisible()).to.equal(true);
    await closePage(page);
  });

  it('shows the samples of one language, without JavaScript too', async () => {
    const page = await openPage(stack().baseUrl, null, { ...WIDE, javaScriptEnabled: false });
    await page.goto('/docs');
    const visible = () => page.locator('.sample:visible').evaluateAll(samplesToLanguages);
    expect(await visible()).to.deep.equal(['curl', 'curl']);
    await page.getByLabel('Python').check();
    expect(await visible()).to.deep.equal(['python', 'python']);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).to.equal(0);
    await closePage(page);
  });

  it('copies a sample', async () => {
    const page = await openPage(stack().baseUrl, null);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.match(
      /^export TRADEPOST_URL=http:\S+\nexport TRADEPOST_KEY=tpk_…$/u,
    );
    await closePage(page);
  });
});

/** Runs in the browser. */
function samplesToLanguages(samples: { dataset: { language?: string } }[]): (string | undefined)[] {
  return samples.map(({ dataset }) => dataset.language);
}
