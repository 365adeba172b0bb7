// Routes of Integrations → Webhooks, for owners.
import { KEYS } from '../keys/key-parts.js';
import { get, type PageRoute } from '../kit/page.js';
import { createWebhookForm } from './create.js';
import { redeliverOneForm, showDelivery } from './delivery.js';
import {
  deleteWebhookForm,
  pauseButton,
  redeliverForm,
  resumeButton,
  rotateWebhookForm,
  showEndpoint,
  testForm,
} from './endpoint.js';
import { showEndpoints } from './list.js';
import { WEBHOOKS } from './parts.js';

export function webhookPages(): PageRoute[] {
  return [
    get(WEBHOOKS, 'manage-keys', showEndpoints, { label: 'Webhooks', area: KEYS }),
    ...createWebhookForm,
    get(`${WEBHOOKS}/:id`, 'manage-keys', showEndpoint),
    get(`${WEBHOOKS}/:id/delivery`, 'manage-keys', showDelivery),
    ...redeliverOneForm,
    ...testForm,
    pauseButton,
    resumeButton,
    ...redeliverForm,
    ...rotateWebhookForm,
    ...deleteWebhookForm,
  ];
}
