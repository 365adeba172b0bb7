// The examples of the OpenAPI document are answers of the service. With RECORD=1 the test writes
// their files.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { tellStory } from './story.js';

const FOLDER = join(ROOT, 'src/api-docs/examples');
const RECORD = 'RECORD=1 npx mocha dist/test/api-docs/examples.test.js';

describeMode('postgres', 'the examples of the OpenAPI document', stack => {
  it(`are the answers of the service: if not, run \`${RECORD}\``, async () => {
    const files = await tellStory(stack());
    if (process.env.RECORD === '1')
      for (const [id, text] of files) await writeFile(join(FOLDER, `${id}.json`), text);
    const names = (await readdir(FOLDER)).map(name => name.replace('.json', ''));
    expect(names).to.have.members([...files.keys()]);
    for (const [id, text] of files)
      expect(JSON.parse(text), id).to.deep.equal(
        JSON.parse(await readFile(join(FOLDER, `${id}.json`), 'utf8')),
      );
  });
});
