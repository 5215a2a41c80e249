import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { blockedByFailure } from '../plan/blocked-by-failure.ts';
import type { Known } from '../situation/situation.ts';
import type { CodeCheck } from '@repoless/contract/code-check.ts';
import { blocks, done, open, repositoryData } from './gate.ts';
import type { Gate, Standing } from './gate.ts';

/** The repository can be reached and has the branch `main`. */
export function repositoryStatus(gate: Gate, look: Known<CodeCheck> | undefined): Standing {
  const request = checkPath(gate);
  if (look === undefined || look.state === 'missing') return open();
  if (look.state === 'failed') {
    const state = blockedByFailure(look.failure);
    return state.kind === 'blocked' ? { state } : open();
  }
  const { repository, branch, detail, state, sha } = look.value;
  const branchFound = branch === undefined ? undefined : `branch ${DEFAULT_REF}: ${branch}`;
  const answer = [`repository: ${repository}`, branchFound, state, sha].filter(Boolean).join(', ');
  const evidence = { request: `GET ${request}`, answer };
  const data = { ...repositoryData(gate), detail, ...(state === undefined ? {} : { state }) };
  switch (repository) {
    case 'missing':
      return blocks('repository-missing', data, evidence);
    case 'refused':
      return blocks('repository-private', data, evidence);
    case 'unchecked':
      // Only a sync can tell: it shows the secret.
      return done(evidence);
    case 'unreachable':
      return blocks('code-host-unreachable', data, evidence, { kind: 'refused', status: 502, finding: away(data) });
    case 'found':
      if (branch === 'missing') return blocks('branch-missing', { ...data, branch: DEFAULT_REF }, evidence);
      if (state !== undefined && state !== 'READY') return blocks('repository-not-ready', data, evidence);
      return done(evidence);
    default:
      return repository satisfies never;
  }
}

function away(data: Readonly<Record<string, string>>) {
  return { kind: 'blocked', reason: 'code-host-unreachable', data } as const;
}

/** Path and query of the service's look at a code source. */
export function checkPath({ organization, siteName, code }: Pick<Gate, 'organization' | 'siteName' | 'code'>): string {
  const query = {
    type: code.type,
    owner: code.owner,
    repo: code.repo,
    ref: DEFAULT_REF,
    ...(code.type === 'byogit' ? { url: code.url } : {}),
  };
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/config/${organization}/sites/${siteName}/code/check.json?${pairs.join('&')}`;
}
