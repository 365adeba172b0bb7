// The worker of the ladder, which writes nothing. Its first argument says whether it plans and
// renders the invoices (plan) or replies at once (reply), and the second one how many items each
// company has.
import { configOrExit } from '../../../config/index.js';
import { readStock } from '../../../src/inventory/read-stock.js';
import type { InvoicePayload } from '../../../src/invoices/drafts/draft-ref.js';
import { renderInvoice } from '../../../src/invoices/invoice-json.js';
import { invoiceWrites } from '../../../src/invoices/post.js';
import { planInvoice } from '../../../src/invoices/rules.js';
import type { Submission } from '../../../src/jobs/write-kind.js';
import { closeDatabase, openDatabase, query } from '../../../src/platform/db/connection.js';
import { runProcess } from '../../../src/platform/process/lifecycle.js';
import { openQueues } from '../../../src/platform/queue/open.js';
import { openReplySender } from '../../../src/platform/queue/replies.js';
import { matchKey } from '../../../src/platform/values/text.js';
import { itemName } from '../row-names.js';
import { readAnswer, replyWith } from './answer.js';

const QUEUE_POOL_MAX = 8;
const TERMS = { currency: 'USD', allowNegativeStock: true };

const config = configOrExit();
const [work, items] = process.argv.slice(2);

await runProcess('rung-worker', config, async (log, onStop) => {
  const databaseUrl = config.databaseUrl ?? '';
  openDatabase({ url: databaseUrl, poolMax: config.databasePoolMax, name: 'tradepost-rung' });
  onStop('database', closeDatabase);
  const queues = await openQueues(
    { databaseUrl, redisUrl: config.redisUrl, poolMax: QUEUE_POOL_MAX },
    log,
    onStop,
  );
  const reply = openReplySender(queues);
  const render = work === 'plan' ? await planner(Number(items)) : null;
  const answer = await readAnswer();
  const handle = async ({ data }: { readonly data: unknown }) => {
    const { submissions } = data as { submissions: readonly Submission[] };
    const replies = submissions.map(each => replyWith(each, render?.(each) ?? answer));
    // There is one web process, so all have the same address.
    await reply(submissions[0]?.replyTo ?? '', replies);
  };
  await queues.shardWorkers({ [invoiceWrites.queue]: handle }, config.workerConcurrency);
  process.send?.({ ready: true, port: 0 });
});

/** Plans invoices with the items in memory, and renders them. */
async function planner(count: number) {
  const companies = await query<{ id: string }>('SELECT id FROM companies', []);
  const names = Array.from({ length: count }, (_, index) => matchKey(itemName(index + 1)));
  const stock = await readStock(
    companies.flatMap(({ id }) => names.map(nameKey => ({ companyId: id, nameKey }))),
  );
  let number = 0n;
  return ({ companyId, id, ...submission }: Submission): string => {
    const payload = submission.payload as InvoicePayload;
    const decision = planInvoice(companyId, payload, TERMS, stock);
    if ('refusal' in decision) throw decision.refusal;
    const { lines, total, details } = decision.plan;
    number += 1n;
    return renderInvoice({
      id,
      numberPrefix: 'INV-',
      number,
      status: 'open',
      currency: TERMS.currency,
      customerName: payload.customerName,
      date: payload.date,
      reference: payload.reference ?? null,
      lines,
      total,
      details,
      settlement: { paid: '0', credited: '0', due: total, settledOn: null },
      createdAt: new Date().toISOString(),
    });
  };
}
