// Routes of the settings and members pages, and of invitation links, which are for anyone.
import type { Attempts } from '../account/attempts.js';
import { get, type PageRoute, post } from '../kit/page.js';
import { settingsForm } from './company.js';
import { invitationForm } from './invitation.js';
import {
  changeMemberRole,
  confirmRole,
  disable,
  enable,
  makeResetLink,
  showMember,
} from './member.js';
import { MEMBERS } from './member-tables.js';
import { membersForm, withdraw } from './members.js';

export function settingsPages(attempts: Attempts): PageRoute[] {
  return [
    ...settingsForm,
    ...membersForm,
    post(`${MEMBERS}/invitations/:id/withdraw`, 'manage-members', withdraw),
    get(`${MEMBERS}/:id`, 'manage-members', showMember),
    post(`${MEMBERS}/:id/reset-link`, 'manage-members', makeResetLink),
    get(`${MEMBERS}/:id/role`, 'manage-members', confirmRole),
    post(`${MEMBERS}/:id/role`, 'manage-members', changeMemberRole),
    post(`${MEMBERS}/:id/disable`, 'manage-members', disable),
    post(`${MEMBERS}/:id/enable`, 'manage-members', enable),
    ...invitationForm(attempts),
  ];
}
