import { CONFIGURATION_PATH, readMappings } from '@repoless/contract/mappings.ts';
import type { Site } from '@repoless/contract/site.ts';

/** The content path that a site maps to its configuration sheet, as it is written: of several the last, as it wins. */
export function mappedPage(site: Site): string | undefined {
  return readMappings(site.public?.paths?.mappings ?? []).findLast((mapping) => mapping.public === CONFIGURATION_PATH)?.content;
}
