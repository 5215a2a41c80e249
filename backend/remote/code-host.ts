import { CODE_FILE_NAMES, type CodeFileStates } from '@repoless/contract/code-check.ts';
import { branchSentence, codeSentence } from '@repoless/contract/code-sentences.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { CodeProbe, CodeRequest, RepositoryAvailability } from '../code/rules/ports.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { CodeHost } from '../domain/ports.ts';
import { type Remote, type RemoteAnswer, RemoteFailure, type RemoteRequest } from './remote.ts';

/** The code host over HTTP: `GET {api}/orgs/{org}` and `GET {raw}/{org}/{repository}/main/{path}`. */
export function createCodeHost(remote: Remote, { api, raw }: { readonly api: string; readonly raw: string }): CodeHost {
  async function read(url: string): Promise<RemoteAnswer | undefined> {
    const answer = await sendOrRefuse(remote, url);
    if (answer.status === 404) return undefined;
    if (answer.status === 200) return answer;
    throw new Refusal('CODE_HOST_UNREACHABLE', `The code host returned ${answer.status}. Try again in a minute.`, { retryAfter: 60 });
  }

  return {
    async organizationExists(org) {
      return (await read(`${api}/orgs/${encodeURIComponent(org)}`)) !== undefined;
    },
    async readFile(org, repository, path) {
      const segments = [org, repository, 'main', ...path.split('/')].map(encodeURIComponent);
      const answer = await read(`${raw}/${segments.join('/')}`);
      return answer && new TextDecoder().decode(answer.body);
    },
  };
}

async function sendOrRefuse(remote: Remote, url: string): Promise<RemoteAnswer> {
  try {
    return await remote.send({ url, method: 'GET', continuesTrace: true });
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    throw new Refusal('CODE_HOST_UNREACHABLE', `Could not reach the code host: ${error.message} Try again in a minute.`, {
      retryAfter: 60,
      cause: error,
    });
  }
}

type Name = Pick<CodeRequest, 'owner' | 'repo'>;
type Send = (request: Omit<RemoteRequest, 'timeout'>) => Promise<RemoteAnswer>;

