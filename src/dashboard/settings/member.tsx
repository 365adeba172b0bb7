// One member: role, password and access. The page explains a change before it is made, and offers
// only changes that would be accepted.
import {
  changeRole,
  disableMember,
  enableMember,
  getMember,
  type Member,
} from '../../users/members.js';
import { displayName } from '../../users/model.js';
import { createResetLink, RESET_HOURS, RESET_PATH } from '../../users/password-resets.js';
import { findRole, type Permission } from '../../users/roles.js';
import { type DirectForm, directForm, type FormRequest } from '../kit/forms/plain-form.js';
import {
  type Answer,
  type PageAnswer,
  type PageRequest,
  type PageRoute,
  type RedirectAnswer,
  uuidOr404,
} from '../kit/page.js';
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

/** Changes the role that the page of ?role= asked about. */
const roleForm = memberForm('role', {
  initial: request => confirmRolePage(request, request.loaded),
  send: ({ session, form, loaded: { userId } }) =>
    changeRole(session.companyId, userId, {
      from: form.get('from') ?? undefined,
      to: form.get('role') ?? '',
    }),
  done: (_, request) => {
    const role = findRole(request.form.get('role') ?? '');
    return changedAnswer(request, `is now ${role && describeRole(role)}.`);
  },
});

const disableForm = memberForm('disable', {
  send: ({ session, loaded: { userId } }) => disableMember(session.companyId, userId),
  done: (_, request) => changedAnswer(request, 'is disabled and signed out everywhere.'),
});

const enableForm = memberForm('enable', {
  send: ({ session, loaded: { userId } }) => enableMember(session.companyId, userId),
  done: (_, request) => changedAnswer(request, 'can sign in again.'),
});

/** Only this response contains the link; submitting the form again replaces it. */
const resetLinkForm = memberForm('reset-link', {
  send: ({ session, loaded: { userId } }) =>
    createResetLink({ companyId: session.companyId, userId }, session.userId),
  done: ({ token }, { origin, loaded }) => linkPage(`${origin}${RESET_PATH}/${token}`, loaded),
});

export const memberForms = [...roleForm, ...disableForm, ...enableForm, ...resetLinkForm];

type OwnParts<Result> = Pick<DirectForm<Permission, Member, Result>, 'initial' | 'send' | 'done'>;

/** A form of a member's page. */
function memberForm<Result>(name: string, form: OwnParts<Result>): PageRoute[] {
  return directForm<Result, Permission, Member>({
    path: `${MEMBERS}/:id/${name}`,
    guard: 'manage-members',
    load: memberOf,
    ...form,
    page: ({ refusal }, request) => memberPage(request, request.loaded, refusal?.message),
  });
}

/** Owners who changed themselves may have lost access to this page, so they go to the overview. */
function changedAnswer({ session, loaded }: FormRequest<Member>, outcome: string): RedirectAnswer {
  return {
    to: loaded.userId === session.userId ? '/' : MEMBERS,
    flash: `${displayName(loaded)} ${outcome}`,
  };
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
