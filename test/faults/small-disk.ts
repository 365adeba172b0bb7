// A disk that can be filled without harming anything else: a tmpfs, if this user may mount one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Enough for the database and its log under some minutes of load. */
const SIZE = '2g';
const BALLAST = 'ballast';
const REMAINING_BYTES = 64 * 1024 * 1024;

export interface SmallDisk {
  fill(): void;
  free(): void;
  unmount(): void;
}

export function canMountSmallDisk(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'tradepost-disk-'));
  try {
    const mounted = mount(path).status === 0;
    if (mounted) spawnSync('umount', [path]);
    return mounted;
  } finally {
    rmdirSync(path);
  }
}

export function mountSmallDisk(path: string): SmallDisk {
  const { status, stderr } = mount(path);
  if (status !== 0) throw new Error(`cannot mount a tmpfs: ${stderr}`);
  const ballast = join(path, BALLAST);
  return {
    fill() {
      // Most at once, then until the disk is full, because Postgres writes meanwhile.
      const { bavail, bsize } = statfsSync(path);
      spawnSync('fallocate', [
        '-l',
        String(Math.max(0, bavail * bsize - REMAINING_BYTES)),
        ballast,
      ]);
      const chunk = Buffer.alloc(64 * 1024);
      try {
        for (;;) writeFileSync(ballast, chunk, { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => void spawnSync('umount', ['-l', path]),
  };
}

function mount(path: string): { status: number | null; stderr: string } {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', path], {
    encoding: 'utf8',
  });
}
