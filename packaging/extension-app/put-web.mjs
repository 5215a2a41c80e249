// Hook `build-static` of App Builder: the web files are built already, and go out as they are, with the hashes that build.json names.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

const [source = '', dist = ''] = process.argv.slice(2);
for (const name of ['web-prod', 'web-dev']) {
  await rm(join(dist, name), { recursive: true, force: true });
  await cp(source, join(dist, name), { recursive: true });
}
