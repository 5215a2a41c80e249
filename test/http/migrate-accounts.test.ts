import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { startCodeHostOfFiles } from '../support/code-host-of-files.ts';
import { lineOf, PROPERTIES } from '../support/older-projects.ts';

let codeHost: Awaited<ReturnType<typeof startCodeHostOfFiles>>;
let backend: TestBackend;
beforeAll(async () => {
  const files = PROPERTIES.flatMap(({ files: own }, index) =>
    Object.entries(own).map(([name, text]) => [`wknd/p${index}/${name}`, text] as const),
  );
  codeHost = await startCodeHostOfFiles(new Map(files));
  backend = await startTestBackend({ settings: { CODE_HOST_RAW: codeHost.address } });
});
afterAll(async () => {
  await backend.stop();
  await codeHost.stop();
});

it.each(PROPERTIES.map((property, index) => [property.title, property, index] as const))(
  'a site that is taken from its repository accounts for %s',
  async (_, property, index) => {
    const call = (method: string, query = '') =>
      backend.call(method, `/config/wknd/sites/p${index}.json?migrate=true${query}`, { as: OPERATOR });
    const proposed = await call('GET');
    const tried = await call('PUT', '&dryRun=true');
    expect([proposed.status, tried.status]).toEqual([200, 200]);
    const { warnings = [] } = tried.json() as { warnings?: string[] };
    expect(proposed.headers['x-warning'] ?? '').toBe(warnings.join(' '));
    // A text has no lines of its own.
    const isWhole = property.name === property.file;
    const place = isWhole ? `${property.file}: ` : `${property.file}, line ${lineOf(property)}: `;
    const told = warnings.filter((sentence) => sentence.startsWith(place));
    if (property.migrated === 'named') return expect(told).toEqual([expect.stringContaining(isWhole ? 'left out' : property.name)]);
    expect(proposed.text).toContain(property.value);
    expect(told).toEqual([]);
    // What is stored is what was proposed.
    const stored = await call('POST');
    expect([stored.status, stored.text]).toEqual([201, expect.stringContaining(property.value)]);
    // A content root is one site's.
    await backend.call('DELETE', `/config/wknd/sites/p${index}.json`, { as: OPERATOR });
  },
);
