import { Site } from '#contract/site.ts';
import { sameValue } from '#contract/same-value.ts';
import { aggregateSite, extendedProfile } from '#backend/domain/sites/aggregate-site.ts';
import type { StoredProfile } from '#backend/domain/ports.ts';
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
  if (!parsed.success) return `${name} has a configuration that its schema refuses: ${parsed.error.issues[0]?.message ?? ''}`;
  const extended = extendedProfile(config);
  const named = config.extends?.profile !== undefined;
  if (extended !== (optionalText(row, 'profile') ?? undefined) || (named && profile === undefined))
    return `${name} extends the profile "${extended ?? ''}", which is not there.`;
  if (!sameValue(aggregate, aggregateSite(config, profile?.config))) return `${name} is not its configuration over that of its profile.`;
  const bytes = publicBytes(aggregate);
  const ready = optionalText(row, 'public_json') === undefined ? null : publicConfig(row).json;
  const robots = storedRobots(row) ?? null;
  const said = aggregate.robots?.txt;
  if (robots !== (said === undefined ? null : storableText(said))) return `${name} has another robots.txt than its configuration says.`;
  return ready === bytes ? undefined : `${name} has another config.json than its public part says.`;
}
