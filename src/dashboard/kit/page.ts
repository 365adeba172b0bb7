// What a page is given and what it answers. Pages never see Koa's ctx: a request in, an answer out, so that what every page
// must do (guards, tokens, headers, cookies) is done in one place, router.ts.
import type { Middleware } from 'koa';
import type { ComponentChildren } from 'preact';
import type { Session } from '../../users/sessions.js';

/**
 * Who may come: anyone, whoever is signed in, the owners of a company, the operators of this installation. To who is signed
 * in and no operator, an operator's page is none.
 */
export type Guard = 'anyone' | 'signed-in' | 'owner' | 'operator';

/** One request of a page. `session` is null only where anyone may come. */
export interface PageRequest<Who extends Session | null = Session> {
  readonly session: Who;
  readonly path: string;
  /** From the route's path, decoded: `id` of /invoices/:id. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a POST; empty for a GET. */
  readonly form: URLSearchParams;
  /** What was chosen to be sent, where the route takes a file; null where nothing was. */
  readonly file: UploadedFile | null;
  /** Where clients reach this installation, such as https://books.example.com: for links that leave the page. */
  readonly origin: string;
  /** Who this is on the network, for counting attempts. */
  readonly network: string;
  /** Who may send a form to the path; null where none is taken. */
  readonly formGuard: (path: string) => Guard | null;
  /** True where a page is mounted at the path and this visitor may see it: for links to pages that may not exist. */
  readonly canSee: (path: string) => boolean;
  /** Stands in the log, and in the job of a write. */
  readonly requestId: string;
}

/** A file that a form sent. */
export interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** It was larger than the route takes: the bytes are its beginning. */
  readonly isCut: boolean;
}

/** A page to show: 200 unless it says otherwise. */
export interface PageAnswer {
  readonly title: string;
  readonly body: ComponentChildren;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The token of a session that starts: the page is shown in it. */
  readonly session?: string;
  /** Modules of browser/ that the page wants, such as 'chart.js'. */
  readonly scripts?: readonly string[];
  /** Without the shell: for what is printed. */
  readonly bare?: true;
  /** Who has no JavaScript sees the page anew after so long. */
  readonly refreshSeconds?: number;
}

/** On to another page (303), as every POST that succeeded answers: a reload then repeats nothing. */
export interface RedirectAnswer {
  /** A path of the dashboard. */
  readonly to: string;
  /** A sentence that the next page shows once. */
  readonly flash?: string;
  /** The token of a session that starts, null for the end of this one. */
  readonly session?: string | null;
}

/** Something that is no page: a file to keep, or what a module of browser/ asks for. */
export interface ContentAnswer {
  readonly type: string;
  /** A stream is sent as it comes, and ended early with its reader. */
  readonly content: string | AsyncIterable<string>;
  /** The name that a browser keeps it under. */
  readonly fileName?: string;
}

export type Answer = PageAnswer | RedirectAnswer | ContentAnswer;

export interface NavEntry {
  readonly label: string;
  /** The heading it stands under. */
  readonly group?: string;
}

/** A line of the route table. */
export interface PageRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly guard: Guard;
  readonly nav: NavEntry | null;
  /** Of a POST: the longest form. */
  readonly maxBytes?: number;
  /** Of a form that sends a file: how much of the file is read. */
  readonly fileLimitBytes?: number;
  readonly answer: (request: PageRequest<Session | null>) => Promise<Answer> | Answer;
}

/** A place that the navigation may lead to. */
export type NavTarget = Pick<PageRoute, 'path' | 'guard' | 'nav'>;

/**
 * A foreign application at a path and below, such as the queue board: guarded as pages are, what it changes asked for by
 * our own pages alone; it answers by itself, with the session in ctx.state.session.
 */
export interface MountedApp extends NavTarget {
  readonly run: Middleware;
}

type Visitor<G extends Guard> = G extends 'anyone' ? Session | null : Session;
type Handler<G extends Guard> = (request: PageRequest<Visitor<G>>) => Promise<Answer> | Answer;

/** A page; with a `nav` it stands in the navigation of whoever may see it. */
export function get<G extends Guard>(
  path: string,
  guard: G,
  answer: Handler<G>,
  nav: NavEntry | null = null,
): PageRoute {
  return { method: 'get', path, guard, nav, answer: answer as PageRoute['answer'] };
}

/** What a form does; `maxBytes` for one that may be longer than most. */
export function post<G extends Guard>(
  path: string,
  guard: G,
  answer: Handler<G>,
  maxBytes?: number,
): PageRoute {
  const route: PageRoute = {
    method: 'post',
    path,
    guard,
    nav: null,
    answer: answer as PageRoute['answer'],
  };
  return maxBytes === undefined ? route : { ...route, maxBytes };
}

/** What a form with a file (<Form upload>) does; a larger file is cut off, and known as such. */
export function postFile<G extends Guard>(
  path: string,
  guard: G,
  fileLimitBytes: number,
  answer: Handler<G>,
): PageRoute {
  return { ...post(path, guard, answer), fileLimitBytes };
}

/** True where the guard lets this visitor in. */
export function admits(guard: Guard, session: Session | null): boolean {
  if (guard === 'anyone') return true;
  if (session === null) return false;
  return guard === 'signed-in' || (guard === 'owner' ? session.role === 'owner' : session.operator);
}

/** A visitor who may not do this: 403 with the sentence. */
export class Forbidden extends Error {}
