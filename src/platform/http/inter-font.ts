// Inter, the variable font of every page, from its package. Latin and Latin Extended suffice, because the pages are in English and names in another
// script use the system's font.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The part that every page uses, for a preload. */
export const LATIN_FONT = 'inter-latin-wght-normal.woff2';
const SUBSETS = ['inter-latin-ext-wght-normal', 'inter-latin-wght-normal'];

export interface Font {
  /** The @font-face rules, for a stylesheet in the folder of the files. */
  readonly css: Buffer;
  readonly files: ReadonlyMap<string, Buffer>;
}

export function interFont(): Font {
  const stylesheet = createRequire(import.meta.url).resolve('@fontsource-variable/inter/wght.css');
  const folder = join(dirname(stylesheet), 'files');
  const faces = readFileSync(stylesheet, 'utf8')
    .split(/(?=\/\* inter-)/u)
    .filter(face => SUBSETS.some(subset => face.startsWith(`/* ${subset} */`)))
    .map(face => face.replace('./files/', ''));
  if (faces.length !== SUBSETS.length) throw new Error("Inter's stylesheet has an unknown form");
  const files = SUBSETS.map(subset => `${subset}.woff2`);
  return {
    css: Buffer.from(faces.join('')),
    files: new Map(files.map(name => [name, readFileSync(join(folder, name))])),
  };
}
