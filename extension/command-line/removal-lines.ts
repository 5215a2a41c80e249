import { siteAddress } from '#contract/addresses.ts';
import { DEFAULT_REF } from '#contract/names.ts';
import type { ServiceInfo } from '#contract/service.ts';
import type { PlannedRemoval, ReadyRemoval, RemovalBlock } from '#extension/setup/sites/plan-removals.ts';
import type { RemovedPage } from '#extension/setup/sites/removed-page.ts';
import { hostDomains } from '#extension/setup/sites/rows.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Change } from './planned-change.ts';
import { failureLine } from './explain.ts';

/** What goes with a site that is removed, and what stays of it. */
export interface Removed {
  readonly preview: string;
  readonly live: string;
  readonly productionHost?: string;
  readonly secrets: readonly string[];
  readonly apiKeys: readonly string[];
  readonly versionsKept: number;
  readonly page?: RemovedPage;
}

/** A removal as a change of the plan; none where the site is gone already. */
export function removalChange(info: ServiceInfo, organization: string, planned: PlannedRemoval): Change[] {
  if (planned.state === 'gone') return [];
  const { siteName: site } = planned.former;
  if (planned.state === 'blocked') {
    const problems = [{ field: 'row', sentence: blockLine(planned.block) }];
    return [{ site, action: 'blocked', tried: true, steps: [], problems }];
  }
  const removes = removedOf(info, organization, planned);
  return [{ site, action: 'remove', tried: planned.untried === undefined, steps: [], problems: [], removes }];
}

function removedOf(info: ServiceInfo, org: string, { former, productionHost, secrets, apiKeys, versions, page }: ReadyRemoval): Removed {
  const host = { ref: DEFAULT_REF, site: former.siteName, org };
  return {
    preview: siteAddress(hostDomains(info), 'preview', host),
    live: siteAddress(hostDomains(info), 'live', host),
    ...(productionHost === undefined ? {} : { productionHost }),
    secrets,
    apiKeys,
    versionsKept: versions,
    ...(page === undefined ? {} : { page }),
  };
}

export function removedLines({ preview, live, productionHost, secrets, apiKeys, versionsKept, page }: Removed): string[] {
  const { prune } = messages;
  return [
    prune.addresses(preview, live),
    ...(productionHost === undefined ? [] : [prune.productionHost(productionHost)]),
    prune.secrets(secrets),
    // People wrote them: no control character of theirs reaches a terminal.
    prune.apiKeys(apiKeys.map((name) => JSON.stringify(name))),
    prune.versions(versionsKept),
    ...pageLines(page),
  ];
}

function pageLines(page: RemovedPage | undefined): string[] {
  const texts = messages.prune.page;
  switch (page?.kind) {
    case 'inherits':
      return [texts.inherits(page.page)];
    case 'kept':
      return [page.repoless ? texts.repoless(page.page) : texts.kept(page.page)];
    case 'gone':
      return [texts.gone(page.page)];
    case 'unread':
    case 'none':
    case undefined:
      return [];
    default:
      return page satisfies never;
  }
}

/** Why a site is not removed, and what to do. */
export function blockLine(block: RemovalBlock): string {
  switch (block.kind) {
    case 'other-site':
      return messages.prune.otherSite;
    case 'base':
      return messages.prune.base(block.sites);
    case 'holds-secret':
      return messages.prune.holdsSecret(block.sites);
    case 'failed':
      return failureLine(block.failure);
    default:
      return block satisfies never;
  }
}
