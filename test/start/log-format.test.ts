// The log of `npm start`.
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { lineFormat } from '../../src/start/log-format.js';

const EVENT = JSON.stringify({
  level: 50,
  time: '2026-11-20T10:00:00.000Z',
  type: 'web',
  pid: 7,
  err: { message: 'boom', stack: 'Error: boom\n    at a' },
  msg: 'failed',
});

describe('the log of npm start', () => {
  it('is readable on a terminal, with the process name before every line', () => {
    const format = lineFormat(true);
    const lines = stripVTControlCharacters(format('web', EVENT)).trimEnd().split('\n');
    expect(lines[0]).to.match(/^web {7}\| \[\d\d:\d\d:\d\d\.000\] ERROR: failed/u);
    expect(lines).to.have.length.above(1);
    for (const line of lines) expect(line).to.match(/^web {7}\| /u);
    expect(format('start', 'stopped')).to.equal('start     | stopped\n');
    expect(format('start', 'one\ntwo')).to.equal('start     | one\nstart     | two\n');
  });

  it('is one JSON line per event elsewhere, with other text as a message', () => {
    const format = lineFormat(false);
    expect(format('web', EVENT)).to.equal(`web       | ${EVENT}\n`);
    for (const text of ['(node:7) Warning: "old"', '{', 'one\ntwo', '']) {
      const line = format('worker', text);
      expect(line).to.match(/^worker {4}\| [^\n]+\n$/u);
      expect(JSON.parse(line.slice(line.indexOf('|') + 1))).to.include({
        type: 'worker',
        msg: text,
      });
    }
  });
});
