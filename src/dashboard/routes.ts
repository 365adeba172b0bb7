// The dashboard: every page and every form, one line each. README.md beside this file explains how
// to add a page.
import type { Middleware } from 'koa';
import type { Submitter } from '../jobs/submit/submitter.js';
import type { Cursors } from '../platform/http/pagination.js';
import type { SharedRedis } from '../platform/http/rate-limit.js';
import { createRouter } from '../platform/http/router.js';
import type { Log } from '../platform/process/log.js';
import type { QueueShards } from '../platform/queue/open.js';
import { may } from '../users/roles.js';
import { accountForms, signOutButton, signOutEverywhereButton } from './account/account.js';
import { type Attempts, createAttempts } from './account/attempts.js';
import { resetForm } from './account/reset-password.js';
import { sessionEndedPage, signInForm } from './account/sign-in.js';
import { signUpForm } from './account/sign-up.js';
import { creditNotePages } from './credit-notes/routes.js';
import { customerPages } from './customers/routes.js';
import { documentPages } from './documents/routes.js';
import { emailPages } from './emails/send.js';
import { inventoryPages } from './inventory/routes.js';
import { invoicePages } from './invoices/routes.js';
import { keyPages } from './keys/routes.js';
import type { UsageOf } from './keys/usage.js';
import { assets } from './kit/assets.js';
import { type Answer, get, type PageRequest, type PageRoute } from './kit/page.js';
import { PageRouter } from './kit/router.js';
import { queueApp } from './operators/queue-board.js';
import { operatorPages } from './operators/routes.js';
import { hideStepsButton } from './overview/first-steps.js';
import { showOverview } from './overview/overview.js';
import { showStockOverview } from './overview/stock-overview.js';
import { paymentPages } from './payments/routes.js';
import { receivablesPages } from './receivables/routes.js';
import { SEARCH, showSearch } from './search/page.js';
import { settingsPages } from './settings/routes.js';
import { taxReportPages } from './tax-report/routes.js';
import { webhookPages } from './webhooks/routes.js';

export interface DashboardParts {
  readonly submitter: Submitter;
  readonly pager: Cursors;
  readonly shared: SharedRedis | null;
  readonly secret: string;
  readonly publicUrl: string | undefined;
  readonly producers: QueueShards;
  readonly usage: UsageOf;
  readonly log: Log;
}

/** The overview, or the part of it that everyone may see. */
function showStart(request: PageRequest): Promise<Answer> {
  return may(request.session.role, 'see-sales')
    ? showOverview(request)
    : showStockOverview(request);
}

/** The routes in the order of the navigation. */
export function routeTable(
  attempts: Attempts,
  { submitter, pager, usage }: Pick<DashboardParts, 'submitter' | 'pager' | 'usage'>,
): PageRoute[] {
  return [
    get('/', 'use-account', showStart, { label: 'Overview', icon: 'overview' }),
    hideStepsButton,
    get(SEARCH, 'see-stock', showSearch),
    ...invoicePages(submitter, pager),
    ...paymentPages(submitter, pager),
    ...creditNotePages(submitter, pager),
    ...documentPages(),
    ...emailPages(),
    ...customerPages(pager),
    ...receivablesPages(pager),
    ...inventoryPages(submitter, pager),
    ...taxReportPages(),
    ...settingsPages(attempts),
    ...keyPages(usage),
    ...webhookPages(),
    ...operatorPages(usage, pager),

    ...signInForm(attempts),
    ...signUpForm(attempts),
    ...resetForm(attempts),
    signOutButton,
    ...accountForms(attempts),
    signOutEverywhereButton,
  ];
}

/** The pages and their files. Other requests pass through. */
export function dashboardRoutes(parts: DashboardParts): Middleware[] {
  const files = createRouter();
  assets.addTo(files);
  // Browsers request this path for pages without an icon of their own, such as a JSON answer.
  files.get('/favicon.ico', ctx => {
    ctx.state.isAsset = true;
    ctx.redirect(assets.path('favicon.ico'));
  });
  const routes = routeTable(createAttempts(parts.shared), parts);
  const apps = [queueApp(parts)];
  const router = new PageRouter({ ...parts, routes, apps, sessionEndedPage });
  return [files.routes() as Middleware, router.middleware];
}
