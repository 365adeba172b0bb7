// The endpoint that sends a document by e-mail. The e-mails themselves are read in their own slice.
import { idempotencyKey, recordRequest, senderOf } from '../../api/answer-write.js';
import type { Endpoint } from '../../api/endpoint.js';
import { EMAILS_PER_HOUR } from '../../emails/outbox.js';
import { sendResponse } from '../../jobs/stored-responses.js';
import { emailRequest } from './schema.js';
import { createEmail } from './service.js';

export const emailEndpoint: Endpoint = {
  type: 'send',
  path: '/emails',
  id: 'createEmail',
  tag: 'E-mails',
  summary: 'Send a document by e-mail',
  description:
    'Sends an invoice or a credit note. Its attachments are made before the answer and kept as ' +
    'they were sent. A worker then sends the e-mail, and tries again while the mail server ' +
    `cannot take it: the status of the e-mail shows what became of it. Up to ${EMAILS_PER_HOUR} ` +
    'e-mails per company and hour.',
  scope: 'documents:send',
  body: { name: 'EmailRequest', schema: emailRequest },
  answer: 'The e-mail, which waits to be sent.',
  schema: 'Email',
  hasLocation: true,
  conflicts: {
    EmailRefused: [
      'document_incomplete',
      'document_unavailable',
      'email_not_configured',
      'invalid_state',
    ],
  },
  middleware: () => [
    ...recordRequest,
    async ctx => {
      const { companyId, createdBy } = senderOf(ctx);
      const key = idempotencyKey(ctx);
      const call = { companyId, createdBy, body: ctx.request.body, idempotencyKey: key };
      sendResponse(ctx, await createEmail(call));
    },
  ],
};
