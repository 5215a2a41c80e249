import { z } from 'zod';
import { AdminAccess, Member } from './access.ts';
import { CodeSource } from './code-source.ts';
import { Mappings, PathPatterns, PathPrefix } from './mappings.ts';
import { DEFAULT_REF, hostLabelProblem, OrgName, SiteName } from './names.ts';
import { ContentSource, Folders, Suffix } from './site.ts';

const author = z
  .url({ protocol: /^https?$/, error: 'Write the address of an author, e.g. https://author-p1-e2.adobeaemcloud.com.' })
  .meta({ description: 'scheme and host of the authoring system', examples: ['https://author-p12345-e67890.adobeaemcloud.com'] });
const contentPath = PathPrefix.refine((path) => !path.endsWith('/'), 'Omit the slash at the end.').meta({
  description: 'absolute content path of a page',
  examples: ['/content/site/ch/de'],
});
const account = Member.meta({ description: 'technical account of the authoring environment; it becomes config_admin' });

/** A site in the file. Omitted values come from the defaults of the file or follow from the content root. */
export const SiteFileEntry = z.strictObject({
  name: SiteName,
  contentRoot: contentPath,
  configurationPage: z
    .union([contentPath, z.literal(false)])
    .meta({ description: 'page of the public configuration sheet; default "<contentRoot>/configuration", false for none' })
    .optional(),
  mappings: Mappings.meta({
    description: 'default: the content root to "/" and the configuration page to "/.helix/config.json"',
  }).optional(),
  includes: z
    .union([PathPatterns, z.literal(false)])
    .meta({ description: 'default "<contentRoot>/"; false: no list, everything is included' })
    .optional(),
  excludes: PathPatterns.meta({
    description: 'content that is not served even if it is included; by default, it is not changed',
  }).optional(),
  suffix: Suffix.meta({
    description: 'what the author needs after the path of a page; default that of the site, ".html" for a new site',
  }).optional(),
  overlay: ContentSource.shape.overlay
    .unwrap()
    .meta({ description: 'further content source, which the public service tries first; by default, it is not changed' })
    .optional(),
  folders: Folders.meta({
    description: 'pages that are served for all addresses below a path; by default, they are not changed',
  }).optional(),
  technicalAccount: account.optional(),
  cloudConfiguration: PathPrefix.meta({
    description: "the site's own configuration in the authoring system, below /conf; by default, it is not changed",
    examples: ['/conf/site/ch-de'],
  }).optional(),
  author: author.optional(),
  code: CodeSource.optional(),
  access: AdminAccess.optional(),
});
export type SiteFileEntry = z.infer<typeof SiteFileEntry>;

/** The declarative file of an organization's sites: what the command line plans, applies and checks. */
export const SiteFile = z
  .strictObject({
    $schema: z.string().optional(),
    version: z.literal(1, { error: 'The only version is 1.' }),
    organization: OrgName,
    service: z.url({ protocol: /^https?$/, error: 'Write the address of the configuration service.' }).optional(),
    author: author.optional(),
    code: CodeSource,
    access: AdminAccess,
    technicalAccount: account.optional(),
    /** The configuration of the base site; new configurations start with its values. */
    cloudConfiguration: PathPrefix.meta({ description: 'the configuration of the base site, from which new ones are created' }).optional(),
    sites: z.array(SiteFileEntry).max(50_000),
  })
  .superRefine(checkTogether)
  .meta({ title: 'Repoless sites', description: 'The sites of an organization that share one repository.' });
export type SiteFile = z.infer<typeof SiteFile>;

/** Rules across sites: names and content roots are unique, host names must fit, and every site needs an author. */
function checkTogether(
  file: { readonly organization: string; readonly author?: string | undefined; readonly sites: readonly SiteFileEntry[] },
  context: z.RefinementCtx,
): void {
  const names = new Map<string, number>();
  const roots = new Map<string, number>();
  for (const [index, site] of file.sites.entries()) {
    const report = (field: string, message: string) => context.addIssue({ code: 'custom', path: ['sites', index, field], message });
    const tooLong = hostLabelProblem(DEFAULT_REF, site.name, file.organization);
    if (tooLong !== undefined) report('name', tooLong);
    const siteAuthor = site.author ?? file.author;
    if (siteAuthor === undefined) report('author', 'The file names no author for all sites, so each site needs its own.');
    if (names.has(site.name)) report('name', `The name "${site.name}" is used twice. Choose another name.`);
    const root = `${siteAuthor ?? ''}${site.contentRoot}`;
    if (roots.has(root))
      report('contentRoot', `The content root ${site.contentRoot} is used twice. A content root can belong to only one site.`);
    names.set(site.name, index);
    roots.set(root, index);
  }
}

/** The JSON schema of the declarative file, for editors and for programs that write it. */
export function siteFileSchema(): unknown {
  return z.toJSONSchema(SiteFile, { io: 'input', unrepresentable: 'any' });
}
