// One page per template of the dashboard in a real browser. page-matrix.test.ts has the others.
import { requireChromium } from '../support/browser.js';
import { checkPages, makePages, type Pages } from '../support/pages.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'the templates of pages in a browser', stack => {
  let pages: Pages;

  before(async function () {
    requireChromium(this);
    pages = await makePages(stack());
  });

  it('one page of each template is accessible and whole, without a session', () =>
    checkPages(stack(), null, pages.templates.signedOut));

  it('one page of each template is accessible and whole, with a session', () =>
    checkPages(stack(), pages.token, pages.templates.signedIn));
});