export interface CodeHostSource {
  repository(name: Name): Promise<RepositoryAvailability>;
  probe(name: Name, branch: string): Promise<CodeProbe>;
  head(name: Name, branch: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Over git's protocol and without a sign-in, like the code sync. `host`: scheme and host; `raw`: the base of raw files. */
export function codeHostSource(remote: Remote, { host, raw }: { readonly host: string; readonly raw: string }): CodeHostSource {
  const withinTime = (signal?: AbortSignal): Send => {
    const timeLeft = deadline();
    const end = signal === undefined ? {} : { signal };
    return (request) => remote.send({ sizeLimit: REFS_LIMIT, continuesTrace: true, ...request, ...end, timeout: timeLeft() });
  };

  async function find(send: Send, { owner, repo }: Name): Promise<{ found: RepositoryAvailability; advertised?: Uint8Array }> {
    const place = `${host}/${owner}/${repo}`;
    try {
      const { status, body } = await send({
        method: 'GET',
        url: `${address(host, owner, repo)}/info/refs?${REFS_QUERY}`,
        headers: { 'git-protocol': 'version=2' },
      });
      return status === 200
        ? { found: { repository: 'found', detail: codeSentence('sourceFound.repository', { place }) }, advertised: body }
        : { found: availabilityAt(status, place, host) };
    } catch (error) {
      if (!(error instanceof RemoteFailure)) throw error;
      if (error.reason === 'too-large') return { found: { repository: 'found', detail: codeSentence('sourceFound.any', { place }) } };
      const detail = codeSentence('sourceUnreachable', { place, problem: error.message });
      return { found: { repository: 'unreachable', detail } };
    }
  }

  async function branchOf(send: Send, { owner, repo }: Name, advertised: Uint8Array, branch: string): Promise<string | undefined> {
    if (!speaksVersion2(advertised)) return commitOf(advertised, branch);
    const { status, body } = await send({
      method: 'POST',
      url: `${address(host, owner, repo)}/git-upload-pack`,
      headers: { 'git-protocol': 'version=2', 'content-type': LS_REFS_TYPE },
      body: lsRefs(advertised, branch),
    });
    if (status !== 200) throw new RemoteFailure('unreachable', codeSentence('codeHostStatus', { status }));
    return commitOf(body, branch);
  }

  async function filesOf(send: Send, { owner, repo }: Name, branch: string): Promise<CodeFileStates> {
    const states = await Promise.all(
      CODE_FILE_NAMES.map(async (name) => {
        const path = [owner, repo, ...branch.split('/'), name].map(encodeURIComponent).join('/');
        return [name, await fileState(send, `${raw}/${path}`)] as const;
      }),
    );
    return Object.fromEntries(states.filter(([, state]) => state !== undefined));
  }

  return {
    repository: async (name) => (await find(withinTime(), name)).found,

    async head(name, branch, signal) {
      const send = withinTime(signal);
      try {
        const { advertised } = await find(send, name);
        return advertised === undefined ? undefined : await branchOf(send, name, advertised, branch);
      } catch (error) {
        if (error instanceof RemoteFailure || signal.aborted) return undefined;
        throw error;
      }
    },

    async probe(name, branch) {
      const send = withinTime();
      const { found, advertised } = await find(send, name);
      if (advertised === undefined) return found;
      const address = `${host}/${name.owner}/${name.repo}`;
      try {
        const sha = await branchOf(send, name, advertised, branch);
        if (sha === undefined)
          return { repository: 'found', branch: 'missing', detail: codeSentence('sourceBranchMissing', { place: address, branch }) };
        const files = await filesOf(send, name, branch);
        return { repository: 'found', branch: 'found', sha, files, detail: branchSentence(address, branch, files) };
      } catch (error) {
        if (!(error instanceof RemoteFailure)) throw error;
        return { repository: 'found', detail: codeSentence('sourceBranchesUnread', { place: address, problem: error.message }) };
      }
    },
  };
}

/** The meaning of a status other than 200 to a caller who is not signed in. */
function availabilityAt(status: number, address: string, host: string): RepositoryAvailability {
  if (status === 404) return { repository: 'missing', detail: codeSentence('sourceMissing', { place: address }) };
  if (status === 401 || status === 403) return { repository: 'refused', detail: codeSentence('sourceRefused', { status, place: address }) };
  if (status >= 300 && status < 400) return { repository: 'missing', detail: codeSentence('sourceMoved.any', { place: address }) };
  return { repository: 'unreachable', detail: codeSentence('sourceStatus', { host, status, place: address }) };
}

async function fileState(send: Send, url: string): Promise<'found' | 'missing' | undefined> {
  try {
    const { status } = await send({ method: 'GET', url, sizeLimit: FILE_LIMIT });
    return status === 200 ? 'found' : status === 404 ? 'missing' : undefined;
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    return error.reason === 'too-large' ? 'found' : undefined;
  }
}

function address(host: string, owner: string, repo: string): string {
  return `${host}/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
}

/** A host without version 2 of the protocol returns every branch and tag at once. */
const REFS_LIMIT = 8 * 1024 * 1024;
const FILE_LIMIT = 1024 * 1024;

/** Git's smart HTTP protocol, as needed for one branch: https://git-scm.com/docs/protocol-v2. */

const REFS_QUERY = 'service=git-upload-pack';
const LS_REFS_TYPE = 'application/x-git-upload-pack-request';

/** Whether the answer to `info/refs` supports commands of version 2, which can return a single branch. */
function speaksVersion2(advertised: Uint8Array): boolean {
  return lines(advertised).some((line) => line === 'version 2');
}

/** The request body for one branch. Takes the answer to `info/refs`. */
function lsRefs(advertised: Uint8Array, branch: string): string {
  const format = lines(advertised).find((line) => line.startsWith('object-format='));
  const capabilities = format === undefined ? [] : [packet(`${format}\n`)];
  return [packet('command=ls-refs\n'), ...capabilities, '0001', packet(`ref-prefix refs/heads/${branch}\n`), '0000'].join('');
}

function commitOf(answer: Uint8Array, branch: string): string | undefined {
  for (const line of lines(answer)) {
    const [, sha, name] = /^([0-9a-f]{40,64}) ([^\0]+)/.exec(line) ?? [];
    if (name === `refs/heads/${branch}`) return sha;
  }
  return undefined;
}

function packet(text: string): string {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
}

/** Each line starts with its length in four hexadecimal digits, including themselves; lengths below four are markers. */
function lines(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: string[] = [];
  for (let at = 0; at + 4 <= buffer.length;) {
    const length = Number.parseInt(buffer.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(length)) break;
    if (length > 4) found.push(buffer.toString('utf8', at + 4, at + length).replace(/\n$/, ''));
    at += Math.max(length, 4);
  }
  return found;
}

/** For all requests of one check of a code source. Returns the milliseconds left for the next request. */
export function deadline(): () => number {
  const end = performance.now() + LIMITS.probeTime;
  return () => Math.max(1, Math.round(end - performance.now()));
}
