// Routes of the API access pages, for owners.
import { get, type PageRoute, post } from '../kit/page.js';
import { SETTINGS } from '../settings/company.js';
import { createKey, showCreateKey } from './create.js';
import { revoke, rotate, showKey } from './key.js';
import { KEYS, NEW_KEY } from './key-parts.js';
import { showKeys } from './list.js';
import type { UsageOf } from './usage.js';

export function keyPages(usage: UsageOf): PageRoute[] {
  return [
    get(KEYS, 'owner', request => showKeys(request, usage), {
      label: 'API access',
      area: SETTINGS,
    }),
    get(NEW_KEY, 'owner', showCreateKey),
    post(NEW_KEY, 'owner', createKey),
    get(`${KEYS}/:id`, 'owner', showKey),
    post(`${KEYS}/:id/rotate`, 'owner', rotate),
    post(`${KEYS}/:id/revoke`, 'owner', revoke),
  ];
}
