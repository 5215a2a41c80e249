import { z } from 'zod';
import { Access, Group } from './access.ts';
import { CodeSource } from './code-source.ts';
import { Headers } from './delivery-headers.ts';
import { Mappings, PathPrefix } from './mappings.ts';

/** Where the content comes from (seed design: content.*). `contentBusId` is set by the service. */
export const ContentSource = z.strictObject({
  contentBusId: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  source: z.strictObject({
    url: z.url({ protocol: /^https?$/, error: 'Write an http(s) address.' }),
    type: z.enum(['markup', 'onedrive', 'google'], { error: 'The content source type is "markup", "onedrive" or "google".' }),
    suffix: z
      .string()
      .regex(/^\.[a-z0-9.]+$/i, 'A suffix begins with a dot, e.g. ".html".')
      .optional(),
    id: z.string().optional(),
  }),
  overlay: z.strictObject({ url: z.url(), type: z.literal('markup'), suffix: z.string().optional() }).optional(),
});
export type ContentSource = z.infer<typeof ContentSource>;

export const PublicPaths = z.strictObject({
  mappings: Mappings.optional(),
  includes: z.array(PathPrefix).optional(),
});

/** Everything in it is readable by everyone at `/config.json`; other keys than `paths` are the site's own. */
export const PublicConfig = z.object({ paths: PublicPaths.optional() }).catchall(z.json());
export type PublicConfig = z.infer<typeof PublicConfig>;

export const Folders = z.record(z.string().startsWith('/'), z.string().startsWith('/'));

export const ProdCdn = z.looseObject({ type: z.string().optional(), host: z.string().optional(), route: z.array(z.string()).optional() });
export const Cdn = z.strictObject({
  prod: ProdCdn.optional(),
  preview: z.strictObject({ host: z.string() }).optional(),
  live: z.strictObject({ host: z.string() }).optional(),
  review: z.strictObject({ host: z.string() }).optional(),
});
export const Sidekick = z.looseObject({ project: z.string().optional() });
export const Metadata = z.strictObject({ source: z.array(z.string()).optional(), format: z.string().optional() });
export const Extends = z.strictObject({ profile: z.string().min(1) });
export const Groups = z.record(z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), Group);
export const Robots = z.strictObject({ txt: z.string() });

const parts = {
  title: z.string().max(1000).optional(),
  description: z.string().max(10_000).optional(),
  content: ContentSource.optional(),
  code: CodeSource.optional(),
  access: Access.optional(),
  public: PublicConfig.optional(),
  headers: Headers.optional(),
  folders: Folders.optional(),
  cdn: Cdn.optional(),
  sidekick: Sidekick.optional(),
  metadata: Metadata.optional(),
  groups: Groups.optional(),
  robots: Robots.optional(),
  extends: Extends.optional(),
};

const serverSet = { created: z.iso.datetime().optional(), lastModified: z.iso.datetime().optional(), name: z.string().optional() };

/** A site configuration as a client sends it: `version` is 1 or left out, server-set fields are taken and ignored. */
export const SiteInput = z.strictObject({
  version: z.literal(1, { error: 'The only version is 1.' }).optional(),
  ...z.object(serverSet).partial().shape,
  ...parts,
});
export type SiteInput = z.infer<typeof SiteInput>;

/** A site configuration as the service holds and answers it. */
export const Site = z.strictObject({
  version: z.literal(1),
  created: z.iso.datetime(),
  lastModified: z.iso.datetime(),
  name: z.string(),
  ...parts,
});
export type Site = z.infer<typeof Site>;

/** A profile as a client sends it: defaults that the sites of an organization share by extending it. */
export const ProfileInput = SiteInput.omit({ extends: true });
export type ProfileInput = z.infer<typeof ProfileInput>;

/** A profile as the service holds and answers it. */
export const Profile = Site.omit({ extends: true });
export type Profile = z.infer<typeof Profile>;

/** The parts of a site that can be read, set and removed each by itself, by their address, and their schemas. */
export const SITE_PARTS = {
  content: ContentSource,
  code: CodeSource,
  access: Access,
  'access/admin': Access.shape.admin.unwrap(),
  'access/site': Access.shape.site.unwrap(),
  'access/preview': Access.shape.preview.unwrap(),
  'access/live': Access.shape.live.unwrap(),
  public: PublicConfig,
  headers: Headers,
  folders: Folders,
  cdn: Cdn,
  'cdn/prod': ProdCdn,
  sidekick: Sidekick,
  metadata: Metadata,
  extends: Extends,
} as const;
export type SitePart = keyof typeof SITE_PARTS;
export const SITE_PART_NAMES = Object.keys(SITE_PARTS) as SitePart[];

/** One row of `sites.json`; all but name and path only with `?details=true`. */
export const SiteListEntry = z.object({
  name: z.string(),
  path: z.string(),
  content: ContentSource.optional(),
  code: CodeSource.optional(),
  cdn: z.object({ prod: z.object({ host: z.string() }) }).optional(),
  /** Which content the site has: its mappings (the content tree's states are made of it). */
  public: PublicConfig.optional(),
});
export type SiteListEntry = z.infer<typeof SiteListEntry>;
export const SiteList = z.object({ sites: z.array(SiteListEntry) });
export type SiteList = z.infer<typeof SiteList>;
