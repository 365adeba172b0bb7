// Sends the answers of pages: HTML in the shell, redirects with their cookies, and other content.
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { contentSecurityPolicy } from '../../platform/http/security-headers.js';
import { findSession, type Session } from '../../users/sessions.js';
import type { Cookies } from './cookies.js';
import type { FormTokens } from './csrf.js';
import { Downloads } from './downloads.js';
import type { Answer, ContentAnswer, NavTarget, PageAnswer } from './page.js';
import { renderPage } from './ui/layout.js';

/** Allows only files of this site, and no inline scripts or styles. */
const POLICY = contentSecurityPolicy({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
});

export interface Responder {
  send(ctx: Context, answer: Answer): Promise<void>;
  /** Renders the page for ctx.state.session. */
  show(ctx: Context, page: PageAnswer): void;
}

/** The targets of the navigation, and whether a visitor may see the page at an address. */
interface Access {
  readonly targets: readonly NavTarget[];
  readonly canSee: (address: string, session: Session | null) => boolean;
}

export function createResponder(
  cookies: Cookies,
  tokens: FormTokens,
  { targets, canSee }: Access,
): Responder {
  const show = (ctx: Context, page: PageAnswer): void => {
    const session = (ctx.state.session ?? null) as Session | null;
    const token = session && tokens.make(session.id);
    const flash = cookies.takeFlash(ctx);
    ctx.status = page.status ?? 200;
    ctx.set(page.headers ?? {});
    ctx.type = 'text/html; charset=utf-8';
    const isPosted = ctx.method === 'POST';
    ctx.body = renderPage(page, {
      session,
      path: ctx.path,
      token,
      flash,
      navigation: targets,
      isPosted,
      canSee: address => canSee(address, session),
    });
  };
  const downloads = new Downloads();
  const send = async (ctx: Context, answer: Answer): Promise<void> => {
    if ('content' in answer) return sendContent(ctx, answer, downloads);
    if (answer.session !== undefined) cookies.setSession(ctx, answer.session);
    if (!('to' in answer)) {
      // The page and its form tokens already belong to the new session.
      if (answer.session !== undefined) ctx.state.session = await findSession(answer.session);
      return show(ctx, answer);
    }
    if (answer.flash !== undefined)
      cookies.setFlash(ctx, { sentence: answer.flash, warning: answer.warning });
    ctx.redirect(answer.to);
    ctx.status = 303;
    ctx.body = '';
  };
  return { show, send };
}

/**
 * The headers of every page; no cache may store it. The referrer stays within the site but is not
 * omitted: without one, a browser sends `Origin: null` with every form.
 */
export function setPageHeaders(ctx: Context): void {
  ctx.set({
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    Vary: 'Cookie, Accept-Encoding',
  });
}

async function sendContent(
  ctx: Context,
  { type, content, fileName, isInline }: ContentAnswer,
  downloads: Downloads,
): Promise<void> {
  const owner = (ctx.state.session as Session | null)?.companyId ?? '';
  const body =
    typeof content === 'string' || Buffer.isBuffer(content)
      ? content
      : Readable.from(await downloads.start(owner, content), { highWaterMark: BUFFERED });
  const disposition = isInline ? 'inline' : 'attachment';
  if (fileName !== undefined)
    ctx.set('Content-Disposition', `${disposition}; filename="${fileName}"`);
  ctx.type = type;
  ctx.body = body;
}
/** The chunks of a download. Each has thousands of rows. */
const BUFFERED = 2;
