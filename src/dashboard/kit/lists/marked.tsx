// A text with the words of a search marked, so that people see why a row was found.
import { foldText } from '../../../platform/values/folded-text.js';

export function Marked({ text, q }: { text: string; q: string | null }) {
  if (q === null) return <>{text}</>;
  return (
    <>
      {markedParts(text, q).map(({ part, isMarked }, index) =>
        isMarked ? <mark key={index}>{part}</mark> : part,
      )}
    </>
  );
}

/** The text in parts, without regard to case and accents. */
export function markedParts(text: string, q: string): { part: string; isMarked: boolean }[] {
  const letters = [...text];
  // Folded, a letter may become two. `places` has the letter of each folded one.
  const places: number[] = [];
  let folded = '';
  for (const [at, letter] of letters.entries()) {
    const plain = /\s/u.test(letter) ? ' ' : foldText(letter);
    folded += plain;
    for (const _ of plain) places.push(at);
  }
  const marked = new Set<number>();
  for (const word of foldText(q).split(' ').filter(Boolean))
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
      for (const place of places.slice(at, at + word.length)) marked.add(place);
  const parts: { part: string; isMarked: boolean }[] = [];
  for (const [at, letter] of letters.entries()) {
    const last = parts.at(-1);
    const isMarked = marked.has(at);
    if (last?.isMarked === isMarked) last.part += letter;
    else parts.push({ part: letter, isMarked });
  }
  return parts;
}
