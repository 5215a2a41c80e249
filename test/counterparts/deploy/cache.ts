import { join } from 'node:path';

/** The folder into which `npm run fetch:deploy` puts programs, schemas and Debian. */
export const CACHE = new URL('../../../node_modules/.cache/deploy/', import.meta.url).pathname;
export const ROOT = new URL('../../../', import.meta.url).pathname;
export const DEPLOY = join(ROOT, 'deploy');
