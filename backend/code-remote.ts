import type { CodeRemote, RemoteProblem } from '#backend/code/code-remote.ts';
import type { Resolve } from '#backend/remote/guarded-lookup.ts';
import { RemoteFailure } from '#backend/remote/remote.ts';
import type { Remote } from '#backend/remote/remote.ts';
import { resolveHost } from '#backend/remote/resolve-host.ts';

/** Files of a repository come slower than answers of an API. */
const TIMEOUT = 60_000;

/** The guarded way out for code sources. */
export function codeRemote(remote: Remote, internal: 'refuse' | 'allow', lookup: Resolve): CodeRemote {
  return {
    get: (asked) => explained(remote.send({ method: 'GET', ...asked, timeout: TIMEOUT })),
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
