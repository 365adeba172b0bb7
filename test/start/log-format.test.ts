// The log of `npm start`.
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { lineFormat } from '../../src/start/log-format.js';

/** The escape sequence that starts dim text. */
const DIM = '\u001B[2m';
const EVENT_AT = '2026-11-20T10:00:00.000Z';
const EVENT = JSON.stringify({
  level: 50,
  time: EVENT_AT,
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

  it('leads with method, path, status and time of a request on a terminal, and dims ids', () => {
    const format = lineFormat(true);
    const request = { requestId: 'r-1', companyId: 'c-1', method: 'GET', route: '/invoices' };
    const told = (fields: object) =>
      format(
        'web',
        JSON.stringify({
          level: 30,
          time: EVENT_AT,
          type: 'web',
          pid: 7,
          ...fields,
          msg: 'request',
        }),
      );
    const line = told({ ...request, status: 200, ms: 45.2 });
    const [, ids = ''] = line.split(DIM);
    expect(ids).to.match(/^requestId=r-1 companyId=c-1 \d\d:\d\d:\d\d\.000/u);
    expect(stripVTControlCharacters(line)).to.match(
      /^web {7}\| GET \/invoices 200 45 ms requestId=r-1 companyId=c-1 \d\d:\d\d:\d\d\.000\n$/u,
    );
    const refused = told({ ...request, status: 409, code: 'invalid_state', ms: 0.4 });
    expect(stripVTControlCharacters(refused)).to.match(
      /^web {7}\| GET \/invoices 409 0 ms invalid_state requestId=r-1 /u,
    );
    const unknown = told({ ...request, route: 'none', status: 404, ms: 1 });
    expect(stripVTControlCharacters(unknown)).to.match(/\| GET \(unknown path\) 404 1 ms /u);
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
