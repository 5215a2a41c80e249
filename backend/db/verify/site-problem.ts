import { Site } from '@repoless/contract/site.ts';
import { inAnyOrder } from '@repoless/contract/reordered.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import { aggregateSite, extendedProfile } from '../../sites/aggregate-site.ts';
import type { StoredProfile } from '../../domain/ports.ts';
import { listedSite, optionalText, storedRobots } from '../row.ts';
import type { Row } from '../row.ts';
import { storableText } from '../statement.ts';
import { publicConfig } from '../sql-reads.ts';
import { publicBytes } from '../write-rows.ts';

/** What is wrong with a site: its documents, the profile that it extends, or what is kept ready of it. Throws where it is not what was stored. */
export function siteProblem(row: Row, profile: StoredProfile | undefined): string | undefined {
  const { org, site, config, aggregate } = listedSite(row);
  const name = `Site "${org}/${site}"`;
  const parsed = Site.safeParse(config);
  if (!parsed.success) return `${name} has an invalid configuration: ${parsed.error.issues[0]?.message ?? ''}`;
  const extended = extendedProfile(config);
  const named = config.extends?.profile !== undefined;
  if (extended !== (optionalText(row, 'profile') ?? undefined) || (named && profile === undefined))
    return `${name} extends the profile "${extended ?? ''}", which does not exist.`;
  // Aggregates of earlier versions have their headers in alphabetical order.
  if (!sameValue(inAnyOrder(aggregate), inAnyOrder(aggregateSite(config, profile?.config))))
    return `The aggregate of ${name} does not match its configuration and its profile.`;
  const bytes = publicBytes(aggregate);
  const ready = optionalText(row, 'public_json') === undefined ? null : publicConfig(row).json;
  const robots = storedRobots(row) ?? null;
  const said = aggregate.robots?.txt;
  if (robots !== (said === undefined ? null : storableText(said))) return `The robots.txt of ${name} does not match its configuration.`;
  return ready === bytes ? undefined : `The config.json of ${name} does not match its public part.`;
}
