// Ids that the product makes.
import { expect } from 'chai';
import { validate, version } from 'uuid';
import { isUuid, newId } from '../../../src/platform/values/ids.js';

describe('a new id', () => {
  it('is a UUIDv7 that begins with its time in milliseconds', () => {
    const before = Date.now();
    const ids = Array.from({ length: 1_000 }, newId);
    const after = Date.now();
    for (const id of ids) {
      expect(validate(id) && isUuid(id)).to.equal(true);
      expect(version(id)).to.equal(7);
      const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
      expect(time).to.be.within(before, after);
    }
    expect(new Set(ids)).to.have.property('size', ids.length);
  });
});
