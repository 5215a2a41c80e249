import { z } from 'zod';

const Host = z
  .string()
  .max(255)
  .regex(/^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?$/, 'Write a host name such as www.example.com, without "https://" and a path.');
const texts = z.array(z.string());

const Plugin = z.looseObject({
  id: z.string(),
  title: z.string().optional(),
  titleI18n: z
    .record(z.string().regex(/^[a-z]{2}(?:-[A-Z]{2})?$/, 'Write a language such as "de" or "de-CH".'), z.string())
    .refine((titles) => Object.keys(titles).length > 0, 'Write at least one title.')
    .meta({ minProperties: 1 })
    .optional(),
  url: z.string().optional(),
  event: z.string().optional(),
  environments: z.array(z.enum(['any', 'dev', 'admin', 'edit', 'preview', 'review', 'live', 'prod'])).optional(),
  includePaths: texts.optional(),
  excludePaths: texts.optional(),
  badgeVariant: z
    .enum([
      'gray',
      'red',
      'orange',
      'yellow',
      'chartreuse',
      'celery',
      'green',
      'seafoam',
      'cyan',
      'blue',
      'indigo',
      'purple',
      'fuchsia',
      'magenta',
    ])
    .optional(),
  containerId: z.string().optional(),
  isBadge: z.boolean().optional(),
  isContainer: z.boolean().optional(),
  isPalette: z.boolean().optional(),
  isPopover: z.boolean().optional(),
  paletteRect: z.string().optional(),
  popoverRect: z.string().optional(),
  passConfig: z.boolean().optional(),
  passReferrer: z.boolean().optional(),
  pinned: z.boolean().optional(),
});

const SpecialView = z.looseObject({ id: z.string(), path: z.string(), viewer: z.string(), title: z.string().optional() });

/** What the sidekick of a site shows (docs/design-facts.md 4.4). */
export const Sidekick = z.strictObject({
  project: z.string().optional(),
  host: Host.optional(),
  previewHost: Host.optional(),
  liveHost: Host.optional(),
  reviewHost: Host.optional(),
  trustedHosts: texts.optional(),
  editUrlLabel: z.string().optional(),
  editUrlPattern: z.string().optional(),
  wordSaveDelay: z.number().optional(),
  plugins: z.array(Plugin).optional(),
  specialViews: z.array(SpecialView).optional(),
});

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
