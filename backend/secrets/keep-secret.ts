import { externalSource } from '@repoless/contract/code-source.ts';
import type { ExternalSource } from '@repoless/contract/code-source.ts';
import type { Org } from '@repoless/contract/org.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import type { Site, SiteInput } from '@repoless/contract/site.ts';
import type { Caller } from '../domain/caller.ts';
import type { Reads } from '../domain/ports.ts';
import { notAuthorized } from '../access/permit.ts';
import { rolesOf } from '../access/roles-of.ts';

interface SourceChange {
  readonly caller: Caller;
  readonly org: Org;
  readonly site: string;
  /** The site with its profile before and after; undefined where there was none. */
  readonly before: Site | undefined;
  readonly after: Site;
  /** The secrets that come with the change: who sends a value knows it. */
  readonly sent: SiteInput['secrets'];
}

/**
 * Refuses with NOT_AUTHORIZED a change after which the stored secret of an external repository would be sent to other addresses, unless by an
 * admin of the site: whoever writes its configuration could have it sent to a host of their own. Rule: docs/contract.md 3.7.
 */
export async function keepSecret(reads: Reads, { caller, org, site, before, after, sent }: SourceChange): Promise<void> {
  const source = heldSource(after);
  if (source === undefined || isSame(source, heldSource(before)) || sent?.[REPOSITORY_SECRET]?.value !== undefined) return;
  if (rolesOf(caller, org, before).has('admin')) return;
  if ((await reads.secret(org.name, site, REPOSITORY_SECRET)) === undefined) return;
  const sentence = `Only an admin may send the stored secret "${REPOSITORY_SECRET}" to other addresses (code.source.url and raw_url).`;
  throw notAuthorized(caller, org, { why: `${sentence} Delete the secret first, then store it again.`, site: before });
}

/** The external repository of a site that holds the secret for it. */
function heldSource(site: Site | undefined): ExternalSource | undefined {
  const source = externalSource(site?.code);
  return source?.secretId === undefined ? undefined : source;
}

function isSame(one: ExternalSource, other: ExternalSource | undefined): boolean {
  return one.url === other?.url && one.rawUrl === other.rawUrl;
}
