import { externalSource } from '#contract/code-source.ts';
import { REPOSITORY_SECRET } from '#contract/secret.ts';
import type { Site } from '#contract/site.ts';
import { Refusal } from '../errors.ts';
import type { Reads } from '../ports.ts';
import { siteIndexKeys } from '../sites/site-index-keys.ts';

/** Whether a secret of a site is that of its external repository. */
export function isRepositorySecret(name: string, code: Site['code']): boolean {
  return name === REPOSITORY_SECRET || name === externalSource(code)?.secretId;
}

/** The secret of an external repository is held by its first site alone; the further ones use it. */
export async function refuseSecondHolder(reads: Reads, name: { readonly org: string; readonly site: string }, site: Site): Promise<void> {
  const { repository, holdsSecret } = siteIndexKeys(site);
  if (repository === undefined || holdsSecret || externalSource(site.code) === undefined) return;
  const holder = await reads.secretHolder(name.org, repository);
  if (holder === undefined) return;
  const sentence = `Site "${holder.org}/${holder.site}" holds the secret of this repository, and it is used here too. Set it there.`;
  throw new Refusal('SECRET_NOT_ALLOWED', sentence, { data: { ...holder, requested: name.site } });
}
