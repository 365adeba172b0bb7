// Routes of the area Integrations, for owners: API access and events.
import { EVENTS, showEvents } from '../events/list.js';
import { get, type PageRoute } from '../kit/page.js';
import { createKeyForm } from './create.js';
import { revokeForm, rotateForm, scopesForm, showKey } from './key.js';
import { KEYS } from './key-parts.js';
import { showKeys } from './list.js';
import type { UsageOf } from './usage.js';

export function keyPages(usage: UsageOf): PageRoute[] {
  return [
    get(KEYS, 'manage-keys', request => showKeys(request, usage), {
      label: 'Integrations',
      icon: 'key',
      group: 'Company',
      tab: 'API access',
    }),
    get(EVENTS, 'manage-keys', showEvents, { label: 'Events', area: KEYS }),
    get('/integrations', 'manage-keys', () => ({ to: KEYS })),
    ...createKeyForm,
    get(`${KEYS}/:id`, 'manage-keys', showKey),
    ...scopesForm,
    ...rotateForm,
    ...revokeForm,
  ];
}
