import { parseDeliveryAddress } from '#contract/addresses.ts';
import { contentRoot } from '#contract/mappings.ts';
import type { Site } from '#contract/site.ts';
import type { SiteWrite } from '../ports.ts';

/** What a site is looked up by: its content root on its authoring host, its repository, and whether it holds the secret. */
export function lookUpKeys(config: Site): Pick<SiteWrite, 'contentRoot' | 'repository' | 'holdsSecret'> {
  const { source, owner, repo } = config.code ?? {};
  const author = config.content === undefined ? undefined : parseDeliveryAddress(config.content.source.url)?.author;
  const root = contentRoot(config.public?.paths?.mappings ?? []);
  return {
    ...(author === undefined || root === undefined ? {} : { contentRoot: `${author}${root}` }),
    ...(source === undefined || owner === undefined || repo === undefined ? {} : { repository: `${source.type}:${owner}/${repo}` }),
    holdsSecret: source?.type === 'byogit' && source.secretId !== undefined,
  };
}
