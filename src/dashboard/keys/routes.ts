// Routes of the API access pages, for owners.
import { get, type PageRoute } from '../kit/page.js';
import { SETTINGS } from '../settings/company.js';
import { createKeyForm } from './create.js';
import { revokeForm, rotateForm, showKey } from './key.js';
import { KEYS } from './key-parts.js';
import { showKeys } from './list.js';
import type { UsageOf } from './usage.js';

export function keyPages(usage: UsageOf): PageRoute[] {
  return [
    get(KEYS, 'owner', request => showKeys(request, usage), {
      label: 'API access',
      area: SETTINGS,
    }),
    ...createKeyForm,
    get(`${KEYS}/:id`, 'owner', showKey),
    ...rotateForm,
    ...revokeForm,
  ];
}
