// Where webhooks may go: the rules for URLs and for addresses.
import { expect } from 'chai';
import fc from 'fast-check';
import { Problem } from '../../src/platform/errors.js';
import { AddressRanges, isPublic } from '../../src/webhooks/target/addresses.js';
import { checkUrl } from '../../src/webhooks/target/check-url.js';
import { type NameServer, startNameServer } from '../support/name-server.js';

const PUBLIC = '93.184.215.14';
const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';

const REFUSED = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1'],
  'link-local': ['169.254.169.254', 'fe80::1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  broadcast: ['255.255.255.255', '240.0.0.1'],
  'IPv4-mapped': ['::ffff:8.8.8.8', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8'],
  NAT64: ['64:ff9b::808:808', '64:ff9b::7f00:1', '64:ff9b:1::1'],
  '6to4': ['2002:808:808::1', '2002:7f00:1::'],
  Teredo: ['2001:0:53aa::1'],
  'site-local': ['fec0::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1'],
  benchmarking: ['198.18.0.1', '2001:2::1'],
  unassigned: ['4000::1', '8000::1', '5f00::1'],
};

describe('an address', () => {
  for (const [kind, addresses] of Object.entries(REFUSED))
    it(`is not public if it is ${kind}`, () => {
      for (const address of addresses) expect(isPublic(address), address).to.equal(false);
    });

  it('is public otherwise', () => {
    const others = ['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.1', '172.32.0.1'];
    for (const address of [PUBLIC, PUBLIC_V6, '2a00:1450:4001:81b::200e', ...others])
      expect(isPublic(address), address).to.equal(true);
  });

  it('is in a range of the operator by its bits, and an IPv4 range has no IPv6 address', () => {
    const ranges = new AddressRanges(['10.0.0.0/8', 'fd00::/8']);
    fc.assert(
      fc.property(fc.ipV4(), address => {
        expect(ranges.includes(address)).to.equal(address.startsWith('10.'));
        expect(ranges.includes(`::ffff:${address}`)).to.equal(false);
      }),
    );
    expect(ranges.includes('fd12::1')).to.equal(true);
    expect(ranges.includes('fe80::1')).to.equal(false);
    expect(new AddressRanges([]).includes('127.0.0.1')).to.equal(false);
  });
});

describe('the URL of an endpoint', () => {
  let names: NameServer;
  before(async () => {
    names = await startNameServer(name => (name in HOSTS ? (HOSTS[name] ?? null) : []));
  });

  const HOSTS: Record<string, readonly string[] | null> = {
    'shop.example': [PUBLIC, PUBLIC_V6],
    'v6.example': [PUBLIC_V6],
    'inside.example': ['10.1.2.3'],
    'inside-v6.example': [PUBLIC, 'fd00::1'],
    'mixed.example': [PUBLIC, '10.1.2.3'],
    'metadata.example': ['169.254.169.254'],
    'silent.example': null,
    'xn--bcher-kva.example': [PUBLIC],
  };

  const check = async (url: string, ranges: readonly string[] = []): Promise<string> => {
    const rules = { ranges: new AddressRanges(ranges), nameServers: [names.address] };
    try {
      return await checkUrl(url, rules);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return error.details.errors?.[0]?.code ?? error.code;
    }
  };

  const refused: [what: string, url: string][] = [
    ['no URL', 'shop.example/hooks'],
    ['empty', ''],
    ['http', 'http://shop.example/hooks'],
    ['of another scheme', 'ftp://shop.example/'],
    ['over 2,000 characters', `https://shop.example/${'a'.repeat(1_980)}`],
    ['over 2,000 characters once it is encoded', `https://shop.example/${'ü'.repeat(1_000)}`],
    ['a literal address', `https://${PUBLIC}/`],
    ['a literal address in another notation', 'https://0x5db8d70e/'],
    ['a literal IPv6 address', `https://[${PUBLIC_V6}]/`],
    ['a literal loopback address', 'https://127.0.0.1:8443/'],
    ['with a user', 'https://ann@shop.example/'],
    ['with a password', 'https://:secret@shop.example/'],
    ['with a fragment', 'https://shop.example/#top'],
    ['with an empty fragment', 'https://shop.example/#'],
    ['with a low port', 'https://shop.example:22/'],
    ['with port 80', 'https://shop.example:80/'],
    ['with port 1023', 'https://shop.example:1023/'],
    ['http at localhost', 'http://localhost:3001/'],
  ];
  for (const [what, url] of refused)
    it(`is refused as invalid_url if it is ${what}`, async () => {
      expect(await check(url)).to.equal('invalid_url');
    });

  it('is stored in the form of the WHATWG', async () => {
    const stored: Record<string, string> = {
      'https://SHOP.example': 'https://shop.example/',
      'https://shop.example:443/a/../b?x=1': 'https://shop.example/b?x=1',
      'https://shop.example:1024/': 'https://shop.example:1024/',
      'https://v6.example:8443/hooks': 'https://v6.example:8443/hooks',
      'https://bücher.example/ü': 'https://xn--bcher-kva.example/%C3%BC',
    };
    for (const [url, href] of Object.entries(stored)) expect(await check(url), url).to.equal(href);
  });

  it('is refused as private_address if one of its addresses is not public', async () => {
    for (const host of ['inside', 'inside-v6', 'mixed', 'metadata'])
      expect(await check(`https://${host}.example/`), host).to.equal('private_address');
    expect(await check('https://localhost/')).to.equal('private_address');
    expect(await check('https://localhost.:8443/')).to.equal('private_address');
  });

  it('is accepted if its host cannot be found, after 3 s if no name server answers', async () => {
    expect(await check('https://missing.example/')).to.equal('https://missing.example/');
    const startedAt = performance.now();
    expect(await check('https://silent.example/')).to.equal('https://silent.example/');
    expect(performance.now() - startedAt).to.be.within(2_900, 8_000);
    expect(await check('http://missing.example/')).to.equal('invalid_url');
  });

  it('may be a literal, http and of any port in the ranges of the operator', async () => {
    const ranges = ['127.0.0.0/8', '10.0.0.0/8'];
    for (const url of [
      'http://127.0.0.1:80/',
      'https://127.0.0.1:22/',
      'http://localhost/',
      'https://localhost:22/',
      'http://inside.example:8080/',
      'https://inside.example:22/',
      'https://inside.example/',
      'https://mixed.example/',
    ]) {
      const { href } = new URL(url);
      expect(await check(url, ranges), url).to.equal(href);
    }
    expect(await check('http://mixed.example/', ranges)).to.equal('invalid_url');
    expect(await check('http://shop.example/', ranges)).to.equal('invalid_url');
    expect(await check('http://192.168.0.1/', ranges)).to.equal('invalid_url');
    expect(await check('https://metadata.example/', ranges)).to.equal('private_address');
  });

  it('looks up no literal and not localhost', async () => {
    names.questions.splice(0);
    await check('http://127.0.0.1/', ['127.0.0.0/8']);
    await check('http://localhost/', ['::1/128']);
    expect(names.questions).to.deep.equal([]);
  });
});
