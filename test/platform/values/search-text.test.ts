// The length of a search is counted in code points, as the limits of all fields are.
import { expect } from 'chai';
import { MAX_SEARCH_TEXT, searchText } from '../../../src/platform/values/search-text.js';

describe('searchText', () => {
  it('cuts a search after whole characters', () => {
    const longest = `${'a'.repeat(MAX_SEARCH_TEXT - 1)}😀`;
    expect(searchText(longest)).to.equal(longest);
    expect(searchText(`${longest}b`)).to.equal(longest);
  });

  it('returns an empty text for a search of spaces and for no search', () => {
    expect([searchText(' '), searchText(null)]).to.deep.equal(['', '']);
  });
});
