// The programs that read documents back: they are other people's, so that they agree with the
// readers that users have.
import { spawnSync } from 'node:child_process';
import { requireOrSkip } from './suite.js';

const INSTALL = 'apt-get install qpdf poppler-utils libxml2-utils zbar-tools';

/** For tests: skips one whose program is missing, or fails with REQUIRE_ALL=1. */
export function requireProgram(context: Mocha.Context, program: string): void {
  const { status } = spawnSync('which', [program]);
  requireOrSkip(context, status === 0, `${program} is not installed: ${INSTALL}`);
}
