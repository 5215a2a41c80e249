import { type PlantedResource, SECOND_ENVIRONMENT } from '@repoless/sandbox/authoring-system/content-store.ts';
import type { SeededConfiguration } from '@repoless/sandbox/seed/base-roots.ts';
import { rootResources } from '@repoless/sandbox/seed/seed-content.ts';
import { textsOf } from '@repoless/sandbox/seed/page-resources.ts';

interface CopiedPages {
  readonly title?: string;
  readonly configuration?: SeededConfiguration;
  readonly configurationPage?: 'spreadsheet' | 'none';
}

/** Pages of a site as copied to the second environment, by default without a configuration. */
export function* copiedPages(path: string, { title = `Copy of ${path}`, configuration, configurationPage = 'none' }: CopiedPages = {}) {
  const root = { path, title, language: 'en', pages: 2, configurationPage, ...(configuration === undefined ? {} : { configuration }) };
  for (const resource of rootResources(root, textsOf('en'), 'edge.example.com'))
    yield { environment: SECOND_ENVIRONMENT, ...resource } satisfies PlantedResource;
}
