import { z } from 'zod';
import { Access, Group, GroupName } from './access.ts';
import { addressProblem } from './addresses.ts';
import { Cdn, HostCdn, ProdCdn, ShownCdn, ShownProdCdn } from './cdn.ts';
import { CodeSource } from './code-source.ts';
import { Json } from './json.ts';
import { LIMITS } from './limits.ts';
import { Mappings, PathPatterns } from './mappings.ts';
import { placeholderProblem, ProfileName } from './names.ts';
import { StoredApiKeys, SecretsMetadata, StoredTokens, SentSecrets, SentTokens } from './secret.ts';
import { Editor, Events, Features, Headers, Limits, Sidekick, SiteYaml } from './site-parts.ts';

/** Only characters of a URI (RFC 3986): it is sent in headers and joined with paths. `protocol`: the allowed schemes. */
function contentAddress(protocol: RegExp, error: string) {
  return z
    .url({ protocol, error: ({ input }) => placeholderProblem(input, 'its value') ?? error })
    .max(LIMITS.addressLength, `An address has at most ${LIMITS.addressLength} characters.`)
    .regex(/^[!#-;=?-[\]_a-z~]*$/, {
      error: ({ input }) =>
        placeholderProblem(input, 'its value') ?? 'Write the special characters of the address percent-encoded, e.g. "%20" for a space.',
    })
    .superRefine((address, context) => {
      const message = addressProblem(address);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });
}
const ContentAddress = contentAddress(/^https?$/, 'Write an http(s) address.');
/** Drives have their own short forms, which name a folder by its identifier. */
const SourceAddress = contentAddress(/^(?:https?|onedrive|gdrive)$/, 'Write an http(s) address.');
export const Suffix = z
  .string()
  .max(LIMITS.foreignName)
  .regex(
    /^(?:\.[a-z0-9.]+)?(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i,
    'A suffix begins with a dot and may have a query, e.g. ".html" or ".html?mode=plain".',
  );

/** The alternative to `http(s)` for addresses of a type. */
const SCHEME: Readonly<Record<string, string>> = { onedrive: 'onedrive', google: 'gdrive' };
/** Members of a content source besides its type and address. */
const OF_TYPE = { markup: ['suffix'], onedrive: ['tenantId', 'itemId'], google: ['id'] } as const;

const Source = z
  .strictObject({
    url: SourceAddress,
    type: z.enum(['markup', 'onedrive', 'google'], { error: 'The content source type is "markup", "onedrive" or "google".' }),
    suffix: Suffix.optional(),
    id: z.string().max(LIMITS.textLength).optional(),
    tenantId: z.string().max(LIMITS.textLength).optional(),
    itemId: z.string().max(LIMITS.textLength).optional(),
  })
  .superRefine((source, context) => {
    for (const [type, members] of Object.entries(OF_TYPE)) {
      for (const member of members) {
        const isPresent = source[member] !== undefined;
        if (type === source.type && member === 'id' && !isPresent)
          context.addIssue({ code: 'custom', path: [member], message: 'Write the identifier of the folder at Google Drive.' });
        if (type !== source.type && isPresent)
          context.addIssue({ code: 'custom', path: [member], message: `A content source of the type "${source.type}" has no ${member}.` });
      }
    }
    const scheme = source.url.slice(0, source.url.indexOf(':')).toLowerCase();
    const isOther = !/^https?$/.test(scheme) && SCHEME[source.type] !== scheme;
    if (isOther) context.addIssue({ code: 'custom', path: ['url'], message: 'Write an http(s) address.' });
  });

/** Where the content comes from (docs/contract.md 3.4). `contentBusId` is set by the service. */
export const ContentSource = z.strictObject({
  contentBusId: z.string().max(LIMITS.textLength).optional(),
  title: z.string().max(LIMITS.textLength).optional(),
  description: z.string().max(LIMITS.textLength).optional(),
  source: Source,
  overlay: z.strictObject({ url: ContentAddress, type: z.literal('markup'), suffix: Suffix.optional() }).optional(),
});
export type ContentSource = z.infer<typeof ContentSource>;

/** Unknown members are stored: projects and the authoring system add more (docs/contract.md 3.5). */
export const PublicPaths = z
  .object({
    mappings: Mappings.optional(),
    includes: PathPatterns.optional(),
    excludes: PathPatterns.optional(),
  })
  .catchall(Json);
export type PublicPaths = z.infer<typeof PublicPaths>;

/** The paths with some members replaced; members that the service does not know are preserved. */
export function withPaths(paths: PublicPaths | undefined, changed: PublicPaths): PublicPaths {
  return Object.assign({}, paths, changed);
}

/** Whether all mapped content is included, because there is no list of includes. */
export function includesAll(paths: Pick<PublicPaths, 'mappings' | 'includes'> | undefined): boolean {
  return paths?.mappings !== undefined && paths.includes === undefined;
}

/** Everyone can read it at `/config.json`; keys other than `paths` are up to the site. */
export const PublicConfig = z.object({ paths: PublicPaths.optional() }).catchall(Json);
export type PublicConfig = z.infer<typeof PublicConfig>;

export const Folders = z.record(
  z
    .string()
    .max(LIMITS.pathLength)
    .regex(/^\/[a-zA-Z0-9-_/.]*$/, 'Write a public path such as /products, of letters, digits, "-", "_", "." and "/".'),
  z.string().max(LIMITS.pathLength),
);
export const Metadata = z.strictObject({ source: z.array(z.string().max(LIMITS.pathLength)).optional() });
export const Extends = z.strictObject({ profile: ProfileName.optional() });
export const Groups = z.record(GroupName, Group);
export const Robots = z.strictObject({ txt: z.string().optional() });

/**
 * The parts of a site that can be read, set and removed individually, by address, with their schemas. An entry here adds a part to the
 * document, to the calls of sites and profiles, and to the OpenAPI document. Each is an object, which is sent and answered as JSON: a text
 * is a member of it, as in `robots`.
 */
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
  'cdn/preview': HostCdn,
  'cdn/live': HostCdn,
  'cdn/review': HostCdn,
  sidekick: Sidekick,
  metadata: Metadata,
  groups: Groups,
  robots: Robots,
  events: Events,
  features: Features,
  limits: Limits,
  editor: Editor,
  extends: Extends,
} as const satisfies Readonly<Record<string, z.ZodType<object>>>;

