// The samples that verify webhooks, run as the guide prints them, on vectors of Standard Webhooks.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { ROOT } from '../support/processes.js';
import { requireOrSkip } from '../support/suite.js';

const SAMPLES = join(ROOT, 'src/api-docs/samples');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const BODY = '{"test": 2432232314, "name": "Bücher"}';
const MAX_LINES = 25;

interface Language {
  readonly file: string;
  readonly program: string;
  /** The arguments of the program, which reads a JSON array of cases and prints one of booleans. */
  readonly args: (path: string) => readonly string[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  JavaScript: {
    file: 'verify-webhook.mjs',
    program: process.execPath,
    args: path => [
      '--input-type=module',
      '-e',
      `import { isFromTradepost } from ${JSON.stringify(path)};
       import { readFileSync } from 'node:fs';
       const cases = JSON.parse(readFileSync(0, 'utf8'));
       const isFrom = ({ secret, headers, body }) =>
         isFromTradepost(secret, headers, Buffer.from(body));
       console.log(JSON.stringify(cases.map(isFrom)));`,
    ],
  },
  Python: {
    file: 'verify_webhook.py',
    program: 'python3',
    args: () => [
      '-c',
      `import json, sys
sys.path.insert(0, ${JSON.stringify(SAMPLES)})
sys.dont_write_bytecode = True
from verify_webhook import is_from_tradepost
cases = json.loads(sys.stdin.buffer.read())
check = lambda c: is_from_tradepost(c["secret"], c["headers"], c["body"].encode())
print(json.dumps([check(each) for each in cases]))`,
    ],
  },
  PHP: {
    file: 'verify-webhook.php',
    program: 'php',
    args: path => [
      '-r',
      `require ${JSON.stringify(path)};
       $cases = json_decode(stream_get_contents(STDIN), true);
       $check = fn($c) => is_from_tradepost($c['secret'], $c['headers'], $c['body']);
       echo json_encode(array_map($check, $cases));`,
    ],
  },
};

const headersAt = (secondsFromNow: number, secrets: readonly string[] = [SECRET]) => {
  const at = new Date(Date.now() + secondsFromNow * 1_000);
  const signatures = secrets.map(secret => new Webhook(secret).sign(ID, at, BODY));
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
};

interface Case {
  readonly what: string;
  readonly isValid: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const cases = (): Case[] => {
  const valid = headersAt(0);
  const { 'webhook-signature': signature, ...unsigned } = valid;
  return [
    { what: 'valid', isValid: true, headers: valid },
    { what: 'four minutes old', isValid: true, headers: headersAt(-240) },
    { what: 'six minutes old', isValid: false, headers: headersAt(-360) },
    { what: 'six minutes ahead', isValid: false, headers: headersAt(360) },
    { what: 'one of two secrets', isValid: true, headers: headersAt(0, [OTHER, SECRET]) },
    { what: 'another secret', isValid: false, headers: headersAt(0, [OTHER]) },
    { what: 'another body', isValid: false, headers: valid, body: `${BODY} ` },
    { what: 'another id', isValid: false, headers: { ...valid, 'webhook-id': 'msg_2' } },
    { what: 'no signature', isValid: false, headers: unsigned },
    { what: 'no headers', isValid: false, headers: {} },
    {
      what: 'another version',
      isValid: false,
      headers: { ...valid, 'webhook-signature': signature.replace('v1', 'v2') },
    },
    {
      what: 'a timestamp that is not a number',
      isValid: false,
      headers: { ...valid, 'webhook-timestamp': 'now' },
    },
  ];
};

describe('the sample that verifies a webhook', () => {
  for (const [language, { file, program, args }] of Object.entries(LANGUAGES))
    describe(`in ${language}`, () => {
      const path = join(SAMPLES, file);

      it('accepts what is signed, and nothing else', function () {
        const isMissing = spawnSync(program, ['--version']).error !== undefined;
        requireOrSkip(this, !isMissing, `${program} is not installed: apt-get install ${program}`);
        const all = cases();
        const input = all.map(({ headers, body = BODY }) => ({ secret: SECRET, headers, body }));
        const { stdout, stderr } = spawnSync(program, args(path), {
          input: JSON.stringify(input),
          encoding: 'utf8',
        });
        expect(stderr).to.equal('');
        const verdicts = JSON.parse(stdout) as boolean[];
        const shown = all.map(({ what }, index) => `${what}: ${verdicts[index]}`);
        expect(shown).to.deep.equal(all.map(({ what, isValid }) => `${what}: ${isValid}`));
      });

      it(`has at most ${MAX_LINES} lines, and is in the guide`, async () => {
        const text = (await readFile(path, 'utf8')).trimEnd();
        expect(text.split('\n').length).to.be.at.most(MAX_LINES);
        const guide = await readFile(join(ROOT, 'src/api-docs/guides/webhooks.html'), 'utf8');
        const escaped = text
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;');
        expect(guide).to.include(escaped);
      });
    });
});
