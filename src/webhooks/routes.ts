// All endpoints of webhooks.
import type { Endpoint } from '../api/endpoint.js';
import { endpointEndpoints } from './endpoints/routes.js';
import { deliveryEndpoints } from './log/routes.js';

export const webhookEndpoints: readonly Endpoint[] = [...endpointEndpoints, ...deliveryEndpoints];
