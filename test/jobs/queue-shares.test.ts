// A company's share of a queue: about one batch from each web process.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { PendingWrite } from '../../src/jobs/submit/pending-write.js';
import { QueueShares } from '../../src/jobs/submit/queue-shares.js';
import type { Submission, WriteKind } from '../../src/jobs/write-kind.js';

const kindOf = (queue: string) =>
  ({ queue, lineCount: (payload: unknown) => (payload as { lines: number }).lines }) as WriteKind;

function write(companyId: string, lines: number, queue = 'invoices'): PendingWrite {
  const submission = { companyId, id: uuidv7(), payload: { lines } } as Submission;
  return new PendingWrite(kindOf(queue), submission, 100);
}

describe("a company's share of a queue", () => {
  const open = () => {
    const enqueued: PendingWrite[] = [];
    return { enqueued, shares: new QueueShares(({ writes }) => void enqueued.push(...writes)) };
  };

  it('queues 2,500 lines of a company; its next writes wait for earlier ones, in order', () => {
    const { enqueued, shares } = open();
    const writes = Array.from({ length: 30 }, () => write('a', 250));
    for (const each of writes) shares.add(each.sequence);
    expect(enqueued).to.deep.equal(writes.slice(0, 10));
    for (const each of writes.slice(0, 3)) shares.remove(each);
    expect(enqueued).to.deep.equal(writes.slice(0, 13));
    for (const each of writes) shares.remove(each);
    expect(enqueued).to.deep.equal(writes);
  });

  it('counts a write of few lines as five lines', () => {
    const { enqueued, shares } = open();
    for (let at = 0; at < 600; at += 1) shares.add(write('a', 1).sequence);
    expect(enqueued).to.have.length(500);
  });

  it("a company's share of one queue limits neither another company nor another queue", () => {
    const { enqueued, shares } = open();
    for (let at = 0; at < 30; at += 1) shares.add(write('a', 250).sequence);
    const [other, payment] = [write('b', 1), write('a', 1, 'ledger')];
    shares.add(other.sequence);
    shares.add(payment.sequence);
    expect(enqueued.slice(10)).to.deep.equal([other, payment]);
  });

  it('gives a withdrawn write no share, and queues one write of any size', () => {
    const { enqueued, shares } = open();
    const [large, next, last] = [write('a', 3_000), write('a', 250), write('a', 1)];
    for (const each of [large, next, last]) shares.add(each.sequence);
    expect(enqueued).to.deep.equal([large]);
    shares.withdraw(next.sequence);
    shares.remove(large);
    expect(enqueued).to.deep.equal([large, last]);
    // A write may be removed twice, and one that was withdrawn as well.
    for (const each of [large, next, last, last]) shares.remove(each);
    shares.add(next.sequence);
    expect(enqueued).to.deep.equal([large, last, next]);
  });
});
