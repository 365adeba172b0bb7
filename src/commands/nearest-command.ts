// Names the command that an unknown one was probably meant to be.

/**
 * The known command with the fewest typos, with its words in either order or only the first one;
 * undefined if half of every command would be typos.
 */
export function nearestCommand(words: string, known: readonly string[]): string | undefined {
  const [noun = '', verb] = words.toLowerCase().split(' ');
  const orders = verb === undefined ? [noun] : [`${noun} ${verb}`, `${verb} ${noun}`];
  const [nearest] = known
    .map(command => {
      const meant = verb === undefined ? command.replace(/ .*/u, '') : command;
      const typos = Math.min(...orders.map(each => typosIn(each, meant)));
      return { command, share: typos / meant.length };
    })
    .filter(({ share }) => share <= 0.5)
    .sort((a, b) => a.share - b.share);
  return nearest?.command;
}

/** The Levenshtein distance: characters to insert, remove or replace. */
function typosIn(typed: string, meant: string): number {
  let row = Array.from({ length: meant.length + 1 }, (_, index) => index);
  for (const [index, character] of [...typed].entries()) {
    const next = [index + 1];
    for (let at = 0; at < meant.length; at += 1) {
      const replaced = (row[at] ?? 0) + (meant[at] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
