// Turns: few per key, few in all, and a bounded number of callers that wait.
import { expect } from 'chai';
import { NoTurn, Turns } from '../../../src/platform/async/turns.js';

describe('turns', () => {
  const limits = { running: 2, perKey: 1, waitingPerKey: 2, waiting: 3, waitMs: 1_000 };
  const openTurns = (changes: Partial<typeof limits> = {}) => {
    const turns = new Turns({ ...limits, ...changes });
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const take = (name: string) =>
      turns.run(name.charAt(0), async () => {
        started.push(name);
        await new Promise<void>(resolve => ends.set(name, resolve));
        return name;
      });
    const end = async (name: string) => {
      ends.get(name)?.();
      await new Promise(resolve => setImmediate(resolve));
    };
    return { take, end, started };
  };

  it('go to one caller per key and to few keys at a time, in order', async () => {
    const { take, end, started } = openTurns();
    const all = Promise.all(['a1', 'a2', 'b1', 'c1'].map(take));
    await end('nothing yet');
    expect(started).to.deep.equal(['a1', 'b1']);
    await end('b1');
    expect(started, 'a has its turn').to.deep.equal(['a1', 'b1', 'c1']);
    await end('a1');
    expect(started).to.deep.equal(['a1', 'b1', 'c1', 'a2']);
    await end('a2');
    await end('c1');
    expect(await all).to.deep.equal(['a1', 'a2', 'b1', 'c1']);
  });

  it('go to the key with the fewest turns first, up to the limit of a key', async () => {
    const { take, end, started } = openTurns({
      running: 3,
      perKey: 2,
      waitingPerKey: 9,
      waiting: 9,
    });
    const all = Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(take));
    await end('nothing yet');
    expect(started).to.deep.equal(['a1', 'a2', 'b1']);
    await end('a1');
    expect(started.at(-1), 'c has no turn yet').to.equal('c1');
    await end('c1');
    expect(started.at(-1), 'a and b have one turn each, and one of a has ended').to.equal('b2');
    for (const name of ['a2', 'b1', 'b2', 'a3', 'a4']) await end(name);
    await all;
    expect(started).to.have.length(7);
  });

  it('go to each key once before any key has another one', async () => {
    const { take, end, started } = openTurns({ running: 1, waitingPerKey: 9, waiting: 9 });
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2'];
    const all = Promise.all(names.map(take));
    for (let turn = 0; turn < names.length; turn += 1) await end(started.at(-1) ?? '');
    expect(started).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3']);
    await end('b3');
    await all;
  });

  it('can be shorter to wait for, and a key is busy until its last caller has gone', async () => {
    const turns = new Turns(limits);
    let end: () => void = () => undefined;
    const first = turns.run('a', () => new Promise<void>(resolve => (end = resolve)));
    expect([turns.isBusy('a'), turns.isBusy('b')]).to.deep.equal([true, false]);
    const late = turns.run('a', async () => undefined, 10).catch((error: unknown) => error);
    expect(await late).to.be.instanceOf(NoTurn);
    end();
    await first;
    expect(turns.isBusy('a')).to.equal(false);
  });

  it('are refused at once if too many callers wait, of one key or of all', async () => {
    const { take, end } = openTurns();
    const refusal = (name: string) => take(name).catch((error: NoTurn) => error.isOwn);
    const taken = ['a1', 'a2', 'a3', 'b1', 'b2'].map(take);
    expect(await refusal('a4')).to.equal(true);
    expect(await refusal('c1')).to.equal(false);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) await end(name);
    await Promise.all(taken);
  });

  it('are refused after a while, and pass on from work that fails', async () => {
    const { take, end, started } = openTurns({ waitMs: 20 });
    const first = take('a1');
    const late = await take('a2').catch((error: unknown) => error);
    expect(late).to.be.instanceOf(NoTurn);
    await end('a1');
    await first;
    const turns = new Turns(limits);
    const failed = turns.run('a', () => Promise.reject(new Error('failed')));
    const next = turns.run('a', async () => 'next');
    expect(await failed.catch((error: Error) => error.message)).to.equal('failed');
    expect(await next).to.equal('next');
    expect(started).to.deep.equal(['a1']);
  });
});
