// The endpoints that read e-mails. The one that sends a document is declared with the documents.
import { type Endpoint, listEndpoint, readEndpoint } from '../api/endpoint.js';
import { findEmail, listEmails } from './queries.js';
import { emailQuery } from './schema.js';

export const emailEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/emails',
    id: 'listEmails',
    tag: 'E-mails',
    summary: 'List e-mails',
    description:
      'Newest first. A plain array; the `Link` header leads to the next page. With `status`, a ' +
      'page may have fewer e-mails than the limit, or none, and still have a next page.',
    scope: 'documents:send',
    query: emailQuery,
    answer: 'A page of e-mails.',
    schema: 'Email',
    cursors: 'emails',
    page: ({ companyId, timeZone }, filter, position) =>
      listEmails(companyId, timeZone, filter, position),
  }),
  readEndpoint({
    path: '/emails/{id}',
    id: 'getEmail',
    tag: 'E-mails',
    summary: 'Get an e-mail',
    description: 'Its status shows whether the mail server has accepted it.',
    scope: 'documents:send',
    noun: 'e-mail',
    answer: 'The e-mail.',
    schema: 'Email',
    find: ({ companyId }, id) => findEmail(companyId, id),
  }),
];
