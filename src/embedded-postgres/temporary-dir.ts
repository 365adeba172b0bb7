// Directories that are built under a temporary name and renamed when complete, so that a crash or a
// race never leaves a partial one.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A sibling of `path` to build it in. `removeAbandoned` recognizes it as this process's. */
export function makeTemporaryName(path: string): string {
  return `${path}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Deletes the temporary siblings of `path` that dead processes left behind. */
export async function removeAbandoned(path: string): Promise<void> {
  for (const name of await fs.readdir(dirname(path))) {
    const pid =
      name.startsWith(`${basename(path)}.new-`) && Number(/\.new-(\d+)-\w+$/.exec(name)?.[1]);
    // If a program of the dead process still writes there, the next start deletes it.
    if (pid && !isAlive(pid))
      await fs.rm(join(dirname(path), name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Also true for a zombie and for another user's process. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Renames a finished temporary directory, or deletes it if another process was first. */
export async function moveIntoPlace(temporary: string, target: string): Promise<void> {
  await fs.rename(temporary, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await fs.rm(temporary, { recursive: true, force: true });
}
