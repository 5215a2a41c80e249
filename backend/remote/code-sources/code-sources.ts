import { LIMITS } from '@repoless/contract/limits.ts';
import { LRUCache } from 'lru-cache';
import type { CodeRequest, CodeSources, CodeAvailability } from '../../code/rules/code-sources.ts';
import { createFairShare } from '../../domain/fair-share.ts';
import type { Remote } from '../remote.ts';
import { buildManagementSource } from './build-management-source.ts';
import type { BuildManagementPlace } from './build-management-source.ts';
import type { CodeHostSource } from './code-host-source.ts';

export interface CodeSourcePlaces {
  readonly codeHost: CodeHostSource;
  readonly buildManagement: BuildManagementPlace;
  /** For build management: its address is the operator's own and may lie within. */
  readonly remote: Remote;
  now(): Date;
}

/** Repositories that were found are remembered for a moment: many sites of one repository ask for it once. */
export function createCodeSources({ codeHost, buildManagement, remote, now }: CodeSourcePlaces): CodeSources {
  const external = buildManagementSource(remote, buildManagement);
  const found = new LRUCache<string, number>({ max: REMEMBERED });
  const looks = createFairShare(LOOKS);

  const remember = <Standing extends CodeAvailability>(asked: CodeRequest, standing: Standing): Standing => {
    if (isUsable(standing)) found.set(keyOf(asked), now().getTime() + LASTING);
    else found.delete(keyOf(asked));
    return standing;
  };

  return {
    repository: (asked) =>
      looks.run(asked.org, async () =>
        remember(asked, asked.type === 'github' ? await codeHost.repository(asked) : await external.repository(asked)),
      ),
    look: (asked, branch) =>
      looks.run(asked.org, async () =>
        remember(asked, asked.type === 'github' ? await codeHost.look(asked, branch) : await external.look(asked, branch)),
      ),
    head: (asked, branch, signal) => looks.run(asked.org, () => codeHost.head(asked, branch, signal)),
    wasFound: (asked) => (found.get(keyOf(asked)) ?? 0) > now().getTime(),
  };
}

function isUsable({ repository, state = 'READY' }: CodeAvailability): boolean {
  return repository === 'unchecked' || (repository === 'found' && state === 'READY');
}

/** The code host takes names in any case for the same, and belongs to no organization. */
function keyOf({ org, type, owner, repo, url }: CodeRequest): string {
  return type === 'github' ? `${owner}/${repo}`.toLowerCase() : JSON.stringify([org, owner, repo, url]);
}

/** Each asks another system several times. */
const LOOKS = {
  atOnce: LIMITS.questionsAtOnce,
  perShare: LIMITS.questionsOfOrg,
  waitingPerShare: 100,
  waiting: 1000,
  called: 'checks of repositories',
};
const LASTING = 10_000;
const REMEMBERED = 1000;
