// Shared by the pages behind one-time links: password resets and invitations.
import type { VerifiedUser } from '../../users/service.js';
import { endSession, type Session, startSession } from '../../users/sessions.js';
import type { PageAnswer, PageRequest, RedirectAnswer } from '../kit/page.js';
import { ButtonLink } from '../kit/ui/components.js';
import type { Attempts } from './attempts.js';

type LinkRequest = PageRequest<Session | null>;

/**
 * Finds the reset or invitation of the link's token. Counts the attempt if there is none. Throws
 * Problem `too_many_attempts`.
 */
export async function lookUp<Found>(
  find: (token: string) => Promise<Found | null>,
  { params, network }: LinkRequest,
  attempts: Attempts,
): Promise<Found | null> {
  const found = await find(params.token ?? '');
  if (found === null) await attempts.link(network);
  return found;
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
