// Static files of the site: read once, then served from memory. Their address contains a hash of
// all of them, so browsers may cache them for ever and still load every file of a new release.
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type Router from '@koa/router';
import type { Middleware } from 'koa';

/** For an address that changes with its content; the caller adds `public` or `private`. */
export const FOREVER = 'max-age=31536000, immutable';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};
const HASH_LENGTH = 12;

export interface Assets {
  /** The address of a file. Throws for an unknown name. */
  path(name: string): string;
  /** Adds a route for every file, behind the given middleware. */
  addTo(router: Router, ...before: Middleware[]): void;
}

/** Files by name; served under `base`/HASH/name. */
export function createAssets(base: string, files: ReadonlyMap<string, Buffer>): Assets {
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  const folder = `${base}/${hash.digest('hex').slice(0, HASH_LENGTH)}`;
  return {
    path(name) {
      if (!files.has(name)) throw new Error(`there is no asset ${name}`);
      return `${folder}/${name}`;
    },
    addTo(router, ...before) {
      for (const [name, bytes] of files) {
        router.get(`${folder}/${name}`, ...before, ctx => {
          ctx.set({ 'Cache-Control': `public, ${FOREVER}`, Vary: 'Accept-Encoding' });
          ctx.type = contentType(name);
          ctx.body = bytes;
        });
      }
    },
  };
}

/** The media type of a file by its extension. */
export function contentType(fileName: string): string {
  return TYPES[extname(fileName)] ?? 'application/octet-stream';
}
