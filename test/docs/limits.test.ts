import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SETTING_NAMES } from '#backend/config.ts';
import { LIMITS } from '#contract/limits.ts';

const ROOT = new URL('../../', import.meta.url);
const text = (path: string) => readFile(new URL(path, ROOT), 'utf8');

interface Row {
  readonly limit: string;
  readonly names: readonly string[];
  readonly tests: readonly string[];
}

async function table(): Promise<readonly Row[]> {
  const [, chapter = ''] = (await text('docs/operations.md')).split(/^## Limits$/m);
  const lines = (chapter.split(/^## /m)[0] ?? '').split('\n').filter((line) => /^\| (?!What|---)/.test(line));
  const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return lines.map((line) => {
    const [, limit = '', why = '', names, tests] = line.slice(2, -2).split(' | ');
    expect(why, line).not.toBe('');
    return { limit, names: quoted(names), tests: quoted(tests) };
  });
}

/** How a number may be written: as it is, in units of bytes, or of time. */
function written(value: number): string[] {
  const mebibytes = value / 1024 / 1024;
  const units = [
    [value.toLocaleString('en-US'), 1],
    [`${mebibytes} MiB`, mebibytes],
    [`${mebibytes / 1024} GiB`, mebibytes / 1024],
    [`${value / 1000} seconds`, value / 1000],
    [`${value / 60_000} minutes`, value / 60_000],
  ] as const;
  return units.filter(([, whole]) => Number.isInteger(whole)).map(([shown]) => shown);
}

it('the table of limits names every limit of the code and of the settings once, and nothing else', async () => {
  const bounds = SETTING_NAMES.filter((name) => /_LIMIT|^ORG_|RATE_|^VERSIONS_KEPT$|_TIME$/.test(name));
  const named = (await table()).flatMap(({ names }) => names);
  expect(named.toSorted()).toEqual([...Object.keys(LIMITS), ...bounds].toSorted());
});

it.each(Object.entries(LIMITS))('%s stands there with its value', async (name, value) => {
  const row = (await table()).find(({ names }) => names.includes(name));
  expect(written(value).some((shown) => new RegExp(`(?<![\\d,])${shown}(?![\\d,]*\\d)`).test(row?.limit ?? ''))).toBe(true);
});

it('every limit is named by a test of its row, and every test there is one of its limits', async () => {
  for (const { names, tests } of await table()) {
    const texts = await Promise.all(tests.map((path) => text(path)));
    const mentions = (source: string, name: string) => new RegExp(`\\b${name}\\b`).test(source);
    for (const name of names) expect([name, texts.some((source) => mentions(source, name))]).toEqual([name, true]);
    for (const [index, source] of texts.entries())
      expect([tests[index], names.some((name) => mentions(source, name))]).toEqual([tests[index], true]);
  }
});

/** Numbers that are named like bounds and are none of a tenant's, or refuse nothing. */
const OF_ITS_OWN: Readonly<Record<string, string>> = {
  'backend/storage': 'the database and its connections',
  'backend/checks/named-hosts.ts AT_ONCE': 'sites that are read at once',
  'backend/checks/named-hosts.ts READ_AT_ONCE': 'bytes that are read at once',
  'backend/domain/rollouts/permit-undo.ts AT_ONCE': 'sites that are read at once; the rest follow',
  'backend/domain/sites/list-sites.ts AT_ONCE': 'sites that are read at once',
  'backend/domain/sites/list-sites.ts READ_AT_ONCE': 'bytes that are read at once',
  'backend/domain/sites/list-sites.ts NAMES_AT_ONCE': 'names that are read at once',
  'backend/delivery/deliver.ts CACHE_LIMIT': 'what is kept ready; what has no room is made anew',
  'backend/http/rate-limit.ts MOST_BUCKETS': 'callers that are remembered',
  'backend/domain/sessions/device-pace.ts MOST_DEVICES': 'devices whose last question is remembered',
  'backend/domain/tally.ts MOST_KEYS': 'callers that are remembered',
  'backend/domain/orgs/asked-code-host.ts MOST_KNOWN': 'organizations that are remembered',
  'backend/http/client-address.ts LONGEST': 'characters of a header that are looked at',
  'backend/http/authoring/follow-redirects.ts LIMIT': 'redirects that are followed',
  'backend/http/request-log.ts LONGEST_USER': 'what a line of the log shows',
  'backend/http/malformed.ts LONGEST_PATH': 'what a line of the log shows',
  'backend/code/retry.ts LONGEST_PAUSE': 'between attempts',
  'backend/events/start-telling.ts ORGS_AT_ONCE': 'organizations that are looked at in one turn',
  'backend/events/mailer.ts TIMEOUT': 'of the own mail server',
  'backend/code/run-job.ts MAX_ROUNDS': 'looks at a branch that moves meanwhile',
  'backend/code/byogit/tree-answer.ts LONGEST_PIECE': 'of an answer whose size is bounded',
  'backend/code/byogit/byogit-snapshot.ts AT_ONCE': 'requests of one sync',
  'backend/object-storage/bucket-place.ts REMOVED_AT_ONCE': 'requests that remove what no branch serves',
  'backend/remote/code-sources/code-host-source.ts REFS_LIMIT': 'an answer of the code host, which the operator names',
  'backend/remote/code-sources/code-host-source.ts FILE_LIMIT': 'a file of which it matters that it is there',
  'backend/remote/code-sources/build-management-source.ts ANSWER_LIMIT': 'an answer of build management',
  'backend/composition/operations.ts AUTHOR_SIZE_LIMIT': 'an answer of an authoring system, which the operator names',
  'backend/code-remote.ts TIMEOUT': 'one request of a sync, whose time is bounded',
  'backend/build-management/content/read-content.ts BRANCH_WITHIN': 'what is shown meanwhile is the mirror',
  'backend/build-management/content/read-content.ts FILE_WITHIN': 'what is shown meanwhile is the mirror',
  'backend/build-management/git/objects.ts MOST_READERS': 'programs that stay for the next reader',
  'contract/repository-log.ts TOLD_AT_ONCE': 'entries of one call; the others follow',
  'backend/build-management/webhooks/read-payload.ts PARSED_AT_ONCE': 'larger events are parsed on a thread',
  'backend/build-management/webhooks/receive-webhook.ts LONGEST_ID': 'the name of an event',
  'backend/domain/code/github-webhook.ts LONGEST_ID': 'the name of an event',
  'backend/domain/jobs/begin-sync.ts MAX_ATTEMPTS': 'where others write at the same time',
  'backend/domain/audit/get-log.ts DEFAULT_LIMIT': 'of a page where nobody says how many',
  'backend/domain/code/code-source-cache.ts MOST_SOURCES': 'sources that a sentence names',
  'backend/domain/difference.ts LONGEST_POINTERS': 'beyond it a difference names the whole',
  'backend/checks/check-rounds.ts MAX_ATTEMPTS': 'where others write at the same time',
  'backend/checks/check-rounds.ts MOST_ORGS': 'looked at in one go; the others follow',
  'backend/checks/check-rounds.ts REPOSITORIES_AT_ONCE': 'of a page; the others follow',
  'backend/domain/rollouts/rollout-operations.ts MOST_SITES': 'of a page where nobody says how many',
  'backend/rollouts/start-rollouts.ts MOST_OPEN': 'looked at in one go; the others follow',
  'backend/tracing/recorded-tracing.ts LONGEST_VALUE': 'what a span shows',
  'backend/checks/list-checks.ts MOST_SITES': 'of a page where nobody says how many',
  'backend/checks/look-at-site.ts LONGEST': 'characters of what the service itself says',
  'backend/mcp/answer-assistant.ts SITES_AT_ONCE': 'sites that one call looks at together',
  'backend/mcp/own-fetch.ts MOST_CONNECTIONS': 'of the service to itself; others wait for one',
  'contract/names.ts HOST_LABEL_LIMIT': 'a rule of the names of hosts (RFC 1035)',
  'contract/plain-path.ts MOST_ROUNDS': 'decodings of a path of bounded length',
};

it('a number in the code that is named like a bound is in contract/limits.ts, or said to be none of a tenant’s', async () => {
  const files = (await Promise.all(['backend', 'contract'].map((folder) => sources(folder)))).flat();
  const found: string[] = [];
  for (const path of files) {
    for (const [, name] of (await text(path)).matchAll(
      /^(?:export )?const ((?:[A-Z]+_)*(?:LIMIT|MOST|LONGEST|MAX|AT_ONCE|WITHIN|TIMEOUT)(?:_[A-Z]+)*) = [\d(]/gm,
    ))
      found.push(path.startsWith('backend/storage/') ? 'backend/storage' : `${path} ${name}`);
  }
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(OF_ITS_OWN).toSorted());
});

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(new URL(`${folder}/`, ROOT), { recursive: true });
  return entries.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
}
