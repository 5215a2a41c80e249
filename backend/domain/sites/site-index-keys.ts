import { contentRootKey } from '#contract/addresses.ts';
import { externalSource } from '#contract/code-source.ts';
import { contentRoot } from '#contract/mappings.ts';
import type { Site } from '#contract/site.ts';
import { oncePerDocument } from '../once-per-document.ts';
import type { SiteWrite } from '../ports.ts';

/** What a site is looked up by: its content root on its authoring host, its repository, and whether it holds the secret. */
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
