// Static files of the site: read at first use, then served from memory. Their address contains a
// hash of all of them, so browsers may cache them for ever and still load a new release's files.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { Problem } from '../errors.js';

/** Cache-Control of an address that changes with its content. The caller adds its visibility. */
export const FOREVER = 'max-age=31536000, immutable';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const HASH_LENGTH = 12;

export interface Assets {
  /** The address of a file. Throws for an unknown name. */
  path(name: string): string;
  /** Adds the route of the files, behind the given middleware. */
  addTo(router: Router, ...before: Middleware[]): void;
}

/** Files by name, loaded at first use and served under `base`/HASH/name. */
export function createAssets(base: string, load: () => ReadonlyMap<string, Buffer>): Assets {
  let loaded: ReturnType<typeof withAddresses> | undefined;
  const files = () => {
    loaded ??= withAddresses(base, load());
    return loaded;
  };
  return {
    path(name) {
      const path = files().paths.get(name);
      if (path === undefined) throw new Error(`there is no asset ${name}`);
      return path;
    },
    addTo(router, ...before) {
      router.get(`${base}/*path`, ...before, ctx => {
        ctx.state.isAsset = true;
        const bytes = files().byPath.get(ctx.path);
        if (bytes === undefined) throw new Problem('not_found', 'There is no such file.');
        ctx.set({ 'Cache-Control': `public, ${FOREVER}`, Vary: 'Accept-Encoding' });
        ctx.type = contentType(ctx.path);
        ctx.body = bytes;
      });
    },
  };
}

function withAddresses(base: string, files: ReadonlyMap<string, Buffer>) {
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  const folder = `${base}/${hash.digest('hex').slice(0, HASH_LENGTH)}`;
  return {
    paths: new Map([...files.keys()].map(name => [name, `${folder}/${name}`])),
    byPath: new Map([...files].map(([name, bytes]) => [`${folder}/${name}`, bytes])),
  };
}

/** The media type of a file by its extension. */
export function contentType(fileName: string): string {
  return TYPES[extname(fileName)] ?? 'application/octet-stream';
}

/** The part that every page uses, for a preload. */
export const LATIN_FONT = 'inter-latin-wght-normal.woff2';
const SUBSETS = ['inter-latin-ext-wght-normal', 'inter-latin-wght-normal'];

export interface Font {
  /** The @font-face rules, for a stylesheet in the folder of the files. */
  readonly css: Buffer;
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Inter, the variable font of every page, from its package. Latin and Latin Extended suffice: the
 * pages are in English, and names in another script use the system's font.
 */
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
