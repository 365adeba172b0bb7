// One member: role, password and access. The page explains a change before it is made, and offers
// only changes that would be accepted.
import { Problem } from '../../platform/errors.js';
import {
  changeRole,
  disableMember,
  enableMember,
  getMember,
  type Member,
} from '../../users/members.js';
import { displayName } from '../../users/model.js';
import { createResetLink, RESET_HOURS, RESET_PATH } from '../../users/password-resets.js';
import { findRole } from '../../users/roles.js';
import { type Answer, type PageAnswer, type PageRequest, uuidOr404 } from '../kit/page.js';
import { Badge, ButtonLink, Copyable, PageHead, Panel, Time } from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { Button, Form } from '../kit/ui/fields.js';
import { Alert } from '../kit/ui/first-focus.js';
import { confirmRolePage, RolePanel } from './member-role.js';
import { MEMBERS } from './member-tables.js';
import { describeRole, ROLE_NAMES } from './role-texts.js';

export async function showMember(request: PageRequest): Promise<Answer> {
  return memberPage(request, await memberOf(request));
}

export async function confirmRole(request: PageRequest): Promise<Answer> {
  return confirmRolePage(request, await memberOf(request));
}

export function changeMemberRole(request: PageRequest): Promise<Answer> {
  const role = request.form.get('role') ?? '';
  const known = findRole(role);
  return change(request, changeRoleTo(request), `is now ${known && describeRole(known)}.`);
}

const changeRoleTo =
  ({ form }: PageRequest) =>
  (companyId: string, userId: string) =>
    changeRole(companyId, userId, {
      from: form.get('from') ?? undefined,
      to: form.get('role') ?? '',
    });

export function disable(request: PageRequest): Promise<Answer> {
  return change(request, disableMember, 'is disabled and signed out everywhere.');
}

export function enable(request: PageRequest): Promise<Answer> {
  return change(request, enableMember, 'can sign in again.');
}

/** Only this response contains the link; submitting the form again replaces it. */
export async function makeResetLink(request: PageRequest): Promise<Answer> {
  const { session, origin } = request;
  const member = await memberOf(request);
  return unlessRefused(request, member, async () => {
    const { token } = await createResetLink(
      { companyId: session.companyId, userId: member.userId },
      session.userId,
    );
    return linkPage(`${origin}${RESET_PATH}/${token}`, member);
  });
}

/**
 * Changes a member of this company. Owners who changed themselves go to the overview, because they
 * may have lost access to this page.
 */
async function change(
  request: PageRequest,
  update: (companyId: string, userId: string) => Promise<void>,
  outcome: string,
): Promise<Answer> {
  const { session } = request;
  const member = await memberOf(request);
  return unlessRefused(request, member, async () => {
    await update(session.companyId, member.userId);
    return {
      to: member.userId === session.userId ? '/' : MEMBERS,
      flash: `${displayName(member)} ${outcome}`,
    };
  });
}

async function unlessRefused(
  request: PageRequest,
  member: Member,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    return { ...memberPage(request, member, error.message), status: 422 };
  }
}

/** Throws Problem `not_found` unless the company has the member. */
function memberOf({ session, params }: PageRequest): Promise<Member> {
  return getMember(session.companyId, uuidOr404('member', params.id));
}

function memberPage({ session }: PageRequest, member: Member, refusal?: string): PageAnswer {
  const { email, role, isDisabled, createdAt, lastSeenAt } = member;
  const isSelf = member.userId === session.userId;
  const title = displayName(member);
  const body = (
    <>
      <PageHead title={title} note={isSelf ? 'You' : ROLE_NAMES[role]}>
        <ButtonLink href={MEMBERS} quiet>
          All members
        </ButtonLink>
      </PageHead>
      {refusal && <Alert>{refusal}</Alert>}
      <Panel title="Member">
        <Facts
          class="key-facts"
          facts={[
            ['E-mail', email],
            [
              'Role',
              <>
                {ROLE_NAMES[role]} {isDisabled && <Badge tone="bad">Disabled</Badge>}
              </>,
            ],
            ['Joined', <Time key="joined" at={createdAt} />],
            ['Last seen', lastSeenAt ? <Time key="seen" at={lastSeenAt} /> : 'Not signed in'],
          ]}
        />
      </Panel>
      <RolePanel member={member} />
      {!isDisabled && <PasswordPanel member={member} isSelf={isSelf} />}
      <AccessPanel member={member} isSelf={isSelf} />
    </>
  );
  return { title, body };
}

function PasswordPanel({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { userId, isOperator } = member;
  const who = displayName(member);
  if (isSelf) {
    return (
      <Panel title="Password" split>
        <p>
          Change your password in <a href="/account">your account</a>.
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="Password" split>
      {isOperator ? (
        <p>{who} operates this installation. Only another operator can reset this password.</p>
      ) : (
        <>
          <p>Has {who} forgotten the password? Create a reset link. Earlier links stop working.</p>
          <Form action={`${MEMBERS}/${userId}/reset-link`} inline label="Password">
            <Button quiet>Create password reset link</Button>
          </Form>
        </>
      )}
    </Panel>
  );
}

function AccessPanel({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { userId, isDisabled, isOnlyOwner } = member;
  const who = displayName(member);
  if (isOnlyOwner) return null;
  return isDisabled ? (
    <Panel title="Access" split>
      <p>{who} can’t sign in.</p>
      <Form action={`${MEMBERS}/${userId}/enable`} inline label="Access">
        <Button quiet>Enable</Button>
      </Form>
    </Panel>
  ) : (
    <Panel title="Access" class="danger-zone" split>
      <p>
        {isSelf ? 'You' : who} will be signed out everywhere and can’t sign in until re-enabled by
        an owner. API keys keep working.
      </p>
      <Form action={`${MEMBERS}/${userId}/disable`} inline label="Access">
        <Button danger>{isSelf ? 'Disable yourself' : 'Disable'}</Button>
      </Form>
    </Panel>
  );
}

function linkPage(link: string, { userId, email }: Member): PageAnswer {
  const body = (
    <>
      <PageHead title="Password reset link" note={`For ${email}`} />
      <p class="message warn" role="status">
        Copy the link now; you won’t see it again. Give it only to {email}. It works once and
        expires in {RESET_HOURS} hours.
      </p>
      <Panel title="Link">
        <Copyable label="Password reset link" text={link} />
      </Panel>
      <p>
        <ButtonLink href={`${MEMBERS}/${userId}`}>Done</ButtonLink>
      </p>
    </>
  );
  return { title: 'Password reset link', body, isDone: true };
}
