// The secret that signs cursors: from the environment, else made once and kept in the data directory, so that every
// process on this machine has the same one.
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function loadSecret(given: string | undefined, dataDir: string): Promise<string> {
  if (given !== undefined) return given;
  const path = join(dataDir, 'session-secret');
  const kept = await read(path);
  if (kept !== null) return kept;
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  // A hard link fails where another process was first: then theirs counts.
  await link(draft, path).catch(() => undefined);
  await rm(draft);
  return (await read(path)) ?? loadSecret(given, dataDir);
}

async function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
