// Keeps the prose in plain English: phrases that were replaced must not return, and lines stay
// short. To fix a finding, write the sentence the way one would say it to a colleague: subject,
// verb, object.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from './support/processes.js';

const WHERE = ['src', 'workers', 'config', 'test', 'docs', '.ci', 'README.md', 'CHANGELOG.md'];
/** This list itself, and a file generated from the OpenAPI document. */
const EXCEPT = ['test/plain-english.test.ts', 'src/api-docs/client/tradepost.d.ts'];
const PROSE = /\.(tsx?|sql|html|md|css|yaml)$|^\.ci\//u;
const NARROW = /\.(tsx?|sql)$/u;
const MAX_COLUMNS = 100;

const UNIT = '(?:second|minute|hour|day|week|month|year)';
const COUNTED = '(?:requests|writes|reads|creates|invoices|movements|rows|jobs|calls|batches)';
const EACH = '(?:row|line|movement|entry|job|lookup|look-up|query|statement|index look-up)';

interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Text that the pattern finds. */
  readonly example: string;
}

const PHRASES: readonly Phrase[] = [
  { pattern: /\banew\b/iu, instead: 'again, or "new"', example: 'is begun anew' },
  {
    pattern: /\bwho(m)?ever\b/iu,
    instead: 'the caller, the client, the next worker …',
    example: 'Whoever is next goes on',
  },
  {
    // In quotes it is a name: the operating system's user "nobody".
    pattern: /(?<!['"])\b(some|no)body\b(?!['"])/iu,
    instead: 'the person or process that is meant',
    example: 'for somebody to come',
  },
  { pattern: /\btak(e|es|en|ing) on\b/iu, instead: 'accept', example: 'what was taken on' },
  { pattern: /\bby turns\b/iu, instead: 'in turn, alternately', example: 'asked by turns' },
  {
    pattern: /\bin hand\b/iu,
    instead: 'current, in progress',
    example: 'waits for the look in hand',
  },
  { pattern: /\brid(e|es|ing) together\b/iu, instead: 'share a batch', example: 'rides together' },
  {
    pattern: /\btell(s|ing)? of\b|\btold of\b/iu,
    instead: 'report, show',
    example: 'it tells of it',
  },
  {
    pattern: /\bstand(s|ing)? (once|twice|beside)\b/iu,
    instead: 'appears, is given',
    example: '"qty" stands twice',
  },
  {
    pattern: /\b(is|are|be|was|were) away\b/iu,
    instead: 'is unavailable',
    example: 'Redis is away',
  },
  { pattern: /\b(is|are|of) ours\b/iu, instead: 'our, or the owner', example: 'a fault of ours' },
  { pattern: /\bmend(s|ed|ing)?\b/iu, instead: 'fix, correct', example: 'Mend the key' },
  {
    pattern: /\bgo(es)? the \w+ way\b/iu,
    instead: 'name the step',
    example: 'goes the durable way',
  },
  { pattern: /\bthe durable way\b/iu, instead: 'persist', example: 'takes the durable way' },
  {
    pattern: /\bwhere it stays\b/iu,
    instead: 'if it keeps happening',
    example: 'Where it stays, ask',
  },
  {
    pattern: /\bnothing (was|is) promised\b/iu,
    instead: 'not accepted',
    example: 'nothing was promised',
  },
  {
    pattern: /^\s*(\/\/|\/\*\*?|\*|--) (What|Who|Whose|Whom)\b/u,
    instead: 'start with the subject',
    example: '// What a client sees is this',
  },
  {
    pattern: /\b(is|are) no (JSON|UUID|decimal|number|text|batch|link|part)\b/iu,
    instead: '"is not", as in "is not a UUID"',
    example: 'null if it is no UUID',
  },
  {
    pattern: new RegExp(String.raw`\b\d[\d,.]* an? ${UNIT}\b`, 'iu'),
    instead: '50 per second',
    example: '50 a second',
  },
  {
    pattern: new RegExp(String.raw`\b${COUNTED} an? ${UNIT}\b`, 'iu'),
    instead: 'requests per hour',
    example: 'requests an hour',
  },
  {
    pattern: new RegExp(String.raw`\b(one|an?) ${EACH} an? [a-z]+`, 'iu'),
    instead: 'one row per invoice',
    example: 'a row an invoice',
  },
];

/** Sentences that the patterns must accept. */
const FINE = [
  '256 on hand, as recommended',
  'The sweep runs once a second.',
  'The caller rolls back. Nobel sent an amendment.',
  '/** Whether the company has any invoice. */',
  'Select "What changed" in a row with a key',
  'This machine has no user "nobody".',
];

/**
 * A line, with the start of the next one: a phrase may be wrapped, and a comment's leader is no
 * word.
 */
function withNext(lines: readonly string[], index: number): string {
  const next = (lines[index + 1] ?? '').replace(/^\s*(\/\/|\*(?!\/)|--|#)?\s*/u, '');
  return `${lines[index]} ${next}`;
}

/** Each place where a phrase starts, as "line: phrase". */
function phrasesIn(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) =>
    PHRASES.flatMap(({ pattern, instead }) => {
      const match = pattern.exec(withNext(lines, index));
      return match && match.index < line.length
        ? [`${index + 1}: "${match[0].trim()}" (write: ${instead})`]
        : [];
    }),
  );
}

function wideLinesIn(text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const columns = [...line].length;
    return columns > MAX_COLUMNS && !line.includes('https://')
      ? [`${index + 1}: ${columns} columns (at most ${MAX_COLUMNS})`]
      : [];
  });
}

function filesBelow(path: string): string[] {
  const absolute = join(ROOT, path);
  if (!existsSync(absolute)) return [];
  if (!statSync(absolute).isDirectory()) return [path];
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' })
    .map(name => join(path, name))
    .filter(name => statSync(join(ROOT, name)).isFile());
}

const files = WHERE.flatMap(filesBelow).filter(path => PROSE.test(path) && !EXCEPT.includes(path));

/** Fails with every finding of `check`, as "file:line: finding". */
function expectNone(paths: readonly string[], advice: string, check: (text: string) => string[]) {
  const found = paths.flatMap(path =>
    check(readFileSync(join(ROOT, path), 'utf8')).map(finding => `${path}:${finding}`),
  );
  if (found.length > 0) expect.fail(`${advice} (${found.length}):\n${found.join('\n')}`);
}

describe('the prose', () => {
  it('has no phrase that plain English replaced', () => {
    expectNone(files, 'Rewrite these sentences', phrasesIn);
  });

  it(`has no source line over ${MAX_COLUMNS} columns`, () => {
    const narrow = files.filter(path => NARROW.test(path));
    expectNone(narrow, 'Wrap these lines', wideLinesIn);
  });

  it('is checked: each phrase is found, even across lines, and plain sentences pass', () => {
    for (const { pattern, example } of PHRASES)
      expect(phrasesIn(`First line.\n${example}`).join(), String(pattern)).to.match(/^2: /u);
    expect(phrasesIn('// It is taken\n  // on here.').join()).to.match(/^1: "taken on"/u);
    expect(phrasesIn(FINE.join('\n\n'))).to.deep.equal([]);
    const [fits, wide] = [MAX_COLUMNS, MAX_COLUMNS + 1].map(columns => 'x'.repeat(columns));
    expect(wideLinesIn(`${fits}\n${wide}`)).to.deep.equal(['2: 101 columns (at most 100)']);
  });
});
