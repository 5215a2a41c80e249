import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { CommitAbout } from '@repoless/contract/job.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readJson } from '../domain/documents.ts';
import { pathsProblem } from '../git/read-objects.ts';
import { tooManyFiles } from './git-snapshot.ts';
import { IGNORE_FILE_LIMIT } from './select-files.ts';
import {
  BranchMovedError,
  commitAbout,
  type CodeRemote,
  type CodeSettings,
  IGNORE_FILE,
  isTransient,
  SourceMissing,
  type RemoteProblem,
  retryAfter,
  retrying,
  type Snapshot,
  type SourceFile,
  type SyncContext,
  SyncProblem,
  TransientError,
} from './snapshot.ts';
import type { CodeOrigin } from './rules/ports.ts';
import { createTimeSlices, yieldToEventLoop } from '../domain/fair-share.ts';

/** The newest commit of a branch. `.hlxignore` is read first: a wrong secret shows in the failure of that call. */
export async function byogitSnapshot(
  services: ByogitServices,
  origin: ByogitOrigin,
  branch: string,
  secret: SealedValue | undefined,
  context: SyncContext,
): Promise<Snapshot> {
  const calls = byogitCalls(services, origin, secret, context);
  const rules = await calls.raw(branch, IGNORE_FILE, 'hlxignore', IGNORE_FILE_LIMIT);
  const { sha, about } = await calls.commit(branch);
  const files: SourceFile[] = [];
  await calls.tree(sha, collectFiles(files, services.settings.fileCountLimit));
  if (files.length === 0) throw new SyncProblem(codeSentence('repositoryEmpty.any'));

  async function read(file: SourceFile): Promise<Uint8Array> {
    const bytes = await calls.raw(branch, file.path, file.path);
    if (bytes !== undefined && hasHash(bytes, file.oid)) return bytes;
    // Files are read by branch: after a push they no longer match the list.
    if ((await calls.commit(branch)).sha !== sha) throw new BranchMovedError(codeSentence('branchMoved'));
    throw new TransientError(codeSentence('fileDiffers.now', { what: file.path }), {
      last: codeSentence('fileDiffers.last', { what: file.path }),
    });
  }

  return {
    branch,
    sha,
    commit: about,
    ignoreRules: rules === undefined ? undefined : new TextDecoder().decode(rules),
    files,
    async read(files, take) {
      const waiting = [...new Map(files.map((file) => [file.oid, file])).values()].values();
      const failed = new AbortController();
      const worker = async () => {
        for (const file of waiting) {
          context.signal.throwIfAborted();
          if (failed.signal.aborted) return;
          await take(file, await retrying(() => read(file), services.settings.retryDelay, context));
        }
      };
      const guarded = () => worker().catch((error: unknown) => (failed.abort(), Promise.reject(error)));
      const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, guarded));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    },
  };
}

