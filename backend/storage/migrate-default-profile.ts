import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';
import { Profile, Site } from '#contract/site.ts';
import { aggregateSite, DEFAULT_PROFILE, siteIndexKeys } from '#backend/domain/sites/aggregate-site.ts';
import { document } from './row.ts';
import type { Dialect, ProfileRow, SiteRow } from './tables.ts';
import { aggregateRow } from './write-rows.ts';

/** Sites that say nothing about `extends` belong to the profile `default` of their organization, whether there is one or not. */
export function defaultProfile(dialect: Dialect): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (dialect === 'postgres') await holdFunction(db);
      await join(db.withTables<Joined>());
    },
  };
}

/**
 * The version of an organization's default profile, null where there is none, held against those who write its sites or profiles at
 * the same time: each of them writes the audit trail, whose end is taken here before. What is read afterwards, in a
 * statement of its own, is what was stored until then.
 */
async function holdFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function repoless_default_profile(of_org text) returns integer language plpgsql as $$
    begin
      loop
        perform 1 from audit_heads where org = of_org for update;
        exit when found;
        insert into audit_heads (org, entries, hash) values (of_org, 0, '') on conflict do nothing;
      end loop;
      return (select version from profiles where org = of_org and profile = ${sql.lit(DEFAULT_PROFILE)});
    end $$`.execute(db);
}

async function join(db: Kysely<Joined>): Promise<void> {
  const profiles = await db.selectFrom('profiles').select(['org', 'config']).where('profile', '=', DEFAULT_PROFILE).execute();
  const byOrg = new Map(profiles.map((row) => [row.org, Profile.safeParse(document(row.config)).data]));
  // Documents are printed in one way: this one says nothing about `extends`, on no level.
  const plain = sql<boolean>`config not like ${'%"extends":%'}`;
  const covered = sql<boolean>`org in (select org from profiles where profile = ${DEFAULT_PROFILE})`;
  await sql`update sites set profile = ${DEFAULT_PROFILE} where profile is null and ${plain} and not (${covered})`.execute(db);
  for (let after = { org: '', site: '' }; ;) {
    const page = await db
      .selectFrom('sites')
      .select(['org', 'site', 'config'])
      .where('profile', 'is', null)
      .where(sql<boolean>`(org, site) > (${after.org}, ${after.site})`)
      .orderBy('org')
      .orderBy('site')
      .limit(ROWS)
      .execute();
    for (const row of page) {
      const changed = joined(row, byOrg.get(row.org));
      if (changed === undefined) continue;
      await db.updateTable('sites').set(changed).where('org', '=', row.org).where('site', '=', row.site).execute();
    }
    const last = page.at(-1);
    if (last === undefined || page.length < ROWS) return;
    after = last;
  }
}

/** Undefined: the site stays as it is, for it extends nothing, or the profile would give it the content of another site. */
function joined({ org, site, config }: Row, profile: Profile | undefined): Partial<SiteRow> | undefined {
  const parsed = Site.safeParse(document(config)).data;
  if (parsed?.extends !== undefined) return undefined;
  if (parsed === undefined || profile === undefined) return { profile: DEFAULT_PROFILE };
  const aggregate = aggregateSite(parsed, profile);
  const keys = siteIndexKeys(aggregate);
  if (keys.contentRoot !== siteIndexKeys(parsed).contentRoot) return undefined;
  return { profile: DEFAULT_PROFILE, ...aggregateRow({ org, site, aggregate, alone: false, ...keys }) };
}

type Row = Pick<SiteRow, 'org' | 'site' | 'config'>;
type Joined = { sites: SiteRow; profiles: Pick<ProfileRow, 'org' | 'profile' | 'config'> };
const ROWS = 200;
