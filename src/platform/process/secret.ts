// The secret that signs cursors: from the environment, else made once and kept in the data directory, so that every
// process on this machine has the same one.
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from './lifecycle.js';

/** Throws StartError where it can neither be read nor kept. */
export async function loadSecret(given: string | undefined, dataDir: string): Promise<string> {
  if (given !== undefined) return given;
  try {
    return await readOrCreate(join(dataDir, 'session-secret'), async () =>
      randomBytes(32).toString('base64url'),
    );
  } catch (error) {
    const reason = (error as Error).message;
    throw new StartError(
      `The session secret cannot be kept in DATA_DIR (${reason}): set SESSION_SECRET or another DATA_DIR.`,
    );
  }
}

/** What the file holds; where there is none, what `make` gives, kept for its owner's eyes alone. The first one made counts. */
export async function readOrCreate(path: string, make: () => Promise<string>): Promise<string> {
  const kept = await read(path);
  if (kept !== null) return kept;
  await keep(path, await make());
  return readFile(path, 'utf8');
}

/** Whole or not at all: a reader never sees half of it, and of two processes the first one's counts. */
async function keep(path: string, content: string): Promise<void> {
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
