// A company with a row in each table, made as its users and clients would.
import { expect } from 'chai';
import { makeCompleteCompany } from '../support/complete-company.js';
import { expectCompleteFeed } from '../support/feed.js';
import { makeStack, type Stack } from '../support/suite.js';

describe('the feed of a company that uses everything', () => {
  let stack: Stack;
  before(async () => {
    stack = await makeStack('postgres');
  });

  it('gives what the API shows, e-mails too', async () => {
    const company = await makeCompleteCompany(stack);
    const events = await expectCompleteFeed(stack, company);
    const sent = events.filter(({ type }) => type === 'email.sent');
    expect(sent).not.to.be.empty;
    for (const { data } of sent)
      expect(data).to.deep.equal((await company.get(`/emails/${data.id}`)).body);
  });
});
