// Compares the outcomes of a run with those of the sequential model.
import { v5 as uuidv5 } from 'uuid';
import type { Entry } from './journal.js';
import { isFinal } from './judgements.js';
import { type Explanation, explainWrites } from './model/explain.js';
import { readModelRows } from './model/rows.js';
import type { ModelWrite } from './model/write.js';
import type { Finals } from './outcomes.js';
import type { System } from './system.js';

export async function checkModel(
  system: Pick<System, 'query'>,
  entries: readonly Entry[],
  finals: Finals,
): Promise<Explanation> {
  const writes = entries.flatMap((entry): ModelWrite[] => {
    const final = finals.get(entry.key);
    if (!final) return [];
    const { key, companyId, path, body, startedAt: sentAt, answer, endedAt } = entry;
    const { status, text } = final;
    const jobId = uuidv5(key, companyId);
    // A write whose outcome was learned by a replay may have been committed at any time.
    const answeredAt = isFinal(answer) ? (endedAt ?? null) : null;
    const sent = { key, companyId, jobId, path, body, sentAt, answeredAt };
    return [{ ...sent, status, result: JSON.parse(text) }];
  });
  const companyIds = [...new Set(entries.map(({ companyId }) => companyId))];
  return explainWrites(writes, await readModelRows(system.query.bind(system), companyIds));
}
