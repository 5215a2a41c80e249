import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = new URL('../../', import.meta.url);
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), license: z.string().optional(), dev: z.boolean().optional(), link: z.boolean().optional() }),
  ),
});

it('lists every shipped package with its version and license (`npm run notices`)', async () => {
  const { packages } = Lock.parse(JSON.parse(await readFile(new URL('package-lock.json', ROOT), 'utf8')));
  const shipped = Object.entries(packages)
    .filter(([folder, { dev, link }]) => folder.includes('node_modules/') && dev !== true && link !== true)
    .map(([folder, { version, license }]) => `${folder.split('node_modules/').at(-1)} ${version} ${license}`);
  const rows = (await readFile(new URL('THIRD-PARTY-NOTICES.md', ROOT), 'utf8')).split('\n').filter((line) => line.startsWith('| '));
  const named = rows.slice(2).map((row) => row.split('|').slice(1, 4).join('').replaceAll(/\s+/g, ' ').trim());
  expect(shipped.length).toBeGreaterThan(50);
  expect([...new Set(named)].toSorted()).toEqual([...new Set(shipped)].toSorted());
});
