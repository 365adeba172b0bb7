// How a worker sizes its batches, and what it does if a whole batch fails or takes too long.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { Settlement } from '../../src/jobs/settle/settlement.js';
import type { JobOutcome, Submission } from '../../src/jobs/write-kind.js';
import { closeDatabase, openDatabase, query } from '../../src/platform/db/connection.js';
import { createLog } from '../../src/platform/process/log.js';
import type { Reply } from '../../src/platform/queue/replies.js';
import { makeStores, type Stores } from '../support/suite.js';
import { writeQueue } from '../support/write-queue.js';

interface Load {
  /** The result of `lineCount`. */
  readonly lines?: number;
  /** How long planning takes, without a statement on the connection. */
  readonly planMs?: number;
  /** How long a statement takes. */
  readonly statementMs?: number;
}

const sum = (numbers: readonly (number | undefined)[]) =>
  numbers.reduce<number>((total, number) => total + (number ?? 0), 0);

describe('a batch of a worker', () => {
  let stores: Stores;
  let batches: number[];
  before(async () => {
    stores = await makeStores('postgres');
  });
  beforeEach(() => {
    batches = [];
    const limits = { idleInTransactionMs: 1_000, answerMs: 1_000 };
    openDatabase({ url: stores.databaseUrl, poolMax: 4, name: 'settlement', limits });
  });
  afterEach(closeDatabase);

  /** Writes nothing but takes the time that its payloads name. */
  const queue = writeQueue<Load>({
    lineCount: ({ lines = 1 }) => lines,
    plan: ({ payload }) => {
      const until = performance.now() + (payload.planMs ?? 0);
      while (performance.now() < until);
      return { plan: null };
    },
    lock: async (inputs, tx) => {
      const seconds = sum(inputs.map(({ payload }) => payload.statementMs)) / 1_000;
      if (seconds > 0) await query('SELECT pg_sleep($1)', [seconds], tx);
      return null;
    },
    write: async planned => {
      batches.push(planned.length);
      return new Map();
    },
  });

  /** Settles one submission per payload, each of its own company, and returns their statuses. */
  const settle = async (payloads: readonly Load[]) => {
    const statuses: (string | undefined)[] = [];
    const reply = async (_address: string, replies: Reply<JobOutcome>[]) => {
      for (const { content } of replies) statuses.push(content?.status);
    };
    const log = createLog('test', 'silent');
    const settlement = new Settlement(queue, { batchMax: 1_000, reply, log });
    await settlement.take(payloads.map(toSubmission));
    return statuses;
  };

  it('gives a batch at most 2,500 lines, unless one write has more', async () => {
    const statuses = await settle(
      [1_000, 1_000, 500, 1, 2_499, 1, 3_000].map(lines => ({ lines })),
    );
    expect(new Set(statuses)).to.deep.equal(new Set(['succeeded']));
    // Two run at once.
    expect(batches.toSorted()).to.deep.equal([1, 1, 2, 3]);
  });

  for (const [cause, load] of [
    ['is planned for longer than Postgres waits in a transaction', { planMs: 200 }],
    ['has a statement that is not answered in time', { statementMs: 200 }],
  ] as const) {
    it(`settles a batch one company at a time if it ${cause}`, async () => {
      const statuses = await settle(Array(8).fill(load));
      expect(statuses).to.deep.equal(Array(8).fill('succeeded'));
      expect(batches.slice(-8)).to.deep.equal(Array(8).fill(1));
    });
  }
});

function toSubmission(payload: Load): Submission {
  const id = uuidv7();
  return {
    companyId: uuidv7(),
    type: 'invoice.create',
    id,
    fingerprint: '0'.repeat(64),
    submissionId: id,
    requestId: 'settlement',
    acceptedAt: new Date().toISOString(),
    payload,
    createdBy: null,
    replyTo: 'test',
  };
}
