// The secret that signs cursors, form tokens and flashes: SESSION_SECRET, or else one that is
// generated once and stored in DATA_DIR, so that all processes on this machine share it.
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from './lifecycle.js';

/** Throws StartError if the secret can be neither read nor stored. */
export async function loadSecret(given: string | undefined, dataDir: string): Promise<string> {
  if (given !== undefined) return given;
  try {
    return await readOrCreate(join(dataDir, 'session-secret'), async () =>
      randomBytes(32).toString('base64url'),
    );
  } catch (error) {
    const reason = (error as Error).message;
    throw new StartError(
      `The session secret cannot be stored in DATA_DIR (${reason}). ` +
        'Set SESSION_SECRET, or another DATA_DIR.',
    );
  }
}

/**
 * The file's content. A missing file is created with the result of `generate`, readable by its
 * owner only; if several processes create it at once, all of them return the first one's content.
 */
export async function readOrCreate(path: string, generate: () => Promise<string>): Promise<string> {
  const stored = await read(path);
  if (stored !== null) return stored;
  await store(path, await generate());
  return readFile(path, 'utf8');
}

/** Links a complete draft into place: readers never see a partial file, and the first one wins. */
async function store(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content, { mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
}

async function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
