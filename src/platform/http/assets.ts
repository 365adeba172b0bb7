// Static files of the site: read at first use, then served from memory. Their address contains a
// hash of all of them, so browsers may cache them for ever and still load those of a new release.
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { Problem } from '../errors.js';

/** For an address that changes with its content; the caller adds `public` or `private`. */
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
