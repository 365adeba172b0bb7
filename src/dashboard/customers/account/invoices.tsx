// All invoices of a customer, with the filters of the list of invoices.
import type { Cursors } from '../../../platform/http/pagination.js';
import { customerInvoices } from '../../invoices/list.js';
import { addressOf } from '../../kit/lists/filters.js';
import { listSection } from '../../kit/lists/list-page.js';
import type { PageRequest } from '../../kit/page.js';
import { ButtonLink, Empty } from '../../kit/ui/components.js';
import { accountPath, type Subject } from './subject.js';

export function readInvoiceSection(subject: Subject, request: PageRequest, cursors: Cursors) {
  const { customer, name, keys } = subject;
  const own = { ...(customer === null ? { name } : {}), show: 'invoices' };
  const all = accountPath(subject, '', { show: 'invoices' });
  const list = customerInvoices(keys, {
    path: accountPath(subject).split('?')[0] ?? '',
    Nothing: () => (
      <Empty
        title="No invoices yet"
        icon="invoices"
        actions={
          <ButtonLink href={addressOf('/invoices/new', { customer: name })}>New invoice</ButtonLink>
        }
      />
    ),
    NoMatch: () => (
      <Empty title="No matching invoices" icon="search">
        <p>
          <a href={all}>Show all invoices of this customer</a>
        </p>
      </Empty>
    ),
  });
  return listSection(list, request, cursors, own);
}
