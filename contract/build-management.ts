import { z } from 'zod';
import { mayLeaveFolder, pathOf } from './addresses.ts';
import { RepositoryState } from './code-check.ts';
import type { ErrorCode } from './errors.ts';
import { PushOutcome } from './job.ts';
import { SiteName } from './names.ts';

export const BranchName = z
  .string()
  .min(1, 'Write the name of a branch.')
  .max(255)
  .regex(/^(?!-)(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]+(?<![/.])$/u, 'This is not a valid name of a branch.');

export const BranchChange = z.object({ branch: z.string(), type: z.enum(['updated', 'deleted']), commit: z.string().optional() });
export type BranchChange = z.infer<typeof BranchChange>;

/**
 * `accepted`: in progress; `done`: the configuration service was notified; `ignored`: nothing to do (`detail` says why); `refused`: the
 * signature was wrong; `failed`: `detail` says why, and it can be resent.
 */
export const DeliveryOutcome = z.enum(['accepted', 'done', 'ignored', 'refused', 'failed']);
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>;

/** An event of the git vendor, or a person's Sync Code, as it was received. Its payload is not stored. */
export const Delivery = z.object({
  id: z.string(),
  /** The vendor's identifier, by which repeated deliveries are recognized. */
  deliveryId: z.string().optional(),
  /** The vendor's name for it, e.g. `push`, `repo:push`, `Push Hook`, `git.push`; `sync code` for a person's. */
  event: z.string(),
  received: z.iso.datetime(),
  finished: z.iso.datetime().optional(),
  changes: z.array(BranchChange),
  outcome: DeliveryOutcome,
  detail: z.string().optional(),
  /** Code sync jobs that it started or joined. */
  jobs: PushOutcome.shape.jobs,
  /** How often it was run; repeated deliveries of the vendor are not run again. */
  attempts: z.number().int(),
  /** How often the vendor repeated it. */
  repeats: z.number().int(),
  /** The person who resent or started it; absent if it came from the vendor. */
  user: z.string().optional(),
});
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryList = z.object({ deliveries: z.array(Delivery) });
export type DeliveryList = z.infer<typeof DeliveryList>;

export const SyncCodeInput = z.strictObject({ branch: BranchName });

/** The current branches at the git vendor, `main` first. */
export const BranchList = z.object({ branches: z.array(z.object({ name: z.string(), commit: z.string() })) });
export type BranchList = z.infer<typeof BranchList>;

export const WebhookAnswer = z.object({
  delivery: z.string(),
  outcome: DeliveryOutcome,
  repeated: z.boolean(),
  detail: z.string().optional(),
});
export type WebhookAnswer = z.infer<typeof WebhookAnswer>;

/** A branch and a tree in the form that clients of code hosts know. */
export const GitBranch = z.object({
  name: z.string(),
  commit: z.object({
    sha: z.string(),
    commit: z.object({
      tree: z.object({ sha: z.string() }),
      author: z.object({ name: z.string(), date: z.iso.datetime() }).optional(),
      message: z.string().optional(),
    }),
  }),
});
export type GitBranch = z.infer<typeof GitBranch>;

export const GitTree = z.object({
  sha: z.string(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.enum(['blob', 'tree', 'commit']),
      sha: z.string(),
      size: z.number().int().optional(),
    }),
  ),
  truncated: z.boolean(),
});
export type GitTree = z.infer<typeof GitTree>;

export const BuildManagementInfo = z.object({
  name: z.literal('build-management'),
  version: z.string(),
  codeSync: z.object({ url: z.string(), rawUrl: z.string() }),
});

/** Git vendors whose events build management understands (docs/contract.md 7.1). */
export const GitVendor = z.enum(['github-enterprise', 'bitbucket', 'gitlab', 'azure-devops', 'other']);
export type GitVendor = z.infer<typeof GitVendor>;

/** Other vendors, which sign like GitHub, are in an alpha phase (docs/contract.md 7.1). */
export function isAlphaVendor(vendor: GitVendor): boolean {
  return vendor === 'other';
}

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
    error: 'Use the HTTPS clone address of the repository, for example https://git.example.com/team/site.git.',
  })
  .max(1000)
  .refine((value) => {
    if (!URL.canParse(value)) return false;
    const { username, password, search, hash, pathname } = new URL(value);
    return username === '' && password === '' && search === '' && hash === '' && pathname.length > 1;
  }, 'Use only the clone address: without a user name, a password, a query or a fragment. The token has a field of its own.')
  .refine((value) => !mayLeaveFolder(pathOf(value)), 'Write the path of the clone address plainly, without "..".');

/** The program of an author: `author-p<program>-e<environment>` (docs/contract.md 7.6). Programs are numbered nowhere else. */
export const ProgramId = z
  .string()
  .trim()
  .regex(/^\d{1,15}$/, 'Write the number of the program as in the address of the author: author-p<program>-e<environment>.');

/** Body of onboarding. `challenge`: also prove ownership by a file on `main`. */
export const OnboardInput = z.strictObject({
  programId: ProgramId,
  name: z.string().trim().min(1, 'Name the repository.').max(100),
  cloneUrl: CloneUrl,
  vendor: GitVendor,
  accessToken: AccessToken,
  challenge: z.boolean().optional(),
});
export type OnboardInput = z.infer<typeof OnboardInput>;

/** Body of a retry; a new access token replaces the old one. */
export const RetryInput = z.strictObject({ accessToken: AccessToken.optional() });

