// Every page of the dashboard in a real browser, with the longest text in every field.
import { requireChromium } from '../support/browser.js';
import { ONE_WORD, WORDS } from '../support/long-texts.js';
import { checkPages, makePages, type Pages } from '../support/pages.js';
import { describeMode } from '../support/suite.js';

/** The layouts of most screens, at which pages open, of a phone and of the narrowest side bar. */
const FEW_WIDTHS = [1280, 360, 960];
/** Texts that wrap fit between these if they fit here. */
const EXTREMES = [1280, 360];

describeMode('postgres', 'the pages in a browser', stack => {
  let pages: Pages;

  before(async function () {
    requireChromium(this);
    pages = await makePages(stack(), ONE_WORD);
  });

  for (const group of ['signedOut', 'signedIn'] as const) {
    const token = () => (group === 'signedIn' ? pages.token : null);
    const how = group === 'signedIn' ? 'with a session' : 'without a session';

    it(`one page of each template is accessible in light and dark, and whole, ${how}`, () =>
      checkPages(stack(), token(), pages.templates[group], { inDark: true }));

    it(`every other page is accessible and whole, ${how}`, () =>
      checkPages(stack(), token(), pages.others[group], { widths: FEW_WIDTHS }));
  }

  it('every page is whole if all texts are long and have spaces', async () => {
    const { token, templates, others } = await makePages(stack(), WORDS);
    const paths = [...templates.signedIn, ...others.signedIn];
    await checkPages(stack(), token, paths, { isAccessible: false, widths: EXTREMES });
  });
});
