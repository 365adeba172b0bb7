// Routes of the settings and members pages, for owners, and of invitation links, for anyone.
import type { Attempts } from '../account/attempts.js';
import { get, type PageRoute, post } from '../kit/page.js';
import { settingsForm } from './company.js';
import { invitationForm } from './invitation.js';
import { changeMemberRole, disable, enable, makeResetLink, showMember } from './member.js';
import { MEMBERS } from './member-tables.js';
import { membersForm, withdraw } from './members.js';

export function settingsPages(attempts: Attempts): PageRoute[] {
  return [
    ...settingsForm,
    ...membersForm,
    post(`${MEMBERS}/invitations/:id/withdraw`, 'owner', withdraw),
    get(`${MEMBERS}/:id`, 'owner', showMember),
    post(`${MEMBERS}/:id/reset-link`, 'owner', makeResetLink),
    post(`${MEMBERS}/:id/role`, 'owner', changeMemberRole),
    post(`${MEMBERS}/:id/disable`, 'owner', disable),
    post(`${MEMBERS}/:id/enable`, 'owner', enable),
    ...invitationForm(attempts),
  ];
}
