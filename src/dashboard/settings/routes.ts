// Routes of the settings and members pages, and of invitation links, which are for anyone.
import type { Attempts } from '../account/attempts.js';
import { documentSettings } from '../documents/settings.js';
import { get, type PageRoute } from '../kit/page.js';
import { settingsForm } from './company.js';
import { invitationForm } from './invitation.js';
import { memberForms, showMember } from './member.js';
import { MEMBERS } from './member-tables.js';
import { membersForm, withdrawButton } from './members.js';

export function settingsPages(attempts: Attempts): PageRoute[] {
  return [
    ...settingsForm,
    ...documentSettings(attempts),
    ...membersForm,
    withdrawButton,
    get(`${MEMBERS}/:id`, 'manage-members', showMember),
    ...memberForms,
    ...invitationForm(attempts),
  ];
}
