import { SiteCheckInput } from '@repoless/contract/site-check.ts';
import { z } from 'zod';
import type { Call } from './call.ts';

/** What somebody found at a site who could read the authoring system. */
export const KeptCheck = z.object({ site: z.string(), at: z.iso.datetime(), by: z.string(), found: SiteCheckInput });
export type KeptCheck = z.infer<typeof KeptCheck>;

/** The newest check that somebody kept. */
export async function keptOf(call: Call, site: string): Promise<KeptCheck | undefined> {
  return KeptCheck.safeParse(await call.options.store.get('check', call.params['org'] ?? '', site)).data;
}
