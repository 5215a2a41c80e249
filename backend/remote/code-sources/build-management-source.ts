import { RepositoryStanding } from '#contract/build-management.ts';
import type { CodeRequest, CodeStanding } from '#backend/domain/code/code-sources.ts';
import type { SealedValue } from '#contract/sealed-value.ts';
import { RemoteFailure } from '../remote.ts';
import type { Remote } from '../remote.ts';
import { deadline } from './deadline.ts';

export interface BuildManagementPlace {
  /** Scheme, host and port. */
  readonly address: string | undefined;
  /** By this the service and build management know each other. */
  readonly key: SealedValue | undefined;
}

/** External repositories: those of the service's own build management can be asked for, others tell by their sync. */
export function buildManagementSource(remote: Remote, { address, key }: BuildManagementPlace) {
  return async ({ org, owner, repo, url, rawUrl }: CodeRequest): Promise<CodeStanding> => {
    if (address === undefined || (url !== undefined && !isAt(address, url))) {
      const detail = `${url === undefined ? 'No build management is set up here, so the' : `The repository is at ${new URL(url).host}, which is not asked: its`} first code sync tells whether it can be read.`;
      return { repository: 'unchecked', detail };
    }
    if (rawUrl !== undefined && !isAt(address, rawUrl)) {
      const detail = `The address ${url} is that of build management, but raw_url ${rawUrl} is another. Write both as build management shows them.`;
      return { repository: 'missing', detail };
    }
    const place = `${owner}/${repo}`;
    if (key === undefined) return away(`The service cannot ask build management for ${place}: the operator sets BUILD_MANAGEMENT_KEY.`);
    try {
      const { status, body } = await remote.send({
        method: 'GET',
        url: `${address}/standing/${[org, owner, repo].map(encodeURIComponent).join('/')}`,
        below: `${address}/standing/`,
        goesOn: true,
        headers: { authorization: key.use((value) => `Bearer ${value}`) },
        timeout: deadline()(),
        sizeLimit: ANSWER_LIMIT,
      });
      if (status === 404) {
        const detail = `Build management has no repository ${repo} of program ${owner} for the organization "${org}". Choose one of its list, or onboard it.`;
        return { repository: 'missing', detail };
      }
      if (status === 401)
        return away('Build management does not know the service: the operator sets the same BUILD_MANAGEMENT_KEY at both.');
      const read = RepositoryStanding.safeParse(status === 200 ? readJson(body) : undefined);
      return read.success ? describe(read.data) : away(`Build management answered ${status} for ${place}. Try again in a minute.`);
    } catch (error) {
      if (!(error instanceof RemoteFailure)) throw error;
      return away(`Build management could not be asked for ${place}: ${error.message} Try again in a minute.`);
    }
  };
}

function describe({ programId, repositoryId, name, state, problem }: RepositoryStanding): CodeStanding {
  const what = `The external repository "${name}" (${programId}/${repositoryId})`;
  if (state === 'READY') return { repository: 'found', state, detail: `${what} is READY.` };
  const why = problem ?? 'Its ownership is still being checked; wait until it is READY.';
  return { repository: 'found', state, detail: `${what} is not READY but ${state}. ${why}` };
}

/** Whether an address lies at another, however both are spelled. */
function isAt(address: string, url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(address).origin;
}

function away(detail: string): CodeStanding {
  return { repository: 'unreachable', detail };
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

const ANSWER_LIMIT = 64 * 1024;
