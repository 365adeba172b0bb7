// The shell around every page: head, navigation and flash. Rendered to one string.
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { LATIN_FONT } from '../../../platform/http/assets.js';
import { MAX_SEARCH_TEXT } from '../../../platform/values/search-text.js';
import { may } from '../../../users/roles.js';
import type { Session } from '../../../users/sessions.js';
import { assets, scriptPath } from '../assets.js';
import type { Flash } from '../cookies.js';
import { markOf } from '../forms/field-limits.js';
import type { NavTarget, PageAnswer } from '../page.js';
import { PageContext, type PageSettings } from './components.js';
import { Icon } from './icons.js';
import { navigationOf, SectionTabs, Sidebar } from './navigation.js';

export interface Shell {
  readonly session: Session | null;
  readonly path: string;
  readonly token: string | null;
  readonly flash: Flash | undefined;
  readonly navigation: readonly NavTarget[];
  readonly canSee: PageSettings['canSee'];
  /** The page is the response to a form that was sent, and not to a redirect. */
  readonly isPosted: boolean;
}

/** The whole document of a page. */
export function renderPage(page: PageAnswer, shell: Shell): string {
  const { session, token, canSee, isPosted } = shell;
  const context: PageSettings = {
    currency: session?.currency ?? 'USD',
    timeZone: session?.timeZone ?? 'UTC',
    decimalMark: markOf(session),
    isPosted,
    token,
    canSee,
    may: permission => session !== null && may(session.role, permission),
  };
  const document = (
    <PageContext.Provider value={context}>
      <Document page={page} shell={shell} />
    </PageContext.Provider>
  );
  return `<!doctype html>${renderToString(document)}`;
}

function Document({ page, shell }: { page: PageAnswer; shell: Shell }) {
  return (
    <html lang="en">
      <Head page={page} />
      {page.bare ? (
        <body class="bare">
          <main>{page.body}</main>
        </body>
      ) : shell.session ? (
        <SignedIn page={page} shell={shell} session={shell.session} />
      ) : (
        <body class="signed-out">
          <SkipLink />
          <header>
            <a class="brand" href="/">
              <Mark />
              Tradepost
            </a>
          </header>
          <Main page={page} flash={shell.flash} />
        </body>
      )}
    </html>
  );
}

function Head({ page }: { page: PageAnswer }) {
  const isRefusal = REFUSALS.has(page.status ?? 200);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${isRefusal ? 'Error: ' : ''}${page.title} · Tradepost`}</title>
      <link rel="icon" href={assets.path('icon.svg')} type="image/svg+xml" />
      <link
        rel="preload"
        href={assets.path(LATIN_FONT)}
        as="font"
        type="font/woff2"
        crossorigin="anonymous"
      />
      <link rel="stylesheet" href={assets.path('styles.css')} />
      {page.refreshSeconds !== undefined && (
        <noscript>
          <meta http-equiv="refresh" content={String(page.refreshSeconds)} />
        </noscript>
      )}
      {['page.js', ...(page.scripts ?? [])].map(name => (
        <script key={name} type="module" src={scriptPath(name)} />
      ))}
    </head>
  );
}
/** A form that was refused: a screen reader reads the title first. */
const REFUSALS: ReadonlySet<number> = new Set([422, 429, 503]);

function SignedIn({ page, shell, session }: SignedInProps) {
  const { main, tabs } = navigationOf(shell.navigation, session, shell.path);
  const area = main.find(({ current }) => current)?.entry.label ?? '';
  const posted = shell.isPosted ? (page.isDone ? 'done' : 'open') : undefined;
  return (
    <body
      class="signed-in"
      data-user={session.userId}
      data-posted={posted}
      data-decimal-mark={markOf(session)}
    >
      <SkipLink />
      <header class="side">
        <a class="brand" href="/">
          <Mark />
          <span class="brand-name">{session.companyName}</span>
        </a>
        <ShellSearch />
        <Sidebar session={session} links={main} path={shell.path} />
      </header>
      <Main page={page} flash={shell.flash}>
        {tabs.length > 0 && <SectionTabs tabs={tabs} label={area} />}
      </Main>
    </body>
  );
}

/** On narrow screens a link to the page of the search, which has a field of its own. */
function ShellSearch() {
  return (
    <>
      <a class="search-link if-narrow" href="/search">
        <Icon name="search" />
        <span class="unseen">Search</span>
      </a>
      <search class="shell-search if-wide" aria-label="Everything">
        <form method="get" action="/search">
          <Icon name="search" />
          <input
            id="search-everything"
            type="search"
            name="q"
            maxlength={MAX_SEARCH_TEXT}
            placeholder="Search"
            aria-label="Search everything"
            aria-keyshortcuts="/ Control+K Meta+K"
            title="Press / or Ctrl K to search"
            autocomplete="off"
          />
        </form>
      </search>
    </>
  );
}

interface SignedInProps {
  readonly page: PageAnswer;
  readonly shell: Shell;
  readonly session: Session;
}

function SkipLink() {
  return (
    <a class="skip" href="#content">
      Skip to the content
    </a>
  );
}

function Main({ page, flash, children }: MainProps) {
  return (
    <main id="content" tabindex={-1}>
      {children}
      {flash && (
        <p class="toast" role="status">
          {flash.sentence}
        </p>
      )}
      {flash?.warning && (
        <p class="message warn" role="status">
          {flash.warning}
        </p>
      )}
      {page.body}
    </main>
  );
}

interface MainProps {
  readonly page: PageAnswer;
  readonly flash: Flash | undefined;
  readonly children?: ComponentChildren;
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M8 10h16M16 10v14" />
    </svg>
  );
}
