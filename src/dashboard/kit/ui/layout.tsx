// The shell around every page: head, navigation and flash. Rendered to one string.
import { renderToString } from 'preact-render-to-string';
import { LATIN_FONT } from '../../../platform/http/inter-font.js';
import type { Session } from '../../../users/sessions.js';
import { assets, scriptPath } from '../assets.js';
import { admits, type NavTarget, type PageAnswer } from '../page.js';
import { PageContext } from './components.js';
import { Button, Form } from './fields.js';

export interface Shell {
  readonly session: Session | null;
  readonly path: string;
  readonly token: string | null;
  readonly flash: string | undefined;
  readonly navigation: readonly NavTarget[];
}

/** The whole document of a page. */
export function renderPage(page: PageAnswer, shell: Shell): string {
  const { session, token } = shell;
  const context = {
    currency: session?.currency ?? 'USD',
    timeZone: session?.timeZone ?? 'UTC',
    token,
  };
  const document = (
    <PageContext.Provider value={context}>
      <Document page={page} shell={shell} />
    </PageContext.Provider>
  );
  return `<!doctype html>${renderToString(document)}`;
}

function Document({ page, shell }: { page: PageAnswer; shell: Shell }) {
  const { session, flash } = shell;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${page.title} · Tradepost`}</title>
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
      {page.bare ? (
        <body class="bare">
          <main>{page.body}</main>
        </body>
      ) : (
        <body class={session ? 'signed-in' : 'signed-out'}>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          {session ? <Sidebar session={session} shell={shell} /> : <Brand />}
          <main id="content" tabindex={-1}>
            {flash && (
              <p class="message good" role="status">
                {flash}
              </p>
            )}
            {page.body}
          </main>
        </body>
      )}
    </html>
  );
}

function Brand() {
  return (
    <header class="top">
      <a class="brand" href="/">
        <Mark />
        Tradepost
      </a>
    </header>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M8 10h16M16 10v14" />
    </svg>
  );
}

function Sidebar({ session, shell }: { session: Session; shell: Shell }) {
  return (
    <header class="side">
      <a class="brand" href="/">
        <Mark />
        <span>
          Tradepost
          <small>{session.companyName}</small>
        </span>
      </a>
      <Navigation session={session} shell={shell} />
      <div class="person">
        <a href="/account" aria-current={shell.path === '/account' ? 'page' : undefined}>
          <span class="if-wide">{session.email}</span>
          <span class="if-narrow">Account</span>
        </a>
        <Form action="/sign-out" inline>
          <Button quiet>Sign out</Button>
        </Form>
      </div>
    </header>
  );
}

/** Every target with a nav entry that this user may see, under its heading. */
function Navigation({ session, shell }: { session: Session; shell: Shell }) {
  const targets = shell.navigation.filter(
    ({ nav, guard }) => nav !== null && admits(guard, session),
  );
  // Of /settings and /settings/members, only the longer match is current.
  const current = targets
    .map(({ path }) => path)
    .filter(path => path === shell.path || (path !== '/' && shell.path.startsWith(`${path}/`)))
    .sort((a, b) => b.length - a.length)[0];
  const groups = [...new Set(targets.map(({ nav }) => nav?.group))];
  return (
    <nav aria-label="Main">
      {groups.map(group => (
        <div key={group ?? ''} class="nav-group">
          {group && <p class="nav-title">{group}</p>}
          <ul>
            {targets
              .filter(({ nav }) => nav?.group === group)
              .map(({ nav, path }) => (
                <li key={path}>
                  <a
                    href={path}
                    aria-current={
                      path === current ? (path === shell.path ? 'page' : 'true') : undefined
                    }
                  >
                    {nav?.label}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
