import { z } from 'zod';
import { SiteName } from './names.ts';

/** Git vendors whose events build management understands (seed design, Authentication 6). */
export const Vendor = z.enum(['github-enterprise', 'bitbucket', 'gitlab', 'azure-devops', 'other']);
export type Vendor = z.infer<typeof Vendor>;

/** Further vendors are in an alpha phase; they sign as GitHub does. */
export function isAlphaVendor(vendor: Vendor): boolean {
  return vendor === 'other';
}

/** `added` → `ownership_confirmed` → `READY`, or `failed` with the problem (service contract, section 6). */
export const RepositoryState = z.enum(['added', 'ownership_confirmed', 'READY', 'failed']);
export type RepositoryState = z.infer<typeof RepositoryState>;

const printable = /^[\x21-\x7e]+$/;
const AccessToken = z
  .string()
  .trim()
  .min(1, 'Paste the access token of the git vendor.')
  .max(4096)
  .regex(printable, 'An access token holds printable characters without spaces.');

export const CloneUrl = z
  .url({
    protocol: /^https?$/,
    error: 'Write the HTTPS clone address of the repository, for example https://git.example.com/team/site.git.',
  })
  .max(1000)
  .refine((value) => {
    if (!URL.canParse(value)) return false;
    const { username, password, search, hash, pathname } = new URL(value);
    return username === '' && password === '' && search === '' && hash === '' && pathname.length > 1;
  }, 'Write the clone address alone: without a user name, a password, a query or a fragment. The token has a field of its own.');

/** Body of onboarding. `challenge`: prove ownership by a file on `main` as well. */
export const OnboardInput = z.strictObject({
  name: z.string().trim().min(1, 'Name the repository.').max(100),
  cloneUrl: CloneUrl,
  vendor: Vendor,
  accessToken: AccessToken,
  challenge: z.boolean().optional(),
});
export type OnboardInput = z.infer<typeof OnboardInput>;

/** Body of a retry; a new access token takes the place of the old one. */
export const RetryInput = z.strictObject({ accessToken: AccessToken.optional() });

/** The file that proves ownership where it is asked for. */
export const CHALLENGE_FILE = '.well-known/repoless-repository.txt';
export const RepositoryChallenge = z.object({ branch: z.string(), path: z.string(), token: z.string() });

export const RepositoryLink = z.object({ site: SiteName, linked: z.iso.datetime(), linkedBy: z.string() });
export type RepositoryLink = z.infer<typeof RepositoryLink>;

/** A webhook without what is shown once. `address` is without the API key. */
export const Webhook = z.object({
  address: z.string(),
  created: z.iso.datetime(),
  createdBy: z.string(),
  /** Until then the API key and the secret before the last rotation are good as well. */
  previousValidUntil: z.iso.datetime().optional(),
});
export type Webhook = z.infer<typeof Webhook>;

/** An external repository. No token and no secret is ever in it. */
export const ExternalRepository = z.object({
  /** `code.owner` of the sites that use it. */
  programId: z.string(),
  /** `code.repo` of the sites that use it. */
  repositoryId: z.string(),
  name: z.string(),
  cloneUrl: z.string(),
  vendor: Vendor,
  alpha: z.boolean(),
  state: RepositoryState,
  /** Why it failed or what it waits for, a sentence that says what to do. */
  problem: z.string().optional(),
  /** To be committed, then retry. Gone once it was found. */
  challenge: RepositoryChallenge.optional(),
  created: z.iso.datetime(),
  createdBy: z.string(),
  lastModified: z.iso.datetime(),
  /** The commit of `main` when the repository was last read, and when that was. */
  commit: z.string().optional(),
  fetched: z.iso.datetime().optional(),
  /** Sentences on what of it cannot be served: symbolic links, submodules, files in Git LFS. */
  warnings: z.array(z.string()),
  link: RepositoryLink.optional(),
  webhook: Webhook.optional(),
});
export type ExternalRepository = z.infer<typeof ExternalRepository>;

/** `url` and `rawUrl` are `code.source.url` and `code.source.raw_url` of every site on an external repository. */
export const CodeSync = z.object({ url: z.string(), rawUrl: z.string() });
export type CodeSync = z.infer<typeof CodeSync>;

export const ExternalRepositoryList = z.object({
  /** The program of the organization: absent until it onboards its first repository. */
  programId: z.string().optional(),
  codeSync: CodeSync,
  repositories: z.array(ExternalRepository),
});
export type ExternalRepositoryList = z.infer<typeof ExternalRepositoryList>;

export const LinkInput = z.strictObject({ site: SiteName });

/** `secret` is shown this once: set it as the secret `cm-byog` of the site (call 6). */
export const LinkOutcome = z.object({
  repository: ExternalRepository,
  secret: z.string(),
  /** The site whose secret was revoked by this, which may be the same one. */
  revoked: z.object({ site: SiteName }).optional(),
  /** `code` of the site's configuration, ready to be sent (call 5). */
  code: z.object({
    owner: z.string(),
    repo: z.string(),
    source: z.object({
      type: z.literal('byogit'),
      owner: z.string(),
      repo: z.string(),
      url: z.string(),
      raw_url: z.string(),
      secretId: z.literal('cm-byog'),
    }),
  }),
});
export type LinkOutcome = z.infer<typeof LinkOutcome>;

/** What is shown once when a webhook is made or rotated. */
export const WebhookCredentials = z.object({
  /** With the API key: what is entered at the git vendor. */
  address: z.string(),
  apiKey: z.string(),
  /** The vendor signs each event with it; for Azure DevOps the password of the basic credentials. */
  secret: z.string(),
  /** For Azure DevOps the user name of the basic credentials. */
  username: z.string(),
  previousValidUntil: z.iso.datetime().optional(),
});
export type WebhookCredentials = z.infer<typeof WebhookCredentials>;
