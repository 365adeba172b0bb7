// Natural batching.
import { expect } from 'chai';
import { Batcher } from '../../src/platform/batch.js';

/** A run that ends when told to. */
function heldRuns() {
  const runs: { items: number[]; end: (results?: number[]) => void; fail: () => void }[] = [];
  const run = (items: number[]) =>
    new Promise<number[]>((resolve, reject) => {
      runs.push({
        items,
        end: (results = items.map(item => item * 10)) => resolve(results),
        fail: () => reject(new Error('failed')),
      });
    });
  return { runs, run };
}

const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)));

describe('batching', () => {
  it('runs what comes at rest at once, and gathers what comes meanwhile', async () => {
    const { runs, run } = heldRuns();
    const batcher = new Batcher(run, { maxSize: 10, maxInFlight: 1 });
    const first = batcher.submit(1);
    await turn();
    const later = [batcher.submit(2), batcher.submit(3)];
    await turn();
    expect(runs.map(({ items }) => items)).to.deep.equal([[1]]);
    runs[0]?.end();
    expect(await first).to.equal(10);
    await turn();
    runs[1]?.end();
    expect(await Promise.all(later)).to.deep.equal([20, 30]);
    expect(runs.map(({ items }) => items)).to.deep.equal([[1], [2, 3]]);
  });

  it('keeps to its sizes, its weights and its runs in flight', async () => {
    const { runs, run } = heldRuns();
    const batcher = new Batcher(run, { maxSize: 3, maxInFlight: 2, weigh: item => item, maxWeight: 10 });
    const all = Promise.all([1, 2, 3, 4, 20, 6, 5].map(item => batcher.submit(item)));
    await turn();
    expect(runs.map(({ items }) => items)).to.deep.equal([[1, 2, 3], [4]]);
    for (let at = 0; at < 5; at += 1) {
      runs[at]?.end();
      await turn();
    }
    expect(runs.map(({ items }) => items)).to.deep.equal([[1, 2, 3], [4], [20], [6], [5]]);
    expect(await all).to.deep.equal([10, 20, 30, 40, 200, 60, 50]);
  });

  it('lets a failed run fail its own items only', async () => {
    const { runs, run } = heldRuns();
    const batcher = new Batcher(run, { maxSize: 1, maxInFlight: 1 });
    const outcomes = Promise.allSettled([batcher.submit(1), batcher.submit(2), batcher.submit(3)]);
    await turn();
    runs[0]?.fail();
    await turn();
    runs[1]?.end([]);
    await turn();
    runs[2]?.end();
    expect((await outcomes).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'fulfilled']);
  });
});
