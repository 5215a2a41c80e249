import { JobStatus } from '@repoless/contract/job.ts';
import { readSiteAccess } from '@repoless/core/access/read-access.ts';
import { english } from '@repoless/core/messages/english.ts';
import { explainBlock, explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { explainCell, explainRow } from '@repoless/core/messages/explain-row.ts';
import { applyRows, planRows } from '@repoless/core/sites/apply-rows.ts';
import type { CellProblem } from '@repoless/core/sites/rows.ts';
import { readSituation } from '@repoless/core/plan/read-situation.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { apply, open, stateOf, writes } from './apply.ts';
import { chooseSites, type Chosen, openTree } from './choose-sites.ts';
import { ADA, type Person, startSetupWorld } from './setup-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const en = english['first-view'];
const sitesViews = english.sites;

const PAGE = '/content/summit';
const signal = new AbortController().signal;
const messages = { ...en, ...sitesViews };

const world = startBeforeAll(() => startSetupWorld({ sites: true, settings: { AUTHOR_TIMEOUT: '5' } }));
let ada: Person;
let chosen: Chosen;
beforeAll(async () => {
  ada = await world.person(ADA);
  const tree = await openTree(ada.ports, world.authorAddress(), (path) => /^\/content\/wknd(\/ch)?$/.test(path));
  chosen = await chooseSites(ada.ports, tree, ['/content/wknd/ch/fr']);
});
afterEach(async () => {
  await world.codeHost.fault({ mode: 'none' });
  await world.author.fault({ mode: 'none' });
});

const cells = (problems: readonly CellProblem[]) => problems.map(({ message }) => explainCell(messages, message)).join(' ');
const PRIVATE = /can’t read the repository wknd\/wknd: it is private, or it doesn’t exist\./;

/** The message about the code host, and the same problem in its sync's message. */
const CODE_HOST = [
  ['down', /Could not check \S+ on the code host: \S+ does not respond\./, /does not respond|unreachable|connection/i],
  ['unavailable', /code host \S+ answered 503 for /, /503/],
  ['limited', /code host \S+ answered 429 for /, /429/],
  ['forbidden', PRIVATE, /403/],
  ['unauthorized', PRIVATE, /401/],
] as const;

describe.each(CODE_HOST)('If the code host is %s', (mode, sentence, ofSync) => {
  it('the panel names it only at its repository, and a run writes nothing', async () => {
    await world.codeHost.fault({ mode });
    const opened = await open(ada, PAGE);
    const state = stateOf(opened.plan, 'repository');
    expect(state?.kind === 'blocked' ? explainBlock(en, state.reason, state.data).why : state).toMatch(sentence);
    expect(stateOf(opened.plan, 'register-site')).toMatchObject({ reason: 'earlier-step', data: { step: 'repository' } });
    const before = writes(ada.sent).length;
    const { result } = await apply(ada, PAGE, opened);
    expect(result).toMatchObject({ outcome: 'failed', step: sentence === PRIVATE ? 'repository' : 'read' });
    if (result.outcome === 'failed') expect(explainFailure(en, result.failure).sentence).toMatch(sentence);
    expect(writes(ada.sent).length).toBe(before);
  });

  it('the review of many sites and the run report the same', async () => {
    await world.codeHost.fault({ mode });
    const [reviewed] = await planRows(ada.ports, chosen.batch, chosen.rows, { signal });
    expect(cells(reviewed?.problems ?? [])).toMatch(sentence);
    const before = writes(ada.sent).length;
    const [row] = (await applyRows(ada.ports, chosen.batch, chosen.rows, { signal })).results;
    expect(row?.status.state === 'failed' ? explainRow(messages, row.status.problem).sentence : row?.status).toMatch(sentence);
    expect(writes(ada.sent).length).toBe(before);
  });

  it('a sync fails with the cause, and access can still be read', async () => {
    await world.codeHost.fault({ mode });
    expect((await world.backend.call('POST', '/code/wknd/harbour/main/*', { as: ADA })).status).toBe(202);
    await expect.poll(async () => (await job()).state, { timeout: 25_000 }).toBe('stopped');
    expect((await job()).error).toMatch(ofSync);
    expect(await readSiteAccess(ada.ports.service, 'wknd', 'harbour')).toMatchObject({ state: 'known' });
  });
});

const job = async () => JobStatus.parse((await world.backend.call('GET', '/job/wknd/harbour/main/code', { as: ADA })).json());

it('If the code host is slow, it is named after a few seconds', { timeout: 60_000 }, async () => {
  await world.codeHost.fault({ mode: 'slow', delay: 600_000 });
  const state = stateOf((await open(ada, PAGE)).plan, 'repository');
  expect(state?.kind === 'blocked' ? explainBlock(en, state.reason, state.data).why : state).toMatch(
    /Could not check \S+ on the code host: \S+ did not respond in time\./,
  );
});

it('If the authoring system is slow, a read names it, without a word about writes', { timeout: 90_000 }, async () => {
  await world.author.fault({ mode: 'slow', delay: 600_000 });
  const read = await readSituation(ada.ports, PAGE);
  expect(read.state === 'failed' ? explainFailure(en, read.failure).sentence : read).toMatch(
    /^The authoring system did not respond within 5 seconds\.$/,
  );
});

/** What a review says about the site if the authoring system has this problem. */
const AUTHORING = [
  ['down', /^The authoring system cannot be reached: \S+ does not respond\./],
  ['unavailable', /^The authoring system is not available right now \(status 503\)\./],
  ['forbidden', /^You don’t have permission to read or change this in the authoring system\./],
  ['unauthorized', /^The authoring system no longer accepts your sign-in\./],
  ['limited', /^The authoring system receives too many requests \(status 429\)\. It asks to wait 1 second\./],
  ['alternatives', /^The authoring system has too many resources there to list at once \(status 300\)\./],
] as const;

describe.each(AUTHORING)('If the authoring system is %s', (mode, sentence) => {
  it('the review of many sites names it, and access can still be read', async () => {
    await world.author.fault({ mode });
    const [reviewed] = await planRows(ada.ports, chosen.batch, chosen.rows, { signal });
    const reported = reviewed?.problems.map(({ message }) => sentenceOf(message)) ?? [];
    expect(reported.join(' ')).toMatch(sentence);
    expect(await readSiteAccess(ada.ports.service, 'wknd', 'harbour')).toMatchObject({ state: 'known' });
  });
});

function sentenceOf(message: CellProblem['message']): string {
  const failure: Failure | undefined =
    'failure' in message ? message.failure : message.kind === 'problem' ? message.problem.failure : undefined;
  return failure === undefined ? explainCell(messages, message) : explainFailure(en, failure).sentence;
}
