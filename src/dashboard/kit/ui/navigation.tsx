// The navigation of a signed-in person: a sidebar with the account menu on wide screens; on narrow
// ones a bar at the bottom, whose last entry opens a menu with the rest. No JavaScript is needed.
import { displayName } from '../../../users/model.js';
import type { Session } from '../../../users/sessions.js';
import { admits, type MainEntry, type NavTarget, type TabEntry } from '../page.js';
import { Form } from './fields.js';
import { Icon, type IconName } from './icons.js';

interface Link<Entry> {
  readonly path: string;
  readonly entry: Entry;
  readonly current: Current;
}

/** The value of aria-current: `page` on the page itself, `true` on a page below it. */
type Current = 'page' | 'true' | undefined;

export interface Navigation {
  readonly main: readonly Link<MainEntry>[];
  /** The tabs of the current area; empty outside of an area. */
  readonly tabs: readonly Link<{ readonly label: string }>[];
}

const ACCOUNT = '/account';

/** The targets that this person may see, with those marked that lead to the page at the path. */
export function navigationOf(
  targets: readonly NavTarget[],
  session: Session,
  path: string,
): Navigation {
  const seen = targets.filter(({ guard }) => admits(guard, session));
  // Of /settings and /settings/members, only the longer match is current.
  const [current] = seen
    .filter(({ nav, path: own }) => nav && (own === path || path.startsWith(`${own}/`)))
    .sort((a, b) => b.path.length - a.path.length);
  const area = current?.nav && 'area' in current.nav ? current.nav.area : current?.path;
  const mark = (own: string, isCurrent: boolean): Current =>
    isCurrent ? (own === path ? 'page' : 'true') : undefined;
  const main = seen.flatMap(({ nav, path: own }) =>
    nav && 'icon' in nav ? [{ path: own, entry: nav, current: mark(own, own === area) }] : [],
  );
  const tabs = seen.flatMap(({ nav, path: own }) => {
    const label = nav && tabLabel(nav, own, area);
    return label
      ? [{ path: own, entry: { label }, current: mark(own, own === current?.path) }]
      : [];
  });
  return { main, tabs };
}

function tabLabel(nav: MainEntry | TabEntry, path: string, area?: string): string | undefined {
  if ('area' in nav) return nav.area === area ? nav.label : undefined;
  return path === area ? nav.tab : undefined;
}

export function Sidebar({ session, links, path }: SidebarProps) {
  const main = links.filter(({ entry }) => entry.group === undefined);
  const grouped = links.filter(({ entry }) => entry.group !== undefined);
  const groups = [...new Set(grouped.map(({ entry }) => entry.group))];
  return (
    <div class="nav-bar">
      <nav aria-label="Main">
        <Entries links={main} />
        {groups.map(group => (
          <div key={group} class="if-wide">
            <p class="nav-title">{group}</p>
            <Entries links={grouped.filter(({ entry }) => entry.group === group)} />
          </div>
        ))}
      </nav>
      <Menu session={session} rest={grouped} path={path} />
    </div>
  );
}

interface SidebarProps {
  readonly session: Session;
  readonly links: Navigation['main'];
  readonly path: string;
}

function Entries({ links }: { links: Navigation['main'] }) {
  return (
    <ul>
      {links.map(({ path, entry: { label, icon }, current }) => (
        <li key={path}>
          <Entry href={path} label={label} icon={icon} current={current} kind="nav-entry" />
        </li>
      ))}
    </ul>
  );
}

interface EntryProps {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  readonly current: Current;
  readonly kind?: string;
}

function Entry({ href, label, icon, current, kind }: EntryProps) {
  return (
    <a class={kind} href={href} aria-current={current}>
      <Icon name={icon} />
      {label}
    </a>
  );
}

/** The menu under the person's address; on narrow screens under "More". */
function Menu({ session, rest, path }: MenuProps) {
  const account = path === ACCOUNT ? 'page' : undefined;
  const who = displayName(session);
  const current = account ? 'Account' : rest.find(link => link.current)?.entry.label;
  return (
    <details class="menu">
      <summary aria-current={current ? 'true' : undefined}>
        <span class="avatar if-wide" aria-hidden="true">
          {[...who][0]}
        </span>
        <span class="person if-wide">
          <span class="unseen">Your account: </span>
          {who}
        </span>
        <span class="if-wide">
          <Icon name="up" />
        </span>
        <span class="nav-entry if-narrow" aria-current={current ? 'true' : undefined}>
          <Icon name="more" />
          <span>
            More
            {current && <span class="unseen">, {current}</span>}
          </span>
        </span>
      </summary>
      <div class="menu-items">
        {rest.length > 0 && (
          <ul class="if-narrow">
            {rest.map(link => (
              <li key={link.path}>
                <Entry href={link.path} {...link.entry} current={link.current} />
              </li>
            ))}
          </ul>
        )}
        <p class="menu-who">{session.email}</p>
        <Entry href={ACCOUNT} label="Account" icon="account" current={account} />
        <Form action="/sign-out" inline>
          <button type="submit">
            <Icon name="sign-out" />
            Sign out
          </button>
        </Form>
      </div>
    </details>
  );
}

interface MenuProps {
  readonly session: Session;
  readonly rest: Navigation['main'];
  readonly path: string;
}

/** The pages of an area, above the title of the page. */
export function SectionTabs({ tabs, label }: { tabs: Navigation['tabs']; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, entry, current }) => (
        <a key={path} class="tab" href={path} aria-current={current}>
          {entry.label}
        </a>
      ))}
    </nav>
  );
}
