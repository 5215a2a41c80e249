import { SiteCheckInput } from '@repoless/contract/site-check.ts';
import { z } from 'zod';
import type { Call } from './call.ts';

/** The findings of a caller who could read the authoring system. */
export const KeptCheck = z.object({ site: z.string(), at: z.iso.datetime(), by: z.string(), found: SiteCheckInput });
export type KeptCheck = z.infer<typeof KeptCheck>;

/** The newest stored check. */
export async function keptOf(call: Call, site: string): Promise<KeptCheck | undefined> {
  return KeptCheck.safeParse(await call.options.store.get('check', call.params['org'] ?? '', site)).data;
}
