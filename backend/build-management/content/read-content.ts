import type { BuildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import { BranchName, type GitBranch, type GitTree } from '@repoless/contract/build-management.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { bearerOf } from '../../secrets/secret-box.ts';
import type { ListedEntry } from '../../git/read-objects.ts';
import { type BuildContext, type BuildOperation, type Services, accessTokenOf, isSecretOf } from '../context.ts';
import { refreshOrRefuse, unreachable } from '../repositories/refresh-mirror.ts';
import type { StoredRepository } from '../store/repositories.ts';

const RULES = '.hlxignore';
/**
 * The maximum age of the mirror, in milliseconds. A sync reads the ignore rules first, which queries the vendor; the commit of the branch, read
 * next, is then equally recent, and the files need no further query.
 */
const BRANCH_WITHIN = 1000;
const FILE_WITHIN = 10_000;
/** Bytes of a list entry in an answer, in addition to its path. */
const ENTRY_BYTES = 200;
const POINTER = 'version https://git-lfs.github.com/spec/v1';

/** `{raw_url}/{owner}/{repo}/{ref}/{path}`: the bytes of a file, for the holder of the current secret. */
export const readRaw: BuildOperation<BuildManagementEndpoints['readRaw']> = async (context, { params, headers }) => {
  const repository = await admit(context, params, headers['authorization']);
  const { path, oid } = await findCommit(context, repository, params.ref, { within: params.path === RULES ? 0 : FILE_WITHIN });
  const file = isPlainPath(params.path) ? await context.objects.find(path, `${oid}:${params.path}`) : undefined;
  if (file?.type !== 'blob') throw noFile(params.path, params.ref);
  if (file.size > context.rules.fileLimit) {
    const limit = Math.floor(context.rules.fileLimit / 1024 / 1024);
    throw new Refusal('FILE_TOO_LARGE', `${params.path} has ${file.size} bytes; files of up to ${limit} MB are served.`, {
      data: { path: params.path, limit: `${limit}` },
    });
  }
  context.reserve(repository.org, file.size);
  const bytes = await withRepair(context, repository, () => context.objects.bytes(path, file.oid));
  if (bytes === undefined) throw noFile(params.path, params.ref);
  const isPointer = bytes.length < 1024 && new TextDecoder().decode(bytes.subarray(0, POINTER.length)) === POINTER;
  return {
    status: 200,
    body: bytes,
    etag: `"${file.oid}"`,
    headers: {
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      ...(isPointer && { 'x-git-lfs': 'pointer' }),
    },
  };
};

export const readBranch: BuildOperation<BuildManagementEndpoints['readBranch']> = async (context, { params, headers }) => {
  const repository = await admit(context, params, headers['authorization']);
  const { path, oid } = await findCommit(context, repository, params.branch, { within: BRANCH_WITHIN });
  const tree = await context.objects.find(path, `${oid}^{tree}`);
  const commit = await context.objects.find(path, oid);
  const text = (commit?.size ?? Infinity) > COMMIT_BYTES ? undefined : await context.objects.bytes(path, oid);
  return {
    status: 200,
    body: { name: params.branch, commit: { sha: oid, commit: { tree: { sha: tree?.oid ?? '' }, ...aboutOf(text) } } },
    etag: `"${oid}"`,
  };
};

/** The message of a larger commit is omitted. */
const COMMIT_BYTES = 64 * 1024;

function aboutOf(bytes: Uint8Array | undefined): Pick<GitBranch['commit']['commit'], 'author' | 'message'> {
  if (bytes === undefined) return {};
  const text = new TextDecoder().decode(bytes);
  const end = text.indexOf('\n\n');
  const [, name, seconds] = /^author ([^<\n]*) <[^>\n]*> (\d{1,12}) /m.exec(text.slice(0, end)) ?? [];
  const author = name === undefined ? {} : { author: { name, date: new Date(Number(seconds) * 1000).toISOString() } };
  return { ...author, ...(end >= 0 && { message: text.slice(end + 2) }) };
}

/** `{url}/repos/{owner}/{repo}/git/trees/{sha}?recursive=true` */
export const readTree: BuildOperation<BuildManagementEndpoints['readTree']> = async (context, { params, query, headers }) => {
  const repository = await admit(context, params, headers['authorization']);
  const { path, oid } = await findCommit(context, repository, params.sha, { within: BRANCH_WITHIN });
  const isRecursive = query.recursive !== undefined && query.recursive !== '0' && query.recursive !== 'false';
  const isTree = (await context.objects.find(path, `${oid}^{tree}`)) !== undefined;
  if (!isTree)
    throw new Refusal('BRANCH_NOT_FOUND', `"${params.sha}" is not a tree. Use a commit or a branch.`, { data: { branch: params.sha } });
  const list = async () => {
    const entries: GitTree['tree'] = [];
    let bytes = 0;
    const listed = await context.objects.tree(path, oid, isRecursive, (entry) => {
      entries.push(entryView(entry));
      bytes += ENTRY_BYTES + 2 * entry.path.length;
    });
    context.reserve(repository.org, bytes);
    if (listed === undefined) throw new Error(`The tree of ${oid} cannot be read from the mirror.`);
    return { tree: entries, truncated: listed.truncated };
  };
  const { tree, truncated } = await context.listings.run(repository.org, () => withRepair(context, repository, list));
  const body: GitTree = { sha: oid, tree, truncated };
  return { status: 200, body, etag: `"${oid}${isRecursive ? '' : '-flat'}"` };
};

async function findCommit(
  context: BuildContext,
  repository: StoredRepository,
  ref: string,
  { within }: { readonly within: number },
): Promise<{ readonly path: string; readonly oid: string }> {
  const path = context.mirrors.pathOf(repository);
  const isCommit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(ref);
  if (!isCommit && !BranchName.safeParse(ref).success) throw notFound(ref);
  const name = isCommit ? ref : `refs/heads/${ref}`;
  // A commit never changes: if the mirror has it, the vendor need not be queried.
  const known = isCommit ? await context.objects.find(path, name).catch(() => undefined) : undefined;
  if (known !== undefined) return { path, oid: known.oid };
  await refreshOrRefuse(context, repository, within);
  const found = await context.objects.find(path, name);
  if (found === undefined) throw notFound(ref);
  return { path, oid: found.oid };
}

function notFound(ref: string): Refusal {
  return new Refusal('BRANCH_NOT_FOUND', `The repository has no branch or commit "${ref}". Use an existing one.`, {
    data: { branch: ref },
  });
}

/** Reads a mirror; if that fails because the mirror is damaged, recreates it and reads once more. */
async function withRepair<T>(context: BuildContext, repository: StoredRepository, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const repair = () => context.mirrors.repair(repository, accessTokenOf(context, repository));
    const isRepaired = await context.vendorCalls.run(repository.org, repair).catch((problem: unknown) => {
      throw unreachable(problem);
    });
    if (!isRepaired) throw error;
    return await work();
  }
}

