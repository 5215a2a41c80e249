import { allEndpoints, partEndpointId } from '@repoless/contract/endpoints.ts';
import { SITE_PART_NAMES } from '@repoless/contract/site.ts';
import { OWN_CALLS } from '@repoless/service/hosted/own-calls.ts';
import { DIFFERENCES } from './hosted-differences.ts';
import { UNENFORCED_RULES } from '@repoless/upstream/rules.ts';
import { OPERATIONS } from '@repoless/upstream/operations.ts';
import { expect, it } from 'vitest';

const INTRODUCTION = `Every call of the [contract](contract.md), and how it differs if the [command line works on the vendor's hosted service](command-line.md#on-the-vendors-hosted-service)
or the [service runs in front of it](operations.md#in-front-of-the-vendors-hosted-service). The calls of the parts of a site or profile share one row.`;

const PARTS = new Set(
  (['Site', 'Profile'] as const).flatMap((owner) =>
    SITE_PART_NAMES.flatMap((part) => (['get', 'set', 'remove'] as const).map((operation) => partEndpointId(owner, part, operation))),
  ),
);
const OWN: readonly string[] = OWN_CALLS;
const OWN_ANSWER = 'answered by the service in front of it';
const NOT_OFFERED = 'not available: refused with `NOT_OFFERED`';

it('docs/hosted-service.md describes each call on the hosted service: if not, run "npm run docs"', async () => {
  const rows = allEndpoints().flatMap(([id, row]) => {
    const isPart = PARTS.has(id);
    if (isPart && !row.path.endsWith('/content.json')) return [];
    const path = isPart ? row.path.replace('content.json', '<part>.json') : row.path;
    const difference =
      id in OPERATIONS
        ? (DIFFERENCES[isPart ? 'parts' : id] ?? DIFFERENCES[row.method === 'GET' ? 'reads' : 'writes'])
        : OWN.includes(id)
          ? OWN_ANSWER
          : NOT_OFFERED;
    return [`| \`${row.method} ${path}\` | ${row.summary.replaceAll('content of', 'a part of')} | ${difference} |`];
  });
  const page = [
    '# The hosted service, call by call\n',
    `${INTRODUCTION}\n`,
    '| Call | What it does | On the hosted service |\n|---|---|---|',
    ...rows,
    '\n## Rules that the hosted service does not enforce\n',
    'Your own service refuses these.\n',
    ...Object.values(UNENFORCED_RULES).map((rule) => `- ${rule}`),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot(new URL('../../docs/hosted-service.md', import.meta.url).pathname);
});

it('names only existing calls', () => {
  const known = new Set([...allEndpoints().map(([id]) => id), 'reads', 'writes', 'parts']);
  expect(Object.keys(DIFFERENCES).filter((id) => !known.has(id))).toEqual([]);
});