/** Counts files and the characters of their paths before they are held. Throws SyncProblem. */
function collectFiles(files: SourceFile[], limit: number): (entry: TreeEntry) => void {
  let characters = 0;
  return ({ path, mode, type, sha, size }) => {
    if (type === 'tree') return;
    const kind = type === 'commit' || mode === '160000' ? 'submodule' : mode === '120000' ? 'symlink' : 'file';
    characters += path.length;
    const problem = pathsProblem(path.length, characters);
    if (problem !== undefined) throw new SyncProblem(problem);
    files.push({ path: path.replace(/^\//, ''), kind, oid: sha.toLowerCase(), ...(size !== undefined && { size }) });
    if (files.length > limit) throw tooManyFiles(limit);
  };
}

/** Whether this is git's hash of these bytes. A hash of another kind cannot be checked. */
function hasHash(bytes: Uint8Array, oid: string): boolean {
  const algorithm = oid.length === 40 ? 'sha1' : oid.length === 64 ? 'sha256' : undefined;
  if (algorithm === undefined) return true;
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === oid;
}

const AT_ONCE = 8;

export type ByogitOrigin = Extract<CodeOrigin, { type: 'byogit' }>;

interface ByogitServices {
  readonly settings: CodeSettings;
  readonly remote: CodeRemote;
}

/** Received from another program: only the required members are parsed. */
const Author = z.looseObject({ name: z.string().optional(), date: z.string().optional() });
const About = z.looseObject({ author: Author.optional(), message: z.string().optional() }).optional().catch(undefined);
const Branch = z.looseObject({
  name: z.string().optional(),
  commit: z.looseObject({ sha: z.string().regex(/^[0-9a-f]{7,64}$/i), commit: About }),
});

/** The three calls of an external repository (docs/contract.md 7.5), with retries after transient failures. */
interface ByogitCalls {
  /** Undefined if the answer is 404. `what` is used in the error of the job: `Unable to fetch <what>: <status>`. */
  raw(ref: string, path: string, what: string, sizeLimit?: number): Promise<Uint8Array | undefined>;
  /** The commit of a branch. Rejects with SourceMissing if there is no such branch. */
  commit(branch: string): Promise<{ readonly sha: string; readonly about: CommitAbout }>;
  /** `take` receives each entry, and ends the reading by throwing. */
  tree(sha: string, take: (entry: TreeEntry) => void): Promise<void>;
}

export function byogitCalls(
  { settings, remote }: ByogitServices,
  { owner, repo, url, rawUrl }: ByogitOrigin,
  secret: SealedValue | undefined,
  context: SyncContext,
): ByogitCalls {
  async function read({ url: address, base: below }: ByogitAddress, what: string, sizeLimit: number): Promise<Uint8Array | undefined> {
    const headers = secret === undefined ? {} : { authorization: secret.use((value) => `token ${value}`) };
    return await retrying(
      async () => {
        const answer = await remote.get({ url: address, base: below, headers, sizeLimit, signal: context.signal });
        if ('problem' in answer) {
          const last = codeSentence('fetchFailed', { what, problem: answer.sentence });
          throw PERMANENT.includes(answer.problem) ? new SyncProblem(last) : new TransientError(answer.sentence, { last });
        }
        const { status } = answer;
        if (status === 200) return answer.body;
        if (status === 404) return undefined;
        const last = codeSentence('fetchStatus', { what, status });
        if (isTransient(status))
          throw new TransientError(codeSentence('repositoryStatus', { status }), {
            after: retryAfter(answer.headers['retry-after']),
            last,
          });
        throw new SyncProblem(last);
      },
      settings.retryDelay,
      context,
    );
  }
  async function json<S extends z.ZodType>(schema: S, address: ByogitAddress, what: string): Promise<z.output<S> | undefined> {
    const body = await read(address, what, LIMITS.branchAnswer);
    if (body === undefined) return undefined;
    const parsed = schema.safeParse(readJson(body));
    if (parsed.success) return parsed.data;
    throw unexpectedForm(what);
  }
  const files = `${base(rawUrl)}/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/`;
  const api = `${base(url)}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/`;
  const below = (start: string, path: string): ByogitAddress => ({ url: `${start}${path}`, base: start });
  return {
    raw: (ref, path, what, sizeLimit = settings.fileLimit) =>
      read(below(files, [ref, ...path.split('/')].map(encodeURIComponent).join('/')), what, sizeLimit),
    async commit(branch) {
      const found = await json(Branch, below(api, `branches/${encodeURIComponent(branch)}`), 'branch');
      if (found !== undefined) {
        const { sha, commit: { author, message } = {} } = found.commit;
        return { sha, about: commitAbout({ author: author?.name, message, time: author?.date }) };
      }
      throw new SourceMissing(codeSentence('branchMissing'), `The external repository ${owner}/${repo} has no branch "${branch}".`);
    },
    async tree(sha, take) {
      const address = below(api, `git/trees/${encodeURIComponent(sha)}?recursive=true`);
      // The most bytes of an entry, times two because there may be as many folders as files.
      const body = await read(address, 'tree', Math.min(LIMITS.treeAnswer, settings.fileCountLimit * 2 * ENTRY_SIZE + LIMITS.branchAnswer));
      if (body === undefined) throw new SyncProblem(codeSentence('fetchStatus', { what: 'tree', status: 404 }));
      const tree = await readTreeAnswer(body, take);
      if (tree === undefined) throw unexpectedForm('tree');
      if (tree.truncated) throw new SyncProblem(codeSentence('filesTruncated'));
    },
  };
}

interface ByogitAddress {
  readonly url: string;
  /** The base address that the repository's secret is for. */
  readonly base: string;
}

function unexpectedForm(what: string): SyncProblem {
  return new SyncProblem(codeSentence('answerUnexpected', { what }));
}

function base(address: string): string {
  return address.replace(/\/+$/, '');
}

/** Problems that a retry does not solve. */
const PERMANENT: readonly RemoteProblem['problem'][] = ['internal', 'elsewhere', 'too-large'];
/** Bytes. */
const ENTRY_SIZE = 400;

/** Received from another program: only the required members are parsed. */
const Entry = z.looseObject({
  path: z.string(),
  mode: z.string().optional(),
  type: z.string(),
  sha: z.string(),
  size: z.number().optional(),
});
export type TreeEntry = z.infer<typeof Entry>;
const Rest = z.looseObject({ truncated: z.boolean().optional(), tree: z.array(z.never()) });

/**
 * Reads the answer to `git/trees/{sha}` entry by entry and yields in between: such answers have megabytes and come from tenants. `take`
 * receives each entry and ends the reading by throwing. Returns whether the host reports that the list is incomplete; undefined if the
 * answer has another form.
 */
export async function readTreeAnswer(bytes: Uint8Array, take: (entry: TreeEntry) => void): Promise<{ truncated: boolean } | undefined> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nextEntry = entriesOf(text);
  const pause = createTimeSlices();
  let before = '';
  let read = 0;
  for (;;) {
    const found = nextEntry();
    if (found === 'end') break;
    if (found === 'piece') {
      await yieldToEventLoop();
      continue;
    }
    await pause();
    const isLong = found.start - read > LONGEST_PIECE || found.end - found.start > LONGEST_PIECE;
    const entry = Entry.safeParse(isLong ? undefined : readJson(text.toString('utf8', found.start, found.end)));
    if (!entry.success) return undefined;
    take(entry.data);
    if (read === 0) before = text.toString('utf8', 0, found.start);
    read = found.end;
  }
  // Without its entries, the rest is a small answer with an empty list.
  const rest = Rest.safeParse(text.length - read > LONGEST_PIECE ? undefined : readJson(`${before}${text.toString('utf8', read)}`));
  return rest.success ? { truncated: rest.data.truncated === true } : undefined;
}

/** Walks through the answer. Each call returns where the next object of its list `tree` is, or that a piece has none. */
function entriesOf(text: Buffer): () => { readonly start: number; readonly end: number } | 'piece' | 'end' {
  let at = 0;
  let depth = 0;
  let start = 0;
  let isText = false;
  let isTree = false;
  return () => {
    if (at >= text.length) return 'end';
    for (const until = at + PIECE; at < until && at < text.length; at += 1) {
      const byte = text[at];
      if (isText) {
        if (byte === BACKSLASH) at += 1;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        depth += 1;
        if (depth === LIST_DEPTH) isTree = byte === OPEN_LIST && isTreeList(text, at);
        else if (depth === LIST_DEPTH + 1) start = at;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth !== LIST_DEPTH || !isTree || byte !== CLOSE_OBJECT) continue;
        at += 1;
        return { start, end: at };
      }
    }
    return 'piece';
  };
}

function isTreeList(text: Buffer, list: number): boolean {
  return /"tree"\s*:\s*$/.test(text.toString('latin1', Math.max(0, list - 50), list));
}

/** Bytes processed at once. */
const PIECE = 1024 * 1024;
/** Bytes of an entry, and of the other members. */
const LONGEST_PIECE = 16 * 1024;
/** The answer, and its list. */
const LIST_DEPTH = 2;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
