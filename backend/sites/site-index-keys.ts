import { contentRootKey } from '@repoless/contract/addresses.ts';
import { externalSource } from '@repoless/contract/code-source.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { contentRoot, contentRoots } from '@repoless/contract/mappings.ts';
import type { Site } from '@repoless/contract/site.ts';
import { oncePerDocument } from '../domain/documents.ts';
import type { SiteWrite } from '../domain/ports.ts';

/** The keys by which a site is found: its content root on its authoring host, its repository, and whether it holds the secret. */
export const siteIndexKeys = oncePerDocument((config: Site): Pick<SiteWrite, 'contentRoot' | 'repository' | 'holdsSecret'> => {
  const { source, owner, repo } = config.code ?? {};
  const external = externalSource(config.code);
  const root = contentRoot(config.public?.paths?.mappings ?? []);
  const key = config.content === undefined || root === undefined ? undefined : contentRootKey(config.content.source.url, root);
  return {
    ...(key === undefined ? {} : { contentRoot: key }),
    ...(source === undefined || owner === undefined || repo === undefined
      ? {}
      : { repository: `${external === undefined ? 'github' : 'byogit'}:${owner}/${repo}` }),
    holdsSecret: external?.secretId !== undefined,
  };
});

/**
 * Content that a site maps to `/` in addition to its content root, and that is elsewhere: it must not be another site's root. Mappings that
 * are never used don't count.
 */
export const furtherRootKeys = oncePerDocument((config: Site): readonly string[] => {
  const [root, ...others] = contentRoots(config.public?.paths?.mappings ?? []);
  const elsewhere = others.filter((path) => !path.startsWith(`${root ?? ''}/`)).slice(-LIMITS.mappingsTried);
  return elsewhere.flatMap((path) => (config.content === undefined ? [] : (contentRootKey(config.content.source.url, path) ?? [])));
});
