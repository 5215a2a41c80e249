import type { CodeRemote, RemoteProblem } from './code/snapshot.ts';
import type { Resolve } from './remote/guarded-lookup.ts';
import { type Remote, RemoteFailure, resolveHost } from './remote/remote.ts';

/** Files of a repository come slower than answers of an API. */
const TIMEOUT = 60_000;

/** Build management as the operator named it: it may be inside, where nothing else that a tenant names may be. */
export interface OwnCodeHost {
  readonly origin: string;
  readonly remote: Remote;
}

/** The guarded way out for code sources. */
export function codeRemote(remote: Remote, internal: 'refuse' | 'allow', lookup: Resolve, own?: OwnCodeHost): CodeRemote {
  const wayTo = (url: string) => (own !== undefined && new URL(url).origin === own.origin ? own.remote : remote);
  return {
    get: (asked) => explained(wayTo(asked.url).send({ method: 'GET', ...asked, timeout: TIMEOUT })),
    resolve: (url) => explained(resolveHost(url, internal, lookup).then((addresses) => ({ addresses, isGuarded: internal === 'refuse' }))),
  };
}

async function explained<T>(work: Promise<T>): Promise<T | RemoteProblem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RemoteFailure) return { problem: error.reason, sentence: error.message };
    throw error;
  }
}
