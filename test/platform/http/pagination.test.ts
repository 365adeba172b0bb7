// Cursors: opaque, the same for the same page, and of one company's list.
import { expect } from 'chai';
import { createCursors } from '../../../src/platform/http/pagination.js';

describe('a cursor', () => {
  const pager = createCursors('a secret of the tests', undefined);
  const position = ['2026-11-20', '4711'];

  it('reveals nothing of its position', () => {
    const bytes = Buffer.from(pager.cursor('company', 'list', position), 'base64url');
    for (const encoding of ['utf8', 'latin1', 'hex', 'utf16le'] as const)
      expect(bytes.toString(encoding)).to.not.match(/2026|4711/u);
  });

  it('is the same for the same page, and differs by company, list and position', () => {
    const cursors = [
      pager.cursor('company', 'list', position),
      pager.cursor('company', 'list', [...position]),
      pager.cursor('company', 'other list', position),
      pager.cursor('other company', 'list', position),
      pager.cursor('company', 'list', ['2026-11-20', '4712']),
    ];
    expect(cursors[0]).to.equal(cursors[1]);
    expect(new Set(cursors).size).to.equal(4);
    expect(new Set(cursors.map(cursor => cursor.slice(0, 16))).size).to.equal(4);
  });

  it('is read by its own list only, also when lists share a position', () => {
    const [one, other] = ['list', 'other list'].map(list =>
      pager.cursor('company', list, position),
    );
    expect(pager.position('company', 'list', one)).to.deep.equal(position);
    expect(pager.position('company', 'other list', other)).to.deep.equal(position);
    const sameSecret = createCursors('a secret of the tests', 'https://example.org');
    expect(sameSecret.position('company', 'list', one)).to.deep.equal(position);
    const refused = [
      () => pager.position('company', 'list', other),
      () => pager.position('other company', 'list', one),
      () => createCursors('another secret', undefined).position('company', 'list', one),
    ];
    for (const read of refused) expect(read).to.throw('This cursor was not issued by this list.');
  });

  it('is refused if any of its characters is changed, added or missing', () => {
    const cursor = pager.cursor('company', 'list', position);
    const changed = Array.from(cursor, (character, at) => {
      const other = character === 'A' ? 'B' : 'A';
      return cursor.slice(0, at) + other + cursor.slice(at + 1);
    });
    const cut = Array.from(cursor, (_, at) => cursor.slice(0, at));
    for (const wrong of [...changed, ...cut, `${cursor}A`, `${cursor}=`])
      expect(() => pager.position('company', 'list', wrong), wrong).to.throw(
        'not issued by this list',
      );
  });
});
