// The components of pages. Figures and times take the company's currency and zone from PageContext.
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ShownActor } from '../../../companies/actor.js';
import type { DecimalMark } from '../../../platform/values/csv.js';
import type { Permission } from '../../../users/roles.js';
import { formatDay, formatMoney, formatPrice, formatQuantity, formatTime } from './format.js';
import { Icon, type IconName } from './icons.js';

/** Available to every component of a page. */
export interface PageSettings {
  readonly currency: string;
  readonly timeZone: string;
  /** The decimal separator of the company's files. */
  readonly decimalMark: DecimalMark;
  /** The page is the response to a form, whose fields show what was typed. */
  readonly isPosted: boolean;
  /** The token of forms; null without a session. */
  readonly token: string | null;
  /** True if a page exists at the address and the visitor may see it. */
  readonly canSee: (address: string) => boolean;
  readonly may: (permission: Permission) => boolean;
}

export const PageContext = createContext<PageSettings>({
  currency: 'USD',
  timeZone: 'UTC',
  decimalMark: '.',
  isPosted: false,
  token: null,
  canSee: () => true,
  may: () => true,
});

/** An exact amount in the company's currency. The value is decimal text. */
export function Money({ value }: { value: string }) {
  const text = formatMoney(value, useContext(PageContext).currency);
  return <span class={text.length > LONG_FIGURE ? 'figure long' : 'figure'}>{text}</span>;
}

/** Longer amounts need smaller type where a figure is large: it never breaks inside a number. */
const LONG_FIGURE = 16;

/** The price of one unit, with up to four decimals. */
export function Price({ value }: { value: string }) {
  return <span class="figure">{formatPrice(value, useContext(PageContext).currency)}</span>;
}

export function Quantity({ value }: { value: string | number }) {
  return <span class="figure">{formatQuantity(value)}</span>;
}

/** An instant in the company's zone. */
export function Time({ at }: { at: string }) {
  return <time datetime={at}>{formatTime(at, useContext(PageContext).timeZone)}</time>;
}

/** A calendar day, YYYY-MM-DD. */
export function Day({ on }: { on: string }) {
  return <time datetime={on}>{formatDay(on)}</time>;
}

/** The person (with the e-mail address as title) or API key behind a change; a dash if unknown. */
export function By({ actor }: { actor: ShownActor | null }) {
  if (actor === null) return <span class="note">–</span>;
  if (actor.currentName) return <span title={actor.name}>{actor.currentName}</span>;
  return <>{actor.kind === 'key' ? `API key “${actor.name}”` : actor.name}</>;
}

/** The title of a page, and its actions as children. */
export function PageHead({ title, state, note, children }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        <div class="row">
          <h1>{title}</h1>
          {state}
        </div>
        {note && <p class="note">{note}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </div>
  );
}

interface PageHeadProps {
  readonly title: string;
  /** Badges beside the title. */
  readonly state?: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly children?: ComponentChildren;
}

interface PanelProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly class?: string;
  /** The title and the note beside the content on wide screens, such as beside a form. */
  readonly split?: boolean;
  readonly children: ComponentChildren;
}

/** A section of a page with its own heading. */
export function Panel({ title, note, class: kind = '', split, children }: PanelProps) {
  return (
    <section class={`panel ${split ? 'beside ' : ''}${kind}`}>
      <div class="panel-head">
        <h2>{title}</h2>
        {note && <p class="note">{note}</p>}
      </div>
      {split ? <div class="panel-main">{children}</div> : children}
    </section>
  );
}

/** Shows its children only to visitors with the permission. */
export function IfMay({ permission, children }: IfMayProps) {
  return useContext(PageContext).may(permission) ? children : null;
}

interface IfMayProps {
  readonly permission: Permission;
  readonly children: ComponentChildren;
}

/**
 * A link that looks like a button, for navigation. It is left out if the visitor may not see its
 * page. An action that changes data is a Form.
 */
export function ButtonLink({
  href,
  quiet,
  children,
}: {
  href: string;
  quiet?: boolean;
  children: ComponentChildren;
}) {
  if (!useContext(PageContext).canSee(href)) return null;
  return (
    <a class={quiet ? 'button quiet' : 'button'} href={href}>
      {children}
    </a>
  );
}

/** The rarely used actions of a page, each with the class menu-link. Needs no script. */
export function MoreMenu({ children }: { children: ComponentChildren }) {
  return (
    <details class="popover more">
      <summary class="button quiet">
        <Icon name="more" />
        <span class="unseen">More actions</span>
      </summary>
      <div class="menu">{children}</div>
    </details>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly icon?: IconName;
  /** The next step: at most one button that is not quiet. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** An empty state. It says why there is nothing and offers the next step. */
export function Empty({ title, icon, actions, children }: EmptyProps) {
  return (
    <div class="empty">
      {icon && (
        <span class="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      <p class="empty-title">{title}</p>
      {children}
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

/**
 * The colour of a state. `good` looks like `plain`, because a normal state needs no attention. Use
 * `warn` and `bad` for states that do, and `done` for a state that people look for in a list, such
 * as Paid. A list on a phone leaves out `plain`; `off` is equally grey, but always shown.
 */
export type Tone = 'good' | 'done' | 'bad' | 'warn' | 'off' | 'plain';

/** A status in words: colour is never the only sign. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** A share from 0 to 1 as a bar. The caller shows the figure as text beside it. */
export function Bar({ share }: { share: number }) {
  const width = `${(Math.min(Math.max(share, 0), 1) * 100).toFixed(1)}%`;
  return (
    <svg class="bar" aria-hidden="true" focusable="false">
      <rect class="bar-all" width="100%" height="100%" rx="3" />
      <rect class="bar-part" width={width} height="100%" rx="3" />
    </svg>
  );
}

interface PagerProps {
  readonly first?: string | null;
  readonly previous?: string | null;
  readonly next?: string | null;
}

/** Links to the first, the previous and the next page of a list. */
export function Pager({ first, previous, next }: PagerProps) {
  const links = [
    ['first', 'First page', first],
    ['prev', 'Previous page', previous],
    ['next', 'Next page', next],
  ] as const;
  const known = links.filter(([, , href]) => href);
  if (known.length === 0) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {known.map(([rel, label, href]) => (
        <a key={rel} class="button quiet" href={href ?? ''} rel={rel}>
          {label}
        </a>
      ))}
    </nav>
  );
}

interface CopyableProps {
  readonly label: string;
  readonly text: string;
  /** Several lines, such as a command. */
  readonly block?: boolean;
}

/** Text to select by hand, and a copy button if scripts run. */
export function Copyable({ label, text, block }: CopyableProps) {
  const Tag = block ? 'pre' : 'code';
  return (
    <div class="copyable">
      <p class="copyable-label">{label}</p>
      <Tag class="copyable-text" tabindex={0} role="group" aria-label={label}>
        {text}
      </Tag>
      <button type="button" class="button quiet" data-copy hidden>
        Copy<span class="unseen"> {label}</span>
      </button>
    </div>
  );
}
