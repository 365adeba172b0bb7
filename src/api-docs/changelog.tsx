// The changelog as a page. It understands the Markdown that CHANGELOG.md uses: headings,
// paragraphs, lists, code blocks in them, and what markdown.tsx knows of a line. Anything else is
// shown as text.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderToString } from 'preact-render-to-string';
import { inline } from './reference/markdown.js';

// Like the guides, the file exists only beside the sources.
const FILE = fileURLToPath(new URL('../../../CHANGELOG.md', import.meta.url));

interface Block {
  readonly tag: 'h1' | 'h2' | 'h3' | 'p' | 'li';
  text: string;
  /** The code below the text. */
  code: string;
}

/** The content of the page as HTML, without the title of the file. */
export function changelogSection(markdown = readFileSync(FILE, 'utf8')): string {
  const blocks = readBlocks(markdown).filter(({ tag }) => tag !== 'h1');
  return blocks
    .map((block, index) => {
      const html = renderToString(<Block {...block} />);
      if (block.tag !== 'li') return html;
      const [before, after] = [blocks[index - 1]?.tag, blocks[index + 1]?.tag];
      return `${before === 'li' ? '' : '<ul>'}${html}${after === 'li' ? '' : '</ul>'}`;
    })
    .join('\n');
}

function Block({ tag: Tag, text, code }: Block) {
  // A version's heading is `[0.1.0] - 2026-12-01`, which needs no brackets without a link.
  const shown = Tag === 'h2' ? text.replace(/^\[(.*?)\]/u, '$1') : text;
  return (
    <Tag>
      {inline(shown)}
      {code !== '' && (
        <pre>
          <code>{code}</code>
        </pre>
      )}
    </Tag>
  );
}

function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let isCode = false;
  // Until an empty line, text continues the last block.
  let isOpen = false;
  for (const line of markdown.split('\n')) {
    const last = blocks.at(-1);
    const text = line.trim();
    if (text.startsWith('```')) isCode = !isCode;
    else if (isCode && last) last.code += `${last.code && '\n'}${line.replace(/^ {2}/u, '')}`;
    else if (isOpen && text !== '' && last && !/^(?:#|- )/u.test(line)) last.text += ` ${text}`;
    else if (text !== '') blocks.push(blockOf(text));
    isOpen = text !== '' && !text.startsWith('#');
  }
  return blocks;
}

function blockOf(text: string): Block {
  const [, marks = '', title = ''] = /^(#{1,3}|-) (.*)$/u.exec(text) ?? [];
  if (marks === '') return { tag: 'p', text, code: '' };
  const tag = marks === '-' ? 'li' : (`h${marks.length}` as 'h1' | 'h2' | 'h3');
  return { tag, text: title, code: '' };
}
