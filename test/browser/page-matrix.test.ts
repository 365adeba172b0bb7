// Every page of the dashboard in a real browser, but for those of page-templates.test.ts.
import { requireChromium } from '../support/browser.js';
import { checkPages, makePages, type Pages } from '../support/pages.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'the other pages in a browser', stack => {
  let pages: Pages;

  before(async function () {
    requireChromium(this);
    pages = await makePages(stack());
  });

  it('every other page is accessible and whole, without a session', () =>
    checkPages(stack(), null, pages.others.signedOut));

  it('every other page is accessible and whole, with a session', () =>
    checkPages(stack(), pages.token, pages.others.signedIn));
});
