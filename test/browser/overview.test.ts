// The overview in a real browser: long figures are never cut off, charts show exact figures.

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  checkPage,
  checkWidth,
  closePage,
  openPage,
  requireChromium,
  setDisplay,
  WIDE,
} from '../support/browser.js';
import { makeSession, makeUser } from '../support/dashboard.js';
import { today } from '../support/days.js';
import {
  changeCompany,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { findBrokenLayout, WIDTHS } from '../support/layout.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const TODAY = today();
/** The largest total of one invoice is 13 digits long. */
const LARGE = { name: 'Crane', qty: 999_999.99, price: 100_000 };

describeMode('postgres', 'the overview in a browser', stack => {
  before(function () {
    requireChromium(this);
  });

  const open = async (company: TestCompany): Promise<Page> => {
    const { userId } = await makeUser(stack(), company.companyId);
    await changeCompany(stack(), company, { firstStepsHidden: true });
    return openPage(stack().baseUrl, await makeSession(stack(), company.companyId, userId));
  };

  const invoice = async (company: TestCompany, count: number, line: object) => {
    const request = invoiceRequest({ date: TODAY, items: [line] });
    await Promise.all(Array.from({ length: count }, () => company.post('/invoices', request)));
    await until(
      'the summary has them',
      async () => (await company.get('/summary')).body.invoices.count === count,
    );
  };

  for (const { currency, count, total } of [
    { currency: 'IDR', count: 99, total: 'IDR 9,899,999,901,000.00' },
    { currency: 'KWD', count: 99, total: 'KWD 9,899,999,901,000.000' },
  ]) {
    it(`shows 15 digits in ${currency} in full at every width`, async () => {
      const company = await makeCompany(stack(), { currency });
      await receive(company, { name: 'Pipe', delta: 9_999_999.99, unitCost: 999_999 });
      await invoice(company, count, LARGE);
      const page = await open(company);
      for (const width of WIDTHS) {
        await setDisplay(page, { ...WIDE, width });
        await page.goto('/');
        await checkWidth(page);
        const text = (await page.locator('main').innerText()).replaceAll('\u00a0', ' ');
        expect(text.replaceAll('\n', ' '), `at ${width} px`).to.contain(total);
        expect(await cutFigures(page), `figures cut off at ${width} px`).to.deep.equal([]);
        expect(await findBrokenLayout(page), `broken at ${width} px`).to.deep.equal([]);
      }
      await closePage(page);
    });
  }

  it('fills every row of tiles, at every width', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', delta: 1, unitCost: 2 });
    const page = await open(company);
    for (const width of WIDTHS) {
      await setDisplay(page, { ...WIDE, width });
      await page.goto('/');
      // The lines between tiles.
      expect(await emptyShare(page), `at ${width} px`).to.be.below(0.03);
    }
    await closePage(page);
  });

  it('shows the exact figure at the cursor, and words instead of an empty chart', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', delta: 1 });
    const page = await open(company);
    await page.goto('/');
    await page.getByText('No sales in this period or the one before.').waitFor();
    expect(await page.locator('canvas').count()).to.equal(0);
    await invoice(company, 1, { name: 'Delivery', qty: 1, price: 1943.18 });
    await page.goto('/');
    const legend = page.locator('.chart-legend');
    await legend.waitFor();
    expect(await legend.innerText()).not.to.match(/[–-]{1,2}|\$/u);
    const position = Number(TODAY.slice(8));
    const days = Number(await page.locator('tbody tr').evaluateAll(rows => rows.length));
    const plot = page.locator('.chart .u-over');
    const box = await plot.boundingBox();
    const x = ((box?.width ?? 0) * (position - 1)) / (days - 1);
    await plot.hover({ position: { x: Math.min(Math.max(x, 1), (box?.width ?? 2) - 1), y: 50 } });
    expect(await legend.innerText())
      .to.contain('$1,943.18')
      .and.contain(`Day ${position}`);
    await checkPage(page);
    await closePage(page);
  });
});

/** The texts of figures that their tile, or the window, cuts off. */
function cutFigures(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('main .figure, main .tile-value')]
      .filter(figure => {
        const tile = figure.closest('.tile, .stats > div, .panel, td').getBoundingClientRect();
        return [...figure.getClientRects()].some(
          ({ left, right }) => left < tile.left - 1 || right > tile.right + 1,
        );
      })
      .map(figure => figure.textContent)
  `);
}

/** The largest share of the area of a group of tiles that no tile covers. */
function emptyShare(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const areaOf = element => {
      const { width, height } = element.getBoundingClientRect();
      return width * height;
    };
    const shares = [...document.querySelectorAll('.tiles, .stats')].map(group => {
      const covered = [...group.children].reduce((sum, tile) => sum + areaOf(tile), 0);
      return 1 - covered / areaOf(group);
    });
    return Math.max(...shares);
  })()`);
}
