import { z } from 'zod';
import { CodeSourceType, RepositoryName } from './code-source.ts';
import { SiteParams } from './endpoint-parts.ts';
import { answer, endpoint } from './endpoint.ts';

/** `added` → `ownership_confirmed` → `READY`, or `failed` with the problem (docs/contract.md 7.1). */
export const RepositoryState = z.enum(['added', 'ownership_confirmed', 'READY', 'failed']);
export type RepositoryState = z.infer<typeof RepositoryState>;

/** Files of a branch that the editor and the hosts need, or that are obsolete, and whether the branch has them. */
const FileState = z.enum(['found', 'missing']);
const CodeFileStates = z.object({
  'component-definition.json': FileState.optional(),
  'component-models.json': FileState.optional(),
  'component-filters.json': FileState.optional(),
  'head.html': FileState.optional(),
  'config.json': FileState.optional(),
  'fstab.yaml': FileState.optional(),
  'paths.json': FileState.optional(),
});
export type CodeFileStates = z.infer<typeof CodeFileStates>;
export const CODE_FILE_NAMES = CodeFileStates.keyof().options;
/** Files that the editor requires: if one is missing, it shows a white page (docs/design-facts.md 2.8). */
export const EDITOR_FILES = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'] as const;

/** A branch as its repository names it: printable, without spaces and without `*`, `:`, `?`, `[`, `\\`, `^` and `~`, which git refuses. */
export const GitBranchName = z
  .string()
  .max(255)
  .regex(/^[!-)+-9;->@-Z\]_-}\u00a1-\uffff]+$/, 'Write the name of a branch, e.g. main.');

/** The code source to check. `url` is `code.source.url`; by default, that of the code host or of build management. */
export const CodeCheckQuery = z.object({
  type: CodeSourceType,
  owner: RepositoryName,
  repo: RepositoryName,
  ref: GitBranchName.optional(),
  url: z
    .url({ protocol: /^https?$/, error: 'Write an http(s) address.' })
    .max(1000)
    .optional(),
});
export type CodeCheckQuery = z.infer<typeof CodeCheckQuery>;

export const CodeCheck = z.object({
  type: CodeSourceType,
  owner: z.string(),
  repo: z.string(),
  ref: z.string(),
  repository: z.enum(['found', 'missing', 'refused', 'unreachable', 'unchecked']).meta({
    description:
      '`refused`: private or missing, which the code host does not distinguish; `unreachable`: no valid response; `unchecked`: an external repository at an address that is not requested; its first sync will show',
  }),
  /** Absent if no branch was requested or it could not be checked. */
  branch: z.enum(['found', 'missing']).optional(),
  sha: z.string().optional(),
  /** Files of the branch; those that could not be checked are omitted. */
  files: CodeFileStates.optional(),
  /** The state of an external repository at the service's own build management. */
  state: RepositoryState.optional(),
  detail: z.string().meta({ description: 'what was checked, the result, and what to do' }),
});
export type CodeCheck = z.infer<typeof CodeCheck>;

export const codeCheckEndpoints = {
  /** The site need not exist: the check precedes its registration. */
  checkCode: endpoint({
    method: 'GET',
    path: '/config/{org}/sites/{site}/code/check.json',
    params: SiteParams,
    query: CodeCheckQuery,
    permission: 'config:write',
    answers: { 200: answer('the state of the code source, good or bad', CodeCheck) },
    errors: ['ORG_NOT_FOUND'],
    tag: 'Code',
    summary: 'Check a code source before a site uses it',
  }),
} as const;
