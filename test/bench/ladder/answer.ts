// The answer of the rungs, which create no invoice: one that is in the database.
import type { JobOutcome, Submission } from '../../../src/jobs/write-kind.js';
import { queryOne } from '../../../src/platform/db/connection.js';
import type { Reply } from '../../../src/platform/queue/replies.js';

/** The JSON text of an invoice in the database. */
export async function readAnswer(): Promise<string> {
  const row = await queryOne<{ body: string }>('SELECT body FROM invoices LIMIT 1', []);
  if (!row) throw new Error('the database has no invoice');
  return row.body;
}

/** The reply that the write has succeeded with this JSON text. */
export function replyWith(submission: Submission, body: string): Reply<JobOutcome> {
  const { companyId, id, type, fingerprint, submissionId } = submission;
  const content = { companyId, id, type, fingerprint, submissionId, resultId: id, body };
  return { jobId: id, content: { ...content, status: 'succeeded', problem: null } };
}
