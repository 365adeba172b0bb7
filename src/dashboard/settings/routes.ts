// Routes of the settings and members pages, for owners, and of invitation links, for anyone.
import type { Attempts } from '../account/attempts.js';
import { get, type PageRoute, post } from '../kit/page.js';
import { changeSettings, SETTINGS, showSettings } from './company.js';
import { accept, showInvitation } from './invitation.js';
import { changeMemberRole, disable, enable, makeResetLink, showMember } from './member.js';
import { MEMBERS } from './member-tables.js';
import { invite, showMembers, withdraw } from './members.js';

export function settingsPages(attempts: Attempts): PageRoute[] {
  return [
    get(SETTINGS, 'owner', showSettings, {
      label: 'Settings',
      icon: 'settings',
      group: 'Company',
      tab: 'Company',
    }),
    post(SETTINGS, 'owner', changeSettings),
    get(MEMBERS, 'owner', showMembers, { label: 'Members', area: SETTINGS }),
    post(`${MEMBERS}/invitations`, 'owner', invite),
    post(`${MEMBERS}/invitations/:id/withdraw`, 'owner', withdraw),
    get(`${MEMBERS}/:id`, 'owner', showMember),
    post(`${MEMBERS}/:id/reset-link`, 'owner', makeResetLink),
    post(`${MEMBERS}/:id/role`, 'owner', changeMemberRole),
    post(`${MEMBERS}/:id/disable`, 'owner', disable),
    post(`${MEMBERS}/:id/enable`, 'owner', enable),
    get('/invitations/:token', 'anyone', request => showInvitation(request, attempts)),
    post('/invitations/:token', 'anyone', request => accept(request, attempts)),
  ];
}
