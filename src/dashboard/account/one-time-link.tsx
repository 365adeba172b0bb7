// Shared by the pages behind one-time links: password resets and invitations.
import type { VerifiedUser } from '../../users/model.js';
import { endSession, type Session, startSession } from '../../users/sessions.js';
import { newForm } from '../kit/forms/form-state.js';
import { type PlainForm, plainForm } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRequest, PageRoute, RedirectAnswer } from '../kit/page.js';
import { ButtonLink } from '../kit/ui/components.js';
import type { Attempts } from './attempts.js';

type LinkRequest = PageRequest<Session | null>;

/** The link of the request is not open. */
export class InvalidLink extends Error {}

/**
 * The form behind a one-time link, whose token is in the path. `find` returns the reset or
 * invitation of a token. Each link that is not open counts as an attempt.
 */
export function linkForm<Body, Found>(
  attempts: Attempts,
  find: (token: string) => Promise<Found | null>,
  invalidPage: () => PageAnswer,
  form: Omit<PlainForm<'anyone', Found, Body>, 'guard' | 'load'>,
): PageRoute[] {
  const routes = plainForm<Body, 'anyone', Found>({
    initial: () => newForm(),
    ...form,
    guard: 'anyone',
    load: request => openLink(request, attempts, find),
  });
  return routes.map(route => ({
    ...route,
    answer: async request => {
      try {
        return await route.answer(request);
      } catch (error) {
        if (error instanceof InvalidLink) return invalidPage();
        throw error;
      }
    },
  }));
}

/** Throws InvalidLink if the token names nothing open, or Problem `too_many_attempts`. */
async function openLink<Found>(
  { params, network }: LinkRequest,
  attempts: Attempts,
  find: (token: string) => Promise<Found | null>,
): Promise<Found> {
  const found = await find(params.token ?? '');
  if (found !== null) return found;
  await attempts.link(network);
  throw new InvalidLink();
}

/** Signs the user in. Ends any session that the browser has, which may be another person's. */
export async function signIn(
  { session }: LinkRequest,
  { companyId, userId, passwordHash }: VerifiedUser,
  flash: string,
): Promise<RedirectAnswer> {
  if (session) await endSession(session.companyId, session.id);
  return { to: '/', session: await startSession(companyId, userId, passwordHash), flash };
}

/** One page for used, replaced, expired and mistyped links, so that it doesn't reveal which. */
export function invalidLinkPage(title: string, text: string): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </p>
    </div>
  );
  return { title, body, status: 404 };
}
