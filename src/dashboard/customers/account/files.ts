// The statement and the open items of a customer as CSV, in the company's format.

import { exportActivity, exportOpenItems } from '../../../receivables/export.js';
import { csvFile, fileNamePart } from '../../kit/downloads.js';
import type { Answer, PageRequest } from '../../kit/page.js';
import { readDays } from './period.js';
import { type Subject, withSubject } from './subject.js';

export function exportStatement(request: PageRequest): Promise<Answer> {
  return withSubject(request, async subject => {
    const days = readDays(request);
    const { companyId } = request.session;
    const file = `statement-${nameOf(subject)}-${days.from}-${days.to}.csv`;
    return csvFile(file, request.session, format =>
      exportActivity(companyId, subject.keys, days, `page ${format}`),
    );
  });
}

export function exportOpen(request: PageRequest): Promise<Answer> {
  return withSubject(request, async subject => {
    const { to } = readDays(request);
    const { companyId } = request.session;
    return csvFile(`open-items-${nameOf(subject)}-${to}.csv`, request.session, format =>
      exportOpenItems(companyId, subject.keys, to, `page ${format}`),
    );
  });
}

const nameOf = ({ customer, name }: Subject) => fileNamePart(customer?.number ?? name);
