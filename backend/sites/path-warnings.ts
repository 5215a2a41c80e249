import { mappingWarnings } from '@repoless/contract/mappings.ts';
import type { PublicConfig } from '@repoless/contract/site.ts';
import type { ConfigView } from '../changes/change.ts';

/** What is odd about the mappings that a call stores, a sentence each. In: the part that the call is about, and all that will be stored. */
export function pathWarnings(view: ConfigView | undefined, config: { readonly public?: PublicConfig | undefined }): string[] {
  const isAbout = view === undefined || view.pointer === '' || view.pointer === '/public';
  return isAbout ? mappingWarnings(config.public?.paths?.mappings ?? []) : [];
}
