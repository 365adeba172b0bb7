// The pages of API access, for owners.

import { get, type PageRoute, post } from '../kit/page.js';
import { revoke, rotate, showKey } from './key.js';
import { KEYS, makeKey, showKeys } from './list.js';
import type { UsageOf } from './usage.js';

export function keyPages(usage: UsageOf): PageRoute[] {
  return [
    get(KEYS, 'owner', request => showKeys(request, usage), {
      label: 'API access',
      group: 'Integrations',
    }),
    post(KEYS, 'owner', request => makeKey(request, usage)),
    get(`${KEYS}/:id`, 'owner', showKey),
    post(`${KEYS}/:id/rotate`, 'owner', rotate),
    post(`${KEYS}/:id/revoke`, 'owner', revoke),
  ];
}
