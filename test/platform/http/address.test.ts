// The network address that refused keys are counted by.
import { expect } from 'chai';
import { httpUrl, isLoopback, networkOf } from '../../../src/platform/http/address.js';

describe("a client's address", () => {
  it('counts whole in IPv4, even mapped into IPv6 or with a port added by a proxy', () => {
    for (const text of ['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.9:4711'])
      expect(networkOf(text), text).to.equal('203.0.113.9');
  });

  it('counts by its /64 in IPv6, in any notation', () => {
    for (const text of [
      '2001:db8:0:1::1',
      '2001:0DB8:0000:0001:ffff:0:0:9',
      '[2001:db8:0:1::2]:443',
    ])
      expect(networkOf(text), text).to.equal('2001:db8:0:1::/64');
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0::/64');
    expect(networkOf('2001:db8:0:2::1')).not.to.equal(networkOf('2001:db8:0:1::1'));
    expect(networkOf('::1')).to.equal('0:0:0:0::/64');
  });

  it('is null if a proxy forwarded other text', () => {
    for (const text of ['', 'unknown', '1.2.3', "'; DROP TABLE", '::g', 'a'.repeat(5_000)])
      expect(networkOf(text), text.slice(0, 20)).to.equal(null);
  });

  it('is loopback only in 127.0.0.0/8 and as ::1', () => {
    expect(
      ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '::2', '128.0.0.1'].map(isLoopback),
    ).to.deep.equal([true, true, true, false, false, false]);
  });

  it('is in brackets in a URL if it is IPv6', () => {
    for (const host of ['::1', '::', '2001:db8::1'])
      expect(httpUrl(host, 3000)).to.equal(`http://[${host}]:3000`);
    for (const host of ['127.0.0.1', 'localhost'])
      expect(httpUrl(host, 3000)).to.equal(`http://${host}:3000`);
  });
});
