import type { ClientBase } from 'pg';
import { integer, text } from '../row.ts';
import type { UsualWrite } from './batch.ts';

/**
 * Holds the profiles that these writes stand on, until the transaction ends: others may stand on them too, nobody may change
 * them. Answers the writes whose profiles are still as they were seen.
 */
export async function holdProfiles(client: ClientBase, batch: readonly UsualWrite[]): Promise<UsualWrite[]> {
  const wanted = batch.flatMap(({ profiles }) => profiles);
  if (wanted.length === 0) return [...batch];
  const { rows } = await client.query<Record<string, unknown>>({
    name: 'hold-profiles',
    text: HOLD,
    values: [wanted.map(({ org }) => org), wanted.map(({ profile }) => profile)],
  });
  const versions = new Map(rows.map((row) => [`${text(row, 'org')}/${text(row, 'profile')}`, integer(row, 'version')]));
  return batch.filter(({ profiles }) =>
    profiles.every(({ org, profile, version }) => (versions.get(`${org}/${profile}`) ?? 0) === version),
  );
}

const HOLD = `
select org, profile, version from profiles
where (org, profile) in (select * from unnest($1::text[], $2::text[]))
order by org, profile for share`;
