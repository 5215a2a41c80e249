import { RepositoryStatus } from '@repoless/contract/build-management.ts';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { Problem } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { LRUCache } from 'lru-cache';
import type { CodeRequest, CodeSources, RepositoryAvailability } from '../code/rules/ports.ts';
import { createFairShare } from '../domain/fair-share.ts';
import { readJson } from '../domain/documents.ts';
import { type CodeHostSource, deadline } from './code-host.ts';
import { type Remote, RemoteFailure } from './remote.ts';

interface CodeSourceServices {
  readonly codeHost: CodeHostSource;
  readonly buildManagement: BuildManagement;
  /** For build management: its address is the operator's own and may be internal. */
  readonly remote: Remote;
  now(): Date;
}

/** Found repositories are cached for a moment: many sites of one repository check it once. */
export function createCodeSources({ codeHost, buildManagement, remote, now }: CodeSourceServices): CodeSources {
  const external = buildManagementSource(remote, buildManagement);
  const found = new LRUCache<string, number>({ max: REMEMBERED });
  const queries = createFairShare(QUERIES);

  const sourceOf = ({ type }: CodeRequest) => (type === 'github' ? codeHost : external);
  const remember = <A extends RepositoryAvailability>(request: CodeRequest, availability: A): A => {
    if (isUsable(availability)) found.set(keyOf(request), now().getTime() + LASTING);
    else found.delete(keyOf(request));
    return availability;
  };

  return {
    repository: (request) => queries.run(request.org, async () => remember(request, await sourceOf(request).repository(request))),
    probe: (request, branch) => queries.run(request.org, async () => remember(request, await sourceOf(request).probe(request, branch))),
    head: (request, branch, signal) => queries.run(request.org, () => codeHost.head(request, branch, signal)),
    wasFound: (request) => (found.get(keyOf(request)) ?? 0) > now().getTime(),
  };
}

function isUsable({ repository, state = 'READY' }: RepositoryAvailability): boolean {
  return repository === 'unchecked' || (repository === 'found' && state === 'READY');
}

/** Names on the code host are case-insensitive, and belong to no organization. */
function keyOf({ org, type, owner, repo, url }: CodeRequest): string {
  return type === 'github' ? `${owner}/${repo}`.toLowerCase() : JSON.stringify([org, owner, repo, url]);
}

/** Each makes several requests to another system. */
const QUERIES = {
  atOnce: LIMITS.codeSourceQueriesAtOnce,
  perShare: LIMITS.codeSourceQueriesPerOrg,
  waitingPerShare: 100,
  waiting: 1000,
  workName: 'checks of repositories',
};
const LASTING = 10_000;
const REMEMBERED = 1000;

interface BuildManagement {
  readonly address: string | undefined;
  readonly key: SealedValue | undefined;
}

/** External repositories: those of the service's own build management can be queried, for others only their sync shows. */
export function buildManagementSource(remote: Remote, { address, key }: BuildManagement): Pick<CodeSources, 'repository' | 'probe'> {
  /** Returns the answer; an availability if it is unreachable, or has no such repository. */
  async function queryHost(
    { org, owner, repo, url, rawUrl }: CodeRequest,
    timeLeft: () => number,
    branch?: string,
  ): Promise<AvailabilityAnswer> {
    if (address === undefined || (url !== undefined && !isAt(address, url))) {
      const detail = url === undefined ? codeSentence('buildsNotSetUp') : codeSentence('buildsNotQueried', { host: new URL(url).host });
      return { availability: { repository: 'unchecked', detail } };
    }
    if (rawUrl !== undefined && !isAt(address, rawUrl)) {
      return { availability: { repository: 'missing', detail: codeSentence('buildsRawUrl', { url: url ?? address, rawUrl }) } };
    }
    const place = `${owner}/${repo}`;
    if (key === undefined) return unreachable(codeSentence('buildsKeyMissing', { place }));
    const query = branch === undefined ? '' : `?branch=${encodeURIComponent(branch)}`;
    try {
      const { status, body } = await remote.send({
        method: 'GET',
        url: `${address}/repository-status/${[org, owner, repo].map(encodeURIComponent).join('/')}${query}`,
        base: `${address}/repository-status/`,
        continuesTrace: true,
        headers: { authorization: key.use((value) => `Bearer ${value}`) },
        timeout: timeLeft(),
        sizeLimit: ANSWER_LIMIT,
      });
      if (status === 404) {
        const detail = codeSentence('externalUnknown', { repository: repo, program: owner, org });
        return { availability: { repository: 'missing', detail } };
      }
      if (status === 401) return unreachable(codeSentence('buildsKeyRefused'));
      const answer = readJson(body);
      const read = RepositoryStatus.safeParse(status === 200 ? answer : undefined);
      if (read.success) return { availability: describe(read.data), read: read.data };
      const { code, detail } = Problem.partial().safeParse(answer).data ?? {};
      const ofVendor = code === 'REPOSITORY_UNREACHABLE' ? detail : undefined;
      return unreachable(ofVendor ?? codeSentence('buildsStatus', { status, place }));
    } catch (error) {
      if (!(error instanceof RemoteFailure)) throw error;
      return unreachable(codeSentence('buildsUnreachable', { place, problem: error.message }));
    }
  }

  return {
    repository: async (request) => (await queryHost(request, deadline())).availability,

    // First without the branch, which only the git vendor knows: an unreachable vendor hides nothing about the repository itself.
    async probe(request, branch) {
      const timeLeft = deadline();
      const { availability, read } = await queryHost(request, timeLeft);
      if (read?.state !== 'READY') return availability;
      const { availability: other, read: now } = await queryHost(request, timeLeft, branch);
      const named = nameOf(read);
      if (now?.branch === undefined)
        return { ...availability, detail: codeSentence('externalBranchesUnread', { ...named, problem: other.detail }) };
      if (now.commit === undefined) {
        return { ...availability, branch: 'missing', detail: codeSentence('externalBranchMissing', { ...named, branch }) };
      }
      return { ...availability, branch: 'found', sha: now.commit, detail: codeSentence('externalBranchFound', { ...named, branch }) };
    },
  };
}

interface AvailabilityAnswer {
  readonly availability: RepositoryAvailability;
  readonly read?: RepositoryStatus;
}

function describe({ state, problem = codeSentence('ownershipPending'), ...repository }: RepositoryStatus): RepositoryAvailability {
  const named = nameOf(repository);
  if (state === 'READY') return { repository: 'found', state, detail: codeSentence('externalReady', named) };
  return { repository: 'found', state, detail: codeSentence('externalNotReady', { ...named, state, problem }) };
}

function nameOf({ name, programId, repositoryId }: Pick<RepositoryStatus, 'name' | 'programId' | 'repositoryId'>) {
  return { name, number: `${programId}/${repositoryId}` };
}

/** Whether an address is below another, whatever their spelling. */
function isAt(address: string, url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(address).origin;
}

function unreachable(detail: string): AvailabilityAnswer {
  return { availability: { repository: 'unreachable', detail } };
}

const ANSWER_LIMIT = 64 * 1024;
