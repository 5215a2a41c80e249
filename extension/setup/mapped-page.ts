import { CONFIGURATION_PATH, parseMapping } from '#contract/mappings.ts';
import type { Site } from '#contract/site.ts';

/** The content path that a site maps to its configuration sheet. */
export function mappedPage(site: Site): string | undefined {
  for (const text of site.public?.paths?.mappings ?? []) {
    const mapping = parseMapping(text);
    if ('content' in mapping && mapping.public === CONFIGURATION_PATH) return mapping.content;
  }
  return undefined;
}
