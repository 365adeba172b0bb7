// The chart of an item's stock, with one movement, a few, and those of two months.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ensureDemoCompany } from '../../src/demo/demo.js';
import { checkPage, closePage, openPage, requireChromium, setDisplay } from '../support/browser.js';
import { makeSession, signedIn } from '../support/dashboard.js';
import { makeCompany, receive } from '../support/factories.js';
import { describeMode, makeStores, startForTests } from '../support/suite.js';

describeMode('postgres', 'the stock chart', stack => {
  before(function () {
    requireChromium(this);
  });

  it('shows one movement as a sentence, and draws a full line from the second one on', async () => {
    const company = await makeCompany(stack());
    const [id] = await receive(company, { name: 'Pump', delta: 5, unit: 'pc' });
    const { user } = await signedIn(stack(), company.companyId);
    const token = await makeSession(stack(), company.companyId, user.userId);
    const page = await openPage(stack().baseUrl, token);
    await page.goto(`/inventory/${id}`);
    await page.getByText(/^5\s+pc since .* A chart appears with the next movement\.$/u).waitFor();
    expect(await page.locator('canvas').count()).to.equal(0);
    await receive(company, { name: 'Pump', delta: 3 });
    await page.goto(`/inventory/${id}`);
    const [from, to] = await drawnWidth(page);
    expect(from, 'the beginning of the line').to.be.below(0.1);
    expect(to, 'the end of the line').to.be.above(0.95);
    await page.locator('.chart .u-over').hover({ position: { x: 2, y: 20 } });
    expect(await page.locator('.chart-legend').innerText()).to.match(/On hand 5\s+pc/u);
    await checkPage(page);
    await closePage(page);
  });

  it('a chart that is wider than its place for a moment does not widen the page', async () => {
    const company = await makeCompany(stack());
    const [id] = await receive(company, { name: 'Pump', delta: 5 });
    await receive(company, { name: 'Pump', delta: 3 });
    const { user } = await signedIn(stack(), company.companyId);
    const token = await makeSession(stack(), company.companyId, user.userId);
    const page = await openPage(stack().baseUrl, token);
    await page.goto(`/inventory/${id}`);
    await page.locator('.chart canvas').waitFor();
    // The plot gets its new width in the next frame, which cannot begin before this script ends.
    const [canvasWidth, scrollWidth] = await page.evaluate<[number, number]>(`(() => {
      const figure = document.querySelector('figure[data-chart]');
      figure.style.width = '200px';
      return [figure.querySelector('canvas').clientWidth, figure.scrollWidth];
    })()`);
    expect(canvasWidth, 'the plot has its old width').to.be.above(200);
    expect(scrollWidth).to.equal(200);
    await closePage(page);
  });

  it('draws months by day across the chart at every width, with the deliveries', async () => {
    const { databaseUrl, env, sql } = await makeStores('postgres');
    await ensureDemoCompany(databaseUrl, env.DATA_DIR ?? '');
    const [row] = await sql<Record<'companyId' | 'userId' | 'itemId', string>>(
      `SELECT u.company_id AS "companyId", u.id AS "userId", i.id AS "itemId"
       FROM users u JOIN items i USING (company_id)
       LIMIT 1`,
    );
    const { companyId = '', userId = '', itemId = '' } = row ?? {};
    const web = await startForTests('web', env);
    const token = await makeSession({ sql }, companyId, userId);
    const page = await openPage(`http://127.0.0.1:${web.port}`, token);
    await page.goto(`/inventory/${itemId}`);
    const days = await page.locator('figure[data-chart] th[scope="row"] time').allTextContents();
    const each = days.slice(0, -1).map(text => text.replace(/, [^,]*$/u, ''));
    expect(each.length, 'one point per day').to.equal(new Set(each).size).and.be.above(10);
    const labels = page.locator('figure[data-chart] th[data-mark]');
    expect(await labels.first().getAttribute('data-mark')).to.match(/^\+[\d.,]+$/u);
    expect(await labels.first().textContent()).to.match(/ · \+[\d.,]+ received$/u);
    for (const width of [360, 1280]) {
      await setDisplay(page, { width, colorScheme: 'light' });
      const [from, to] = await drawnWidth(page);
      expect([from < 0.1, to > 0.95], `at ${width} px`).to.deep.equal([true, true]);
      await checkPage(page);
    }
    await closePage(page);
  });
});

/** Where the first line begins and ends, as shares of the plot's width, once it has its place's. */
async function drawnWidth(page: Page): Promise<[number, number]> {
  await page.locator('.chart canvas').waitFor();
  await page.waitForFunction(`(() => {
    const place = document.querySelector('.chart');
    return place.querySelector('canvas').clientWidth === place.clientWidth;
  })()`);
  return page.evaluate(`(() => {
    const canvas = document.querySelector('.chart canvas');
    const over = document.querySelector('.chart .u-over');
    const ratio = canvas.width / canvas.clientWidth;
    const [left, top, width, height] = [over.offsetLeft, over.offsetTop, over.clientWidth,
      over.clientHeight].map(length => Math.round(length * ratio));
    const colour = getComputedStyle(document.querySelector('.chart'))
      .getPropertyValue('--accent').trim();
    const probe = document.createElement('canvas').getContext('2d');
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
    const { data } = canvas.getContext('2d').getImageData(left, top, width, height);
    const columns = [];
    for (let at = 0; at < data.length; at += 4) {
      const distance = Math.abs(data[at] - red) + Math.abs(data[at + 1] - green)
        + Math.abs(data[at + 2] - blue);
      if (data[at + 3] > 200 && distance < 30) columns.push((at / 4) % width);
    }
    return [Math.min(...columns) / width, Math.max(...columns) / width];
  })()`);
}
