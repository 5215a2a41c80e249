import { z } from 'zod';
import { Sidekick } from './sidekick.ts';

/** The sidekick part of a site with its hosts, its name and its content source, as its programs ask for it. */
export const SidekickConfig = z.object({
  ...Sidekick.shape,
  project: z.string(),
  previewHost: z.string(),
  liveHost: z.string(),
  reviewHost: z.string().optional(),
  host: z.string().optional(),
  /** Paths of the production host that this site answers. */
  routes: z.array(z.string()).optional(),
  contentSourceUrl: z.string().optional(),
  contentSourceType: z.string().optional(),
});
export type SidekickConfig = z.infer<typeof SidekickConfig>;
