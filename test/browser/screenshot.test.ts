// The picture of the README: the overview of the demo company. `npm run screenshot` replaces
// docs/dashboard.png; a normal run only checks that the picture can be taken.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensureDemoCompany } from '../../src/demo/demo.js';
import { closePage, openPage, requireChromium } from '../support/browser.js';
import { makeSession } from '../support/dashboard.js';
import { ROOT } from '../support/processes.js';
import { makeStores, startForTests } from '../support/suite.js';

const DISPLAY = { width: 1280, height: 800, colorScheme: 'light' } as const;
/** The README must load quickly, and every new picture stays in the history of the repository. */
const MAX_BYTES = 200 * 1024;

describe('the screenshot in the README', () => {
  it('shows the overview of the demo company, in at most 200 KB', async function () {
    requireChromium(this);
    const { databaseUrl, env, sql } = await makeStores('postgres');
    await ensureDemoCompany(databaseUrl, env.DATA_DIR ?? '');
    const [owner] = await sql<{ companyId: string; userId: string }>(
      'SELECT company_id AS "companyId", id AS "userId" FROM users',
    );
    const { companyId = '', userId = '' } = owner ?? {};
    const token = await makeSession({ sql }, companyId, userId);
    const web = await startForTests('web', env);
    const page = await openPage(`http://127.0.0.1:${web.port}`, token, DISPLAY);
    await page.goto('/');
    // With the cursor on a day in the middle, the legend shows figures.
    await page.locator('.chart .u-over').hover();
    const picture = await page.screenshot({ animations: 'disabled' });
    await closePage(page);
    expect(picture.length).to.be.at.most(MAX_BYTES);
    if (process.env.SCREENSHOT === '1')
      await writeFile(join(ROOT, 'docs', 'dashboard.png'), picture);
  });
});
