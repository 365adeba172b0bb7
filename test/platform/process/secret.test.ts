// The session secret: given, or generated once and readable by its owner only.
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { StartError } from '../../../src/platform/process/lifecycle.js';
import { loadSecret } from '../../../src/platform/process/secret.js';
import { temporaryDirectory } from '../../support/processes.js';

describe('the session secret', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => directory.remove());

  it('is SESSION_SECRET if set, and then nothing is stored', async () => {
    expect(await loadSecret('given', directory.path)).to.equal('given');
    expect(await readdir(directory.path)).to.deep.equal([]);
  });

  it('is generated once, the same for concurrent and later readers, and private', async () => {
    const data = join(directory.path, 'data');
    const secrets = await Promise.all(Array.from({ length: 8 }, () => loadSecret(undefined, data)));
    expect(new Set([...secrets, await loadSecret(undefined, data)]).size).to.equal(1);
    expect(secrets[0]).to.match(/^[\w-]{43}$/u);
    expect(await readdir(data)).to.deep.equal(['session-secret']);
    expect((await stat(join(data, 'session-secret'))).mode & 0o777).to.equal(0o600);
  });

  it('ends the start with a sentence if it cannot be stored', async () => {
    const file = join(directory.path, 'file');
    await writeFile(file, '');
    const error = await loadSecret(undefined, file).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    expect((error as Error).message).to.match(
      /^The session secret cannot be stored in DATA_DIR .*SESSION_SECRET/u,
    );
  });
});
