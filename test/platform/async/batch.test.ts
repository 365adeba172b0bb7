// Natural batching: items that arrive while a run is in flight share the next run.
import { expect } from 'chai';
import { Batcher, type BatchOptions } from '../../../src/platform/async/batch.js';
import { until } from '../../support/processes.js';

/** A batcher whose runs end on demand and return each item doubled. */
const makeBatcher = (options: BatchOptions<number>) => {
  const runs: { items: number[]; end: (error?: Error) => void }[] = [];
  const batcher = new Batcher<number, number>(
    items =>
      new Promise((resolve, reject) => {
        runs.push({
          items,
          end: error => (error ? reject(error) : resolve(items.map(item => item * 2))),
        });
      }),
    options,
  );
  return { batcher, runs, sizes: () => runs.map(({ items }) => items) };
};
const nextTurn = () => new Promise(resolve => setImmediate(resolve));

describe('a batcher', () => {
  it('runs a single item at once', async () => {
    const { batcher, runs } = makeBatcher({ maxSize: 10, maxInFlight: 1 });
    const result = batcher.submit(4);
    await nextTurn();
    expect(runs).to.have.length(1);
    runs[0]?.end();
    expect(await result).to.equal(8);
  });

  it('collects later items in order, at most maxSize per run', async () => {
    const { batcher, runs, sizes } = makeBatcher({ maxSize: 3, maxInFlight: 1 });
    const first = batcher.submit(0);
    await nextTurn();
    const rest = [1, 2, 3, 4].map(item => batcher.submit(item));
    await nextTurn();
    expect(sizes()).to.deep.equal([[0]]);
    runs[0]?.end();
    await first;
    expect(sizes()).to.deep.equal([[0], [1, 2, 3]]);
    runs[1]?.end();
    await rest[2];
    expect(sizes()).to.deep.equal([[0], [1, 2, 3], [4]]);
    runs[2]?.end();
    expect(await Promise.all(rest)).to.deep.equal([2, 4, 6, 8]);
  });

  it('has at most maxInFlight runs at a time', async () => {
    const { batcher, runs, sizes } = makeBatcher({ maxSize: 1, maxInFlight: 2 });
    const results = [1, 2, 3].map(item => batcher.submit(item));
    await nextTurn();
    expect(sizes()).to.deep.equal([[1], [2]]);
    runs[1]?.end();
    await results[1];
    expect(sizes()).to.deep.equal([[1], [2], [3]]);
  });

  it('starts a second run beside another one only with enough items', async () => {
    const { batcher, runs, sizes } = makeBatcher({
      maxSize: 3,
      maxInFlight: 2,
      beside: { from: 3, afterMs: 10_000 },
    });
    const results = [1, 2, 3].map(item => batcher.submit(item));
    await nextTurn();
    for (const item of [4, 5]) results.push(batcher.submit(item));
    await nextTurn();
    expect(sizes()).to.deep.equal([[1, 2, 3]]);
    results.push(batcher.submit(6));
    await nextTurn();
    expect(sizes()).to.deep.equal([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    results.push(batcher.submit(7));
    runs[0]?.end();
    await results[0];
    await nextTurn();
    expect(sizes()).to.have.length(2);
    runs[1]?.end();
    await results[5];
    expect(sizes()[2]).to.deep.equal([7]);
    runs[2]?.end();
    expect(await Promise.all(results)).to.deep.equal([2, 4, 6, 8, 10, 12, 14]);
  });

  it('starts a second run beside a slow one', async () => {
    const { batcher, runs, sizes } = makeBatcher({
      maxSize: 3,
      maxInFlight: 2,
      beside: { from: 3, afterMs: 20 },
    });
    const first = batcher.submit(1);
    await nextTurn();
    const second = batcher.submit(2);
    await nextTurn();
    expect(sizes()).to.deep.equal([[1]]);
    await until('the second run starts', async () => sizes().length === 2);
    for (const { end } of runs) end();
    expect(await Promise.all([first, second])).to.deep.equal([2, 4]);
  });

  it('limits a run to maxWeight, and runs a heavier item alone', async () => {
    const { batcher, runs, sizes } = makeBatcher({
      maxSize: 10,
      maxInFlight: 9,
      maxWeight: 10,
      weightOf: item => item,
    });
    for (const item of [4, 6, 1, 50, 2]) void batcher.submit(item);
    await nextTurn();
    expect(sizes()).to.deep.equal([[4, 6], [1], [50], [2]]);
    for (const { end } of runs) end();
  });

  it('limits the sizes of the items of a run, and runs a larger item alone', async () => {
    const { batcher, runs, sizes } = makeBatcher({
      maxSize: 10,
      maxInFlight: 9,
      beside: { from: 5, afterMs: 10_000 },
      sizeOf: item => item,
    });
    for (const item of [4, 6, 1, 50, 2]) void batcher.submit(item);
    await nextTurn();
    expect([sizes(), batcher.waiting]).to.deep.equal([[[4, 6], [1], [50]], 2]);
    void batcher.submit(3);
    await nextTurn();
    expect(sizes()[3]).to.deep.equal([2, 3]);
    for (const { end } of runs) end();
  });

  it('gives owners turns, so that many items of one do not delay an item of another', async () => {
    const ownerOf = (item: number) => (item < 100 ? 'many' : String(item));
    const { batcher, runs, sizes } = makeBatcher({ maxSize: 20, maxInFlight: 1, ownerOf });
    for (let item = 0; item < 50; item += 1) void batcher.submit(item);
    await nextTurn();
    void batcher.submit(100);
    void batcher.submit(101);
    runs[0]?.end();
    await nextTurn();
    // The first run was the owner's alone; it has given its part of the second one last.
    expect(sizes()[1]?.slice(0, 5)).to.deep.equal([20, 21, 100, 101, 22]);
    expect(sizes()[1]).to.have.length(20);
    runs[1]?.end();
    await nextTurn();
    expect(sizes()[2]).to.deep.equal(Array.from({ length: 12 }, (_, at) => 38 + at));
  });

  it('ends a turn by weight, and begins the next run with the next owner', async () => {
    const owners = 'aab';
    const { batcher, runs, sizes } = makeBatcher({
      ...{ maxSize: 100, maxInFlight: 1, maxWeight: 50 },
      weightOf: item => (item < 10 ? 30 : 1),
      ownerOf: item => owners[item % 3] ?? '',
    });
    // The first owner has two heavy items, the other one seven light items.
    for (const item of [0, 3, 11, 14, 17, 20, 23, 26, 29]) void batcher.submit(item);
    await nextTurn();
    expect(sizes()[0]).to.deep.equal([0, 11, 14, 17, 20, 23]);
    runs[0]?.end();
    await nextTurn();
    expect(sizes()[1]).to.deep.equal([3, 26, 29]);
  });

  it('rejects every item of a failed run and continues with the next run', async () => {
    const { batcher, runs } = makeBatcher({ maxSize: 2, maxInFlight: 1 });
    const results = [1, 2, 3].map(item =>
      batcher.submit(item).catch((error: Error) => error.message),
    );
    await nextTurn();
    runs[0]?.end(new Error('no'));
    expect(await Promise.all(results.slice(0, 2))).to.deep.equal(['no', 'no']);
    runs[1]?.end();
    expect(await results[2]).to.equal(6);
  });

  it('rejects a run that does not return one result per item', async () => {
    const batcher = new Batcher<number, number>(async () => [], { maxSize: 2, maxInFlight: 1 });
    const reason = await batcher.submit(1).catch((error: Error) => error.message);
    expect(reason).to.equal('a run of 1 items returned 0 results');
  });

  it('is drained when no item waits or runs', async () => {
    const { batcher, runs } = makeBatcher({ maxSize: 1, maxInFlight: 1 });
    await batcher.drained();
    void batcher.submit(1);
    void batcher.submit(2);
    await nextTurn();
    let drained = false;
    const draining = batcher.drained().then(() => {
      drained = true;
    });
    runs[0]?.end();
    await nextTurn();
    expect(drained).to.equal(false);
    runs[1]?.end();
    await draining;
    expect(batcher.waiting).to.equal(0);
  });

  it('starts the next run before an item whose result is a promise is done', async () => {
    const ends: (() => void)[] = [];
    const batcher = new Batcher<number, number>(
      async ([item = 0]) => [new Promise(resolve => ends.push(() => resolve(item * 2)))],
      { maxSize: 1, maxInFlight: 1 },
    );
    const results = [batcher.submit(1), batcher.submit(2)];
    await until('both runs have ended', async () => ends.length === 2);
    for (const end of ends) end();
    expect(await Promise.all(results)).to.deep.equal([2, 4]);
  });
});