/** Parts with their own address are also in the document, so that a document can be read and written back as a whole. */
const parts = {
  title: z.string().max(1000).optional(),
  description: z.string().max(10_000).optional(),
  ...wholeParts(),
  query: SiteYaml.optional(),
  sitemap: SiteYaml.optional(),
  apiKeys: StoredApiKeys.optional(),
};
type WholeParts = { [P in Exclude<SitePart, `${string}/${string}`>]: z.ZodOptional<(typeof SITE_PARTS)[P]> };

/** The top-level parts of `SITE_PARTS`. The cast is safe: the filter takes the same names as the type. */
function wholeParts(): WholeParts {
  const topLevel = Object.entries<z.ZodType>(SITE_PARTS).filter(([name]) => !name.includes('/'));
  return Object.fromEntries(topLevel.map(([name, schema]) => [name, schema.optional()])) as WholeParts;
}

/** Parts of a document that are stored in a different form than they are sent in: without the values and hashes of credentials. */
const sent = { secrets: SentSecrets.optional(), tokens: SentTokens.optional() };
const stored = { secrets: SecretsMetadata.optional(), tokens: StoredTokens.optional() };

const serverSet = {
  created: z.iso.datetime({ offset: true }).optional(),
  lastModified: z.iso.datetime({ offset: true }).optional(),
  name: z.string().optional(),
};

/** A site configuration as a client sends it: `version` is 1 or omitted; fields set by the service are accepted and ignored. */
export const SiteInput = z.strictObject({
  version: z.literal(1, { error: 'The only version is 1.' }).optional(),
  ...z.object(serverSet).partial().shape,
  ...parts,
  ...sent,
});
export type SiteInput = z.infer<typeof SiteInput>;

/** A site configuration as the service stores and returns it. */
export const Site = z.strictObject({
  version: z.literal(1),
  created: z.iso.datetime(),
  lastModified: z.iso.datetime(),
  name: z.string(),
  ...parts,
  ...stored,
  cdn: ShownCdn.optional(),
});
export type Site = z.infer<typeof Site>;

/** A profile as a client sends it: defaults shared by the sites that extend it. */
export const ProfileInput = SiteInput.omit({ extends: true, query: true, sitemap: true });
export type ProfileInput = z.infer<typeof ProfileInput>;

/** A profile as the service stores and returns it. */
export const Profile = Site.omit({ extends: true, query: true, sitemap: true });
export type Profile = z.infer<typeof Profile>;

/** Parts that are read in a different form than they are set in. */
export const SHOWN_PARTS: Partial<Record<keyof typeof SITE_PARTS, z.ZodType>> = {
  cdn: ShownCdn,
  'cdn/prod': ShownProdCdn,
};
export type SitePart = keyof typeof SITE_PARTS;
export const SITE_PART_NAMES = Object.keys(SITE_PARTS) as SitePart[];

/** The parts of a site that have forms, in the order shown. Access has its own view; code, content and mappings belong to setup. */
export const EDITED_PARTS = ['headers', 'folders', 'robots', 'metadata', 'query', 'sitemap', 'sidekick', 'cdn'] as const;
export type EditedPart = (typeof EDITED_PARTS)[number];

const EDITED_SCHEMAS = { ...SITE_PARTS, query: SiteYaml, sitemap: SiteYaml } satisfies Record<EditedPart, z.ZodType>;

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The JSON schema of a part, for programs that render a form from it. */
export function partSchema(part: EditedPart): JsonSchema {
  return z.toJSONSchema(EDITED_SCHEMAS[part], { io: 'input', unrepresentable: 'any' });
}

/** One entry of `sites.json`; everything except name and path only with `?details=true`. */
export const SiteListEntry = z.object({
  name: z.string(),
  path: z.string(),
  content: ContentSource.optional(),
  code: CodeSource.optional(),
  cdn: z.object({ prod: z.object({ host: z.string() }) }).optional(),
  /** The content of the site: its mappings (the content tree derives its states from them). */
  public: PublicConfig.optional(),
  /** In front of the hosted service: the content of the site is not known yet, and `public` is omitted. */
  isUnread: z.literal(true).optional(),
});
export type SiteListEntry = z.infer<typeof SiteListEntry>;
export const SiteList = z.object({ sites: z.array(SiteListEntry) });
export type SiteList = z.infer<typeof SiteList>;

/** The parts of a profile: those of a site except `extends`. */
export type ProfilePart = Exclude<SitePart, 'extends'>;
export const PROFILE_PART_NAMES = SITE_PART_NAMES.filter((part): part is ProfilePart => part !== 'extends');

/** One entry of `profiles.json`; everything except name and path only with `?details=true`. */
export const ProfileListEntry = SiteListEntry.omit({ public: true, isUnread: true });
export const ProfileList = z.object({ profiles: z.array(ProfileListEntry) });
export type ProfileList = z.infer<typeof ProfileList>;
