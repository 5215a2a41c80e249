import type { CodeHost } from '../domain/ports.ts';
import { Refusal } from '../domain/errors.ts';
import { RemoteFailure } from './remote.ts';
import type { Remote, RemoteAnswer } from './remote.ts';

export interface CodeHostAddresses {
  /** E.g. `https://api.github.com`. */
  readonly api: string;
  /** E.g. `https://raw.githubusercontent.com`. */
  readonly raw: string;
}

/** The code host by HTTP: `GET {api}/orgs/{org}` and `GET {raw}/{org}/{repository}/main/{path}`. */
export function createCodeHost(remote: Remote, addresses: CodeHostAddresses): CodeHost {
  async function read(url: string): Promise<RemoteAnswer | undefined> {
    const answer = await sendOrRefuse(remote, url);
    if (answer.status === 404) return undefined;
    if (answer.status === 200) return answer;
    throw new Refusal('CODE_HOST_UNREACHABLE', `The code host returned ${answer.status}. Try again in a minute.`, { retryAfter: 60 });
  }

  return {
    async organizationExists(org) {
      return (await read(`${addresses.api}/orgs/${encodeURIComponent(org)}`)) !== undefined;
    },
    async readFile(org, repository, path) {
      const segments = [org, repository, 'main', ...path.split('/')].map(encodeURIComponent);
      const answer = await read(`${addresses.raw}/${segments.join('/')}`);
      return answer && new TextDecoder().decode(answer.body);
    },
  };
}

async function sendOrRefuse(remote: Remote, url: string): Promise<RemoteAnswer> {
  try {
    return await remote.send({ url, method: 'GET', goesOn: true });
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    throw new Refusal('CODE_HOST_UNREACHABLE', `Could not reach the code host: ${error.message} Try again in a minute.`, {
      retryAfter: 60,
      cause: error,
    });
  }
}
