// The sources of the product as text, and the layers that they are in.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.js';

/** A file imports from its own place or from places above it. Names on one line are one place. */
const LAYERS = [
  'config',
  'platform',
  'embedded-postgres',
  'companies',
  'feed',
  'api-keys',
  'users',
  'jobs',
  'api',
  'emails',
  'rollups search',
  'imports',
  'inventory',
  'customers',
  'invoices',
  'ledger',
  'documents',
  'receivables',
  'customer-records',
  'write-kinds import-kinds',
  'events',
  'webhooks',
  'summary',
  'scheduled verify api-docs',
  'dashboard',
  'app',
  'web server start demo commands workers',
].map(line => line.split(' '));

export interface Source {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
}

export function readSources(): Source[] {
  return ['config', 'src', 'workers'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /(?<!\.d)\.tsx?$/u.test(name))
      .map(name => {
        const path = join(folder, name);
        return { path, text: readFileSync(join(ROOT, path), 'utf8') };
      }),
  );
}

/** The name of a file's place: src/jobs/routes.ts is in jobs, src/app.ts in app. */
export function sliceOf(path: string): string {
  return path.replace(/^src\//u, '').replace(/[/.].*$/u, '');
}

/** The index of a place's layer; -1 for an unknown one. */
export function layerOf(slice: string): number {
  return LAYERS.findIndex(layer => layer.includes(slice));
}
