// Expensive reads in turns, whose results callers share while the read waits for its turn.
import { expect } from 'chai';
import { SharedTurns } from '../../../src/platform/async/shared-turns.js';
import { NoTurn } from '../../../src/platform/async/turns.js';
import { until } from '../../support/processes.js';

describe('shared turns', () => {
  const limits = { running: 2, waitingPerKey: 1, waiting: 9, waitMs: 5_000 };
  const openTurns = () => {
    const turns = new SharedTurns(limits);
    const running: { name: string; end: (result: string) => void; fail: (error: Error) => void }[] =
      [];
    let count = 0;
    const read = (key: string, what: string) =>
      turns.run(key, what, () => {
        count += 1;
        const name = `${key} ${what} ${count}`;
        return new Promise<string>((end, fail) => running.push({ name, end, fail }));
      });
    const begun = async (length: number) => {
      await until(`${length} reads have begun`, async () => running.length >= length);
      return running.map(({ name }) => name);
    };
    return { read, running, begun };
  };

  it('give one result to all who ask before it is read, and none to later ones', async () => {
    const { read, running, begun } = openTurns();
    const first = read('a', 'x');
    await begun(1);
    const shared = [read('a', 'x'), read('a', 'x'), read('a', 'x')];
    running[0]?.end('old');
    expect(await begun(2)).to.deep.equal(['a x 1', 'a x 2']);
    const later = read('a', 'x');
    running[1]?.end('new');
    expect(await begun(3)).to.have.length(3);
    running[2]?.end('newest');
    const results = await Promise.all([first, ...shared, later]);
    expect(results).to.deep.equal(['old', 'new', 'new', 'new', 'newest']);
  });

  it('share nothing between keys or between different reads of a key', async () => {
    const { read, running, begun } = openTurns();
    const reads = [read('a', 'x'), read('b', 'x')];
    expect(await begun(2)).to.deep.equal(['a x 1', 'b x 2']);
    reads.push(read('a', 'y'));
    for (const { end, name } of running.splice(0)) end(name);
    expect(await begun(1)).to.deep.equal(['a y 3']);
    running[0]?.end('y');
    expect(await Promise.all(reads)).to.deep.equal(['a x 1', 'b x 2', 'y']);
  });

  it('reject all who wait for a read that fails, and read again for the next one', async () => {
    const { read, running, begun } = openTurns();
    const first = read('a', 'x');
    await begun(1);
    const shared = [read('a', 'x'), read('a', 'x')];
    running[0]?.end('ok');
    await begun(2);
    running[1]?.fail(new Error('lost'));
    const ends = await Promise.allSettled([first, ...shared]);
    expect(ends.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'rejected']);
    const next = read('a', 'x');
    await begun(3);
    running[2]?.end('again');
    expect(await next).to.equal('again');
  });

  it('refuse different reads beyond the number that may wait', async () => {
    const { read, running, begun } = openTurns();
    const first = read('a', 'x');
    await begun(1);
    const waiting = read('a', 'y');
    const refused = await read('a', 'z').catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(NoTurn);
    running[0]?.end('x');
    await begun(2);
    running[1]?.end('y');
    expect(await Promise.all([first, waiting])).to.deep.equal(['x', 'y']);
    const again = read('a', 'z');
    await begun(3);
    running[2]?.end('z');
    expect(await again).to.equal('z');
  });

  it('hand out a shared result one by one, with room for others in between', async () => {
    const { read, running, begun } = openTurns();
    const first = read('a', 'x');
    await begun(1);
    const order: string[] = [];
    const answer = async () => {
      await read('a', 'x');
      const startedAt = performance.now();
      while (performance.now() < startedAt + 5);
      order.push('answer');
      setImmediate(() => order.push('other work'));
    };
    const answers = [answer(), answer(), answer()];
    running[0]?.end('old');
    await begun(2);
    running[1]?.end('new');
    await Promise.all([first, ...answers]);
    expect(order.slice(0, 5)).to.deep.equal([
      ...['answer', 'other work', 'answer', 'other work', 'answer'],
    ]);
  });
});
