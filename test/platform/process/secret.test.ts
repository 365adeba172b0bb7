// The session secret: given, or generated once and readable by its owner only.
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { StartError } from '../../../src/platform/process/lifecycle.js';
import { loadSecret } from '../../../src/platform/process/secret.js';
import { temporaryDirectory } from '../../support/processes.js';

const development = (dataDir: string) => ({
  sessionSecret: undefined,
  dataDir,
  development: true,
});

describe('the session secret', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => directory.remove());

  it('is SESSION_SECRET if set, and then nothing is stored', async () => {
    expect(await loadSecret({ ...development(directory.path), sessionSecret: 'given' })).to.equal(
      'given',
    );
    expect(await readdir(directory.path)).to.deep.equal([]);
  });

  it('is generated once, the same for concurrent and later readers, and private', async () => {
    const data = join(directory.path, 'data');
    const secrets = await Promise.all(
      Array.from({ length: 8 }, () => loadSecret(development(data))),
    );
    expect(new Set([...secrets, await loadSecret(development(data))]).size).to.equal(1);
    expect(secrets[0]).to.match(/^[\w-]{43}$/u);
    expect(await readdir(data)).to.deep.equal(['session-secret']);
    expect((await stat(join(data, 'session-secret'))).mode & 0o777).to.equal(0o600);
  });

  it('is not generated unless NODE_ENV names development or test', async () => {
    const deployed = { ...development(directory.path), development: false };
    const error = await loadSecret(deployed).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    expect((error as Error).message).to.match(/^SESSION_SECRET is not set\. .*NODE_ENV/u);
    expect(await readdir(directory.path)).to.deep.equal([]);
  });

  it('ends the start with a sentence if it cannot be stored', async () => {
    const file = join(directory.path, 'file');
    await writeFile(file, '');
    const error = await loadSecret(development(file)).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    expect((error as Error).message).to.match(
      /^The session secret cannot be stored in DATA_DIR .*SESSION_SECRET/u,
    );
  });
});
