// The dashboard: every page and every form, one line each.
//
// To add a page:
// 1. Write its functions in a file of its own beside this one (or a folder, when there are several): each takes a Visit and
//    returns an Answer, { title, body } or { to } (request.ts). They call the slices' services with request.session.companyId
//    and render with components.tsx; amounts arrive as text (parseExact in exact.ts) and are shown by <Money>.
// 2. Mount it below. The guard says who may come and types the request: its session is null only under 'anyone'. A GET with a
//    `nav` stands in the navigation; link to what may not be mounted only where request.canSee(path).
// 3. A form is <Form action state> with <Field>s (fields.tsx): it carries its token. Its POST goes through submitForm
//    (form.ts) with the API's own Joi schema; refused, show the page again with that state and answer; done, return
//    { to, flash }. Never change anything in a GET. Invoices and stock are written with submitWrite (write.ts) only. A
//    hidden field is named in UNTYPED (kept.tsx): what is typed is kept where a form cannot be sent.
// 4. Test it over HTTP in test/dashboard (makeUser and Browser of test/support/dashboard.ts), and give its address to
//    test/browser/pages.test.ts, which runs axe-core on it in light and dark, narrow and wide.
import type { Middleware } from 'koa';
import type { Submitter } from '../jobs/submit/submitter.js';
import type { Pager } from '../platform/http/pagination.js';
import type { SharedRedis } from '../platform/http/rate-limit.js';
import type { Log } from '../platform/process/log.js';
import type { QueueShards } from '../platform/queue/open.js';
import { changeOwnPassword, showAccount, signOut, signOutEverywhere } from './account/account.js';
import { type Attempts, createAttempts } from './account/attempts.js';
import { showSignIn, signIn } from './account/sign-in.js';
import { showSignUp, signUpCompany } from './account/sign-up.js';
import { inventoryPages } from './inventory/routes.js';
import { invoicePages } from './invoices/routes.js';
import { keyPages } from './keys/routes.js';
import type { UsageOf } from './keys/usage.js';
import { loadAssets } from './kit/assets.js';
import { get, type PageRoute, post } from './kit/page.js';
import { assetRoutes, dashboardRouter } from './kit/router.js';
import { UNSENT_FORM_LIMIT_BYTES } from './kit/unsent-form.js';
import { queueArea } from './operators/queues.js';
import { operatorPages } from './operators/routes.js';
import { showOverview } from './overview/overview.js';
import { settingsPages } from './settings/routes.js';

export interface DashboardParts {
  readonly submitter: Submitter;
  readonly pager: Pager;
  readonly shared: SharedRedis | null;
  readonly secret: string;
  readonly publicUrl: string | undefined;
  readonly api: string;
  readonly queues: QueueShards;
  readonly usage: UsageOf;
  readonly log: Log;
}

/** In the order of the navigation. */
function routeTable(attempts: Attempts, { submitter, pager, usage }: DashboardParts): PageRoute[] {
  return [
    get('/', 'signed-in', showOverview, { label: 'Overview' }),
    ...invoicePages(submitter),
    ...inventoryPages(submitter, pager),
    ...keyPages(usage),
    ...settingsPages(attempts),
    ...operatorPages(usage),

    get('/sign-in', 'anyone', showSignIn),
    // It takes along what was typed in another form.
    post('/sign-in', 'anyone', request => signIn(request, attempts), UNSENT_FORM_LIMIT_BYTES),
    get('/sign-up', 'anyone', showSignUp),
    post('/sign-up', 'anyone', request => signUpCompany(request, attempts)),
    post('/sign-out', 'signed-in', signOut),
    get('/account', 'signed-in', showAccount),
    post('/account/password', 'signed-in', request => changeOwnPassword(request, attempts)),
    post('/account/sign-out-everywhere', 'signed-in', signOutEverywhere),
  ];
}

/** The pages and their files. What is neither passes by. */
export function dashboardRoutes(parts: DashboardParts): Middleware[] {
  const assets = loadAssets();
  const routes = routeTable(createAttempts(parts.shared), parts);
  const areas = [queueArea(parts)];
  return [
    assetRoutes(assets).routes() as Middleware,
    dashboardRouter({ ...parts, routes, areas, assets }),
  ];
}
