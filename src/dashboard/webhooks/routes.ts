// Routes of Integrations → Webhooks, for owners.
import { KEYS } from '../keys/key-parts.js';
import { get, type PageRoute } from '../kit/page.js';
import { createWebhookForm } from './create.js';
import { redeliverOneForm, showWebhookDelivery } from './delivery.js';
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
import { WEBHOOK_PAGES } from './parts.js';

export function webhookPages(): PageRoute[] {
  return [
    get(WEBHOOK_PAGES, 'manage-keys', showEndpoints, { label: 'Webhooks', area: KEYS }),
    ...createWebhookForm,
    get(`${WEBHOOK_PAGES}/:id`, 'manage-keys', showEndpoint),
    get(`${WEBHOOK_PAGES}/:id/delivery`, 'manage-keys', showWebhookDelivery),
    ...redeliverOneForm,
    ...testForm,
    pauseButton,
    resumeButton,
    ...redeliverForm,
    ...rotateWebhookForm,
    ...deleteWebhookForm,
  ];
}