function entryView({ path, mode, type, oid, size }: ListedEntry): GitTree['tree'][number] {
  const kind = type === 'blob' || type === 'commit' ? type : 'tree';
  return { path, mode, type: kind, sha: oid, ...(size !== undefined && { size }) };
}

/** No line break, which would start another request to git, and no segment that leaves the tree: git exits on those. */
function isPlainPath(path: string): boolean {
  return !/[\0\n]/.test(path) && path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

function noFile(path: string, ref: string): Refusal {
  return new Refusal('FILE_NOT_FOUND', `The file "${path}" does not exist at "${ref}".`, { data: { path } });
}

/** The repository whose current secret the request sends (`token <secret>`). An unknown repository is refused in the same way. */
export async function admit(
  { store }: Pick<Services, 'store'>,
  { owner, repo }: { readonly owner: string; readonly repo: string },
  authorization: string | undefined,
): Promise<StoredRepository> {
  const secret = bearerOf(authorization);
  const repository = secret === undefined ? undefined : await store.repositories.byCode(owner, repo);
  const hash = repository?.link?.secretHash;
  if (repository !== undefined && secret !== undefined && hash !== undefined && isSecretOf(secret, hash)) return repository;
  throw new Refusal('REPOSITORY_SECRET_REFUSED', 'The secret of the repository is missing, wrong or revoked. Link the repository again.');
}
