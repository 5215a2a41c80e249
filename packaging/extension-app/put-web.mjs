// App Builder's hook `build-static`: the web files are already built and are deployed unchanged, with the hashes that build.json lists.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

const [source = '', dist = ''] = process.argv.slice(2);
for (const name of ['web-prod', 'web-dev']) {
  await rm(join(dist, name), { recursive: true, force: true });
  await cp(source, join(dist, name), { recursive: true });
}