export const CHALLENGE_FILE = '.well-known/repoless-repository.txt';
export const RepositoryChallenge = z.object({ branch: z.string(), path: z.string(), token: z.string() });

export const RepositoryLink = z.object({ site: SiteName, linked: z.iso.datetime(), linkedBy: z.string() });
export type RepositoryLink = z.infer<typeof RepositoryLink>;

/** A webhook without the values that are shown only once. `address` does not contain the API key. */
export const Webhook = z.object({
  address: z.string(),
  created: z.iso.datetime(),
  createdBy: z.string(),
  /** The API key and the secret from before the last rotation are valid until this time. */
  previousValidUntil: z.iso.datetime().optional(),
});
export type Webhook = z.infer<typeof Webhook>;

/** An external repository. It never contains a token or secret. */
export const ExternalRepository = z.object({
  /** `code.owner` of the sites that use it. */
  programId: z.string(),
  /** `code.repo` of the sites that use it. */
  repositoryId: z.string(),
  name: z.string(),
  cloneUrl: z.string(),
  vendor: GitVendor,
  alpha: z.boolean(),
  state: RepositoryState,
  /** A sentence: why it failed or what it waits for, and what to do. */
  problem: z.string().optional(),
  /** To be committed before a retry. Absent once the file was found. */
  challenge: RepositoryChallenge.optional(),
  created: z.iso.datetime(),
  createdBy: z.string(),
  lastModified: z.iso.datetime(),
  /** When the repository was last read, and the commit of `main` at that time. */
  commit: z.string().optional(),
  fetched: z.iso.datetime().optional(),
  /** Sentences on content that cannot be served: symbolic links, submodules, files in Git LFS. */
  warnings: z.array(z.string()),
  link: RepositoryLink.optional(),
  webhook: Webhook.optional(),
});
export type ExternalRepository = z.infer<typeof ExternalRepository>;

/** `url` and `rawUrl` are `code.source.url` and `code.source.raw_url` of every site on an external repository. */
export const CodeSync = z.object({ url: z.string(), rawUrl: z.string() });
export type CodeSync = z.infer<typeof CodeSync>;

export const ExternalRepositoryList = z.object({
  codeSync: CodeSync,
  repositories: z.array(ExternalRepository),
});
export type ExternalRepositoryList = z.infer<typeof ExternalRepositoryList>;

export const LinkInput = z.strictObject({ site: SiteName });

/** `secret` is shown only once: store it as the secret `cm-byog` of the site (call 6). */
export const LinkOutcome = z.object({
  repository: ExternalRepository,
  secret: z.string(),
  /** The site whose secret was revoked, which may be the same one. */
  revoked: z.object({ site: SiteName }).optional(),
  /** `code` of the site's configuration, ready to send (call 5). */
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

/** Shown once when a webhook is created or rotated. */
export const WebhookCredentials = z.object({
  /** The address with the API key, to be entered at the git vendor. */
  address: z.string(),
  apiKey: z.string(),
  /** The vendor signs each event with it; for Azure DevOps it is the password of basic authentication. */
  secret: z.string(),
  /** For Azure DevOps, the user name of basic authentication. */
  username: z.string(),
  previousValidUntil: z.iso.datetime().optional(),
});
export type WebhookCredentials = z.infer<typeof WebhookCredentials>;

/** What the configuration service may read of a repository before a site uses it. */
export const RepositoryStatus = ExternalRepository.pick({
  programId: true,
  repositoryId: true,
  name: true,
  state: true,
  problem: true,
}).extend({
  branch: z.enum(['found', 'missing']).optional().meta({
    description: 'the requested branch as it is now at the git vendor; absent if none was requested or the repository is not READY',
  }),
  commit: z.string().optional().meta({ description: 'the commit of that branch' }),
});
export type RepositoryStatus = z.infer<typeof RepositoryStatus>;

/**
 * Body of creating a site in one click (docs/contract.md 7.7). `contentUrl` is the delivery address of the author.
 * Only administrators of the organization may set `technicalAccount`, as in other calls.
 */
export const OneClickInput = z.strictObject({
  site: SiteName,
  contentUrl: z.url({ protocol: /^https?$/, error: 'Write the delivery address of the author.' }).max(1000),
  technicalAccount: z.string().trim().min(1, 'Write the identifier of the technical account, or omit it.').max(320).optional(),
});
export type OneClickInput = z.infer<typeof OneClickInput>;

/** The site has a code source, a content source and no administrators of its own. */
export const OneClickOutcome = z.object({
  site: SiteName,
  /** The site holds the repository's secret, because it is the repository's first site. */
  holdsSecret: z.boolean(),
  /** Administrators of the organization: only they administer the site, and they can grant the role to others. */
  administeredBy: z.array(z.string()),
  delivery: Delivery,
});
export type OneClickOutcome = z.infer<typeof OneClickOutcome>;

/** Errors with which the configuration service may refuse a new site; they are passed on unchanged. */
export const CREATE_SITE_REFUSALS = [
  'NAME_INVALID',
  'HOST_LABEL_TOO_LONG',
  'CONTENT_ADDRESS_MISMATCH',
  'CONTENT_ROOT_TAKEN',
  'SECRET_NOT_ALLOWED',
  'CODE_SOURCE_NOT_FOUND',
  'CODE_SOURCE_REFUSED',
  'BUILD_MANAGEMENT_UNREACHABLE',
] as const satisfies readonly ErrorCode[];
