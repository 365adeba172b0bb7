// The secrets of endpoints: encryption at rest, and signatures that the standard's library accepts.
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { decrypt, encrypt } from '../../src/webhooks/secrets/encryption.js';
import { makeSecret, secretText, signatures } from '../../src/webhooks/secrets/signing.js';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(array => Buffer.from(array));
const key = bytes(32);

describe('the encryption of a secret', () => {
  it('gives back the bytes with the key, wherever it stands in the list', () => {
    fc.assert(
      fc.property(
        key,
        fc.array(key, { maxLength: 3 }),
        fc.nat(3),
        fc.uint8Array(),
        fc.string(),
        (own, others, place, plain, context) => {
          const keys = [...others.slice(0, place), own, ...others.slice(place)];
          const encrypted = encrypt([own, ...others], context, Buffer.from(plain));
          expect(decrypt(keys, context, encrypted)).to.deep.equal(Buffer.from(plain));
        },
      ),
    );
  });

  it('uses the newest key, and never the same text twice', () => {
    const [newer, older] = [randomBytes(32), randomBytes(32)];
    const secret = makeSecret();
    const encrypted = encrypt([newer, older], 'row', secret);
    expect(decrypt([older], 'row', encrypted)).to.equal(null);
    expect(decrypt([newer], 'row', encrypted)).to.deep.equal(secret);
    expect(encrypt([newer], 'row', secret)).not.to.deep.equal(encrypted);
    expect(encrypted.includes(secret)).to.equal(false);
  });

  it('opens with no other key, in no other row, and not after any change', () => {
    fc.assert(
      fc.property(
        key,
        key,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (own, other, at, change) => {
          fc.pre(!own.equals(other));
          const encrypted = encrypt([own], 'row 1', makeSecret());
          const changed = Buffer.from(encrypted);
          const index = at % changed.length;
          changed[index] = (changed[index] ?? 0) ^ change;
          expect(decrypt([other], 'row 1', encrypted)).to.equal(null);
          expect(decrypt([own], 'row 2', encrypted)).to.equal(null);
          expect(decrypt([own], 'row 1', changed)).to.equal(null);
          expect(decrypt([own], 'row 1', encrypted.subarray(0, index))).to.equal(null);
        },
      ),
    );
  });
});

describe('the signatures of a webhook', () => {
  it('are those of Standard Webhooks, for each secret', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.jsonValue(), fc.integer({ min: 1, max: 4 }), (id, value, count) => {
        const secrets = Array.from({ length: count }, makeSecret);
        const body = JSON.stringify(value);
        const sent = JSON.parse(body);
        const timestamp = Math.floor(Date.now() / 1000);
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signatures(secrets, { id, timestamp, body }),
        };
        for (const secret of secrets)
          expect(new Webhook(secretText(secret)).verify(body, headers)).to.deep.equal(sent);
        const forged = () => new Webhook(secretText(makeSecret())).verify(body, headers);
        expect(forged).to.throw('No matching signature');
      }),
    );
  });

  it('match the example of the specification', () => {
    const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    expect(signatures([secret], message)).to.equal(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('have secrets of 32 random bytes', () => {
    expect(secretText(makeSecret())).to.match(/^whsec_[A-Za-z\d+/]{43}=$/u);
    expect(secretText(makeSecret())).not.to.equal(secretText(makeSecret()));
  });
});
