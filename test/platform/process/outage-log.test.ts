// The throttle of lines about a store that fails.
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { OutageLog } from '../../../src/platform/process/outage-log.js';
import { until } from '../../support/processes.js';

const EVERY_MS = 400;

/** A log and its lines so far, such as `warn down 1` for one that was left out. */
function openLog() {
  const lines: string[] = [];
  const sink = new Writable({
    write(line, _encoding, done) {
      const { level, msg, leftOut, at } = JSON.parse(String(line));
      lines.push(
        [pino.levels.labels[level], msg, at, leftOut].filter(each => each != null).join(' '),
      );
      done();
    },
  });
  const log = pino({ level: 'debug' }, sink);
  return { lines, outage: new OutageLog(log, { failing: 'down', working: 'up' }, EVERY_MS) };
}

describe('the log of an outage', () => {
  it('has the first failure at once, the latest after the pause, and its end', async () => {
    const { lines, outage } = openLog();
    outage.succeeded();
    expect(lines).to.deep.equal([]);
    for (const at of ['a', 'b', 'c', 'd']) outage.failed({ at });
    expect(lines).to.deep.equal(['warn down a']);
    await until('the latest is logged', async () => lines.length > 1);
    expect(lines).to.deep.equal(['warn down a', 'warn down d 2']);
    outage.failed({ at: 'e' });
    outage.succeeded();
    outage.succeeded();
    expect(lines.slice(2)).to.deep.equal(['info up 1']);
  });

  it('only counts an outage that starts and ends within the pause', async () => {
    const { lines, outage } = openLog();
    const startedAt = performance.now();
    outage.failed({ at: 'a' });
    outage.succeeded();
    for (const at of ['b', 'c']) {
      outage.failed({ at });
      outage.succeeded();
    }
    expect(lines).to.deep.equal(['warn down a', 'info up']);
    await until('the pause is over', async () => performance.now() > startedAt + 2 * EVERY_MS);
    outage.failed({ at: 'd' });
    expect(lines.slice(2)).to.deep.equal(['warn down d 2']);
  });

  it('has an outage that lasts, although it started within the pause', async () => {
    const { lines, outage } = openLog();
    outage.failed({ at: 'a' });
    outage.succeeded();
    outage.failed({ at: 'b' });
    await until('it is logged', async () => lines.length > 2);
    expect(lines).to.deep.equal(['warn down a', 'info up', 'warn down b']);
  });
});
