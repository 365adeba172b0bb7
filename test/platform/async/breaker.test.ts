// Time limits, pauses before a retry, and the circuit breaker: the parts that need no store.
import { access } from 'node:fs/promises';
import { expect } from 'chai';
import { backOffMs, jittered } from '../../../src/platform/async/back-off.js';
import { Breaker } from '../../../src/platform/async/breaker.js';
import { orNullAfter, TimeoutError, withTimeout } from '../../../src/platform/async/timeout.js';
import { createLog } from '../../../src/platform/process/log.js';
import { ROOT, until } from '../../support/processes.js';

const never = () => new Promise<never>(() => undefined);
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    value => value,
    (error: Error) => error.message,
  );

describe('a pause before a retry', () => {
  it('doubles up to its maximum, and differs from one client to the next', () => {
    const pauses = (attempt: number) =>
      Array.from({ length: 200 }, () => backOffMs(attempt, 100, 1_000));
    for (const [attempt, base] of [
      [0, 100],
      [2, 400],
      [20, 1_000],
    ] as const) {
      const all = pauses(attempt);
      expect(Math.min(...all)).to.be.within(base * 0.5, base * 0.75);
      expect(Math.max(...all)).to.be.within(base * 1.25, base * 1.5);
    }
    expect(new Set(Array.from({ length: 50 }, () => jittered(100)))).to.have.length.above(40);
  });
});

describe('a time limit', () => {
  it('gives the outcome, or a TimeoutError', async () => {
    expect(await withTimeout(1_000, Promise.resolve(1))).to.equal(1);
    expect(await outcome(withTimeout(1_000, Promise.reject(new Error('no'))))).to.equal('no');
    const late = await withTimeout(20, never()).catch(error => error);
    expect(late).to.be.instanceOf(TimeoutError);
    expect([await orNullAfter(20, never), await orNullAfter(1_000, async () => 2)]).to.deep.equal([
      null,
      2,
    ]);
  });

  it('accepts an answer that arrived in time while the process was busy', async () => {
    const answer = withTimeout(
      20,
      access(ROOT).then(() => 'there'),
    );
    const busyUntil = performance.now() + 60;
    while (performance.now() < busyUntil);
    expect(await answer).to.equal('there');
  });
});

describe('a circuit breaker', () => {
  const makeBreaker = (ping: () => Promise<unknown>) =>
    new Breaker('the store', ping, createLog('test', 'silent'), () => undefined);

  it('fails calls at once after one timed out, until a ping is answered', async () => {
    let responds = false;
    const breaker = makeBreaker(async () => (responds ? 'pong' : never()));
    let calls = 0;
    const call = () =>
      breaker.call(20, () => {
        calls += 1;
        return responds ? Promise.resolve('done') : never();
      });
    expect(await outcome(call())).to.equal('no answer within 20 ms');
    expect([await outcome(call()), calls, breaker.isOpen]).to.deep.equal([
      'the store does not respond',
      1,
      true,
    ]);
    responds = true;
    await until('it is closed', async () => !breaker.isOpen);
    expect(await call()).to.equal('done');
  });

  it('stays closed for a slow store that keeps answering', async () => {
    const breaker = makeBreaker(never);
    const slow = outcome(breaker.call(40, never));
    await breaker.call(40, async () => 'another call');
    expect([await slow, breaker.isOpen]).to.deep.equal(['no answer within 40 ms', false]);
    await outcome(breaker.call(20, never));
    expect(breaker.isOpen).to.equal(true);
  });

  it('closes when the late answer arrives, and does not open for an error', async () => {
    const breaker = makeBreaker(never);
    let answer = (_value: string): void => undefined;
    const slow = breaker.call(20, () => new Promise<string>(resolve => (answer = resolve)));
    await outcome(slow);
    expect(breaker.isOpen).to.equal(true);
    answer('at last');
    await until('it is closed', async () => !breaker.isOpen, 100);
    await outcome(breaker.call(20, () => Promise.reject(new Error('refused'))));
    expect(breaker.isOpen).to.equal(false);
  });
});
