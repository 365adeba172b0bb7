// A page's request and answer. Pages never see Koa's ctx: router.ts applies guards, tokens, headers
// and cookies to all of them in one place.

import type { Middleware } from 'koa';
import type { ComponentChildren } from 'preact';
import type { Actor } from '../../companies/actor.js';
import { notFound } from '../../platform/errors.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import { isUuid } from '../../platform/values/ids.js';
import { may, type Permission } from '../../users/roles.js';
import type { Session } from '../../users/sessions.js';
import type { IconName } from './ui/icons.js';

/**
 * Admits anyone, the roles with a permission, or operators of this installation. Operator pages are
 * 404 for signed-in non-operators.
 */
export type Guard = 'anyone' | Permission | 'operator';

/** One request for a page. `session` is null only under the guard 'anyone'. */
export interface PageRequest<Visitor extends Session | null = Session> {
  readonly session: Visitor;
  readonly path: string;
  /** Decoded from the route's path: `id` of /invoices/:id. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a POST; empty for a GET. */
  readonly form: FormFields;
  /** The uploaded file, if the route takes one; null if none was chosen. */
  readonly file: UploadedFile | null;
  /** Where clients reach this installation, such as https://books.example.com. */
  readonly origin: string;
  /** The client's network address, for counting attempts. */
  readonly network: string;
  /** The guard of the form that is posted to a path; null if there is no such form. */
  readonly formGuard: (path: string) => Guard | null;
  /** True if a page exists at the address, such as /invoices/:id, and the visitor may see it. */
  readonly canSee: (address: string) => boolean;
  /** The id of the request in the log and in the job of a write. */
  readonly requestId: string;
}

export interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** True if the file exceeded the route's limit and `bytes` is only its beginning. */
  readonly isCut: boolean;
}

/** A page to show, with status 200 by default. */
export interface PageAnswer {
  readonly title: string;
  readonly body: ComponentChildren;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The token of a session that starts; the page is rendered for that session. */
  readonly session?: string;
  /** Modules of browser/ to load, such as 'chart.js'. */
  readonly scripts?: readonly string[];
  /** Leaves out the shell, for printing. */
  readonly bare?: true;
  /** The form succeeded, but its response is this page because only it may show a secret. */
  readonly isDone?: true;
  /** The page reloads after this time if scripts do not run. */
  readonly refreshSeconds?: number;
}

/** A redirect (303), the answer of every POST that succeeded: a reload then repeats nothing. */
export interface RedirectAnswer {
  /** A path of the dashboard. */
  readonly to: string;
  /** A sentence that the next page shows once. */
  readonly flash?: string;
  /** A sentence after the flash that stays on the page, in amber. */
  readonly warning?: string;
  /** The token of a session that starts; null ends the current one. */
  readonly session?: string | null;
}

/** Content other than a page: a download, or data for a module of browser/. */
export interface ContentAnswer {
  readonly type: string;
  /** A stream is sent as it is produced and stops when the client disconnects. */
  readonly content: string | Buffer | AsyncIterable<string>;
  /** The name under which a browser saves it. */
  readonly fileName?: string;
  /** Shown in the browser instead of saved. */
  readonly isInline?: true;
}

export type Answer = PageAnswer | RedirectAnswer | ContentAnswer;

/** An entry of the main navigation. */
export interface MainEntry {
  readonly label: string;
  readonly icon: IconName;
  /** The heading above it. On narrow screens, entries with a heading are in the menu. */
  readonly group?: string;
  /** The label of its own tab, if it is the first page of an area. */
  readonly tab?: string;
}

/** A tab on all pages of the area, whose main entry has the path `area`. */
export interface TabEntry {
  readonly label: string;
  readonly area: string;
}

export type NavEntry = MainEntry | TabEntry;

/** One line of the route table. */
export interface PageRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly guard: Guard;
  readonly nav: NavEntry | null;
  /** The largest form of a POST. */
  readonly maxBytes?: number;
  /** The largest part of a file that is read, for a form with a file. */
  readonly fileLimitBytes?: number;
  readonly answer: (request: PageRequest<Session | null>) => Promise<Answer> | Answer;
}

/** A target of the navigation. */
export type NavTarget = Pick<PageRoute, 'path' | 'guard' | 'nav'>;

/**
 * A foreign application at a path and below, such as the queue board. It has a page's guard and
 * protection against other sites, but answers by itself; ctx.state.session is set.
 */
export interface MountedApp extends NavTarget {
  readonly run: Middleware;
}

export type Visitor<G extends Guard> = G extends 'anyone' ? Session | null : Session;
type Handler<G extends Guard> = (request: PageRequest<Visitor<G>>) => Promise<Answer> | Answer;

/** A page. With `nav` it appears in the navigation of visitors who may see it. */
export function get<G extends Guard>(
  path: string,
  guard: G,
  answer: Handler<G>,
  nav: NavEntry | null = null,
): PageRoute {
  return { method: 'get', path, guard, nav, answer: answer as PageRoute['answer'] };
}

/** The target of a declared form; `maxBytes` if the form may be larger than FORM_LIMIT_BYTES. */
export function post<G extends Guard>(
  path: string,
  guard: G,
  answer: Handler<G>,
  maxBytes?: number,
): PageRoute {
  const route = { ...get(path, guard, answer), method: 'post' as const };
  return maxBytes === undefined ? route : { ...route, maxBytes };
}

/** The target of a form with a file (<Form upload>). A larger file is cut and marked as such. */
export function postFile<G extends Guard>(
  path: string,
  guard: G,
  fileLimitBytes: number,
  answer: Handler<G>,
): PageRoute {
  return { ...post(path, guard, answer), fileLimitBytes };
}

/** The signed-in person as the actor that is recorded with a change. */
export function actorOf({ userId, email }: Session): Actor {
  return { kind: 'user', id: userId, name: email };
}

/** True if the guard admits this visitor. */
export function admits(guard: Guard, session: Session | null): boolean {
  if (guard === 'anyone') return true;
  if (session === null) return false;
  return guard === 'operator' ? session.operator : may(session.role, guard);
}

/** The record of the id in an address. Throws Problem `not_found` if `find` returns null. */
export async function getOr404<Found>(
  noun: string,
  id: string | undefined,
  find: (id: string) => Promise<Found | null>,
): Promise<Found> {
  const found = await find(uuidOr404(noun, id));
  if (found === null) throw notFound(noun);
  return found;
}

/** The id in an address, in lower case. Throws Problem `not_found` if it is not a UUID. */
export function uuidOr404(noun: string, id: string | undefined): string {
  if (id === undefined || !isUuid(id)) throw notFound(noun);
  return id.toLowerCase();
}
