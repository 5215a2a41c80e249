import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { names, operate } from '../support/operate.ts';

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  [folder] = await Promise.all([temporaryDirectory(), buildCommandLine()]);
});
afterAll(() => folder.remove());

describe.each(['signing', 'secret'] as const)('a file of %s keys', (kind) => {
  it('is made for nodes that only read theirs, and never over another', async () => {
    const file = join(folder.path, `made-${kind}.json`);
    const keys = (action: string) => operate(['keys', kind, action], { [`${kind.toUpperCase()}_KEY_FILE`]: file });
    const [made = ''] = await names(keys('make'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await keys('make')).toMatchObject({ status: 2, err: expect.stringContaining('cannot be made: it is there already') });
    expect(await names(keys('list'))).toEqual([made]);
  });
});
