// The parts of Markdown that the document's descriptions use: paragraphs, code, bold text and
// links. Everything else is text.
import type { ComponentChildren } from 'preact';

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/gu;

export function Markdown({ text }: { text: string }) {
  return (
    <>
      {text.split('\n\n').map(paragraph => (
        <p key={paragraph}>{inline(paragraph)}</p>
      ))}
    </>
  );
}

export function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold, link, href] = match;
    parts.push(text.slice(end, match.index), element({ code, bold, link, href }));
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

function element(match: Record<'code' | 'bold' | 'link' | 'href', string | undefined>) {
  const { code, bold, link = '', href = '' } = match;
  if (code !== undefined) return <code>{code}</code>;
  if (bold !== undefined) return <strong>{bold}</strong>;
  return <a href={href}>{inline(link)}</a>;
}
