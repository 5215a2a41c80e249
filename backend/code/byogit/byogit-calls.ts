import { z } from 'zod';
import type { CodeOrigin } from '#backend/domain/code/code-origin.ts';
import type { SealedValue } from '#backend/domain/secrets/sealed-value.ts';
import type { CodeRemote } from '../code-remote.ts';
import type { CodeSettings } from '../code-settings.ts';
import { isPassing, Passing, retryAfter, retrying } from '../retry.ts';
import type { Surroundings } from '../snapshot.ts';
import { SyncProblem } from '../sync-problem.ts';

export type ByogitOrigin = Extract<CodeOrigin, { type: 'byogit' }>;

/** What others send: only what is needed is looked at. */
const Branch = z.looseObject({ name: z.string().optional(), commit: z.looseObject({ sha: z.string().regex(/^[0-9a-f]{7,64}$/i) }) });
const Tree = z.looseObject({
  truncated: z.boolean().optional(),
  tree: z.array(
    z.looseObject({ path: z.string(), mode: z.string().optional(), type: z.string(), sha: z.string(), size: z.number().optional() }),
  ),
});
export type Tree = z.infer<typeof Tree>;

/** The three calls of an external repository (service contract, section 4), tried again where they fail in passing. */
export interface ByogitCalls {
  /** Undefined where the answer is 404. `what` is how the job tells of a failure: `Unable to fetch <what>: <status>`. */
  raw(ref: string, path: string, what: string): Promise<Uint8Array | undefined>;
  /** The commit that a branch is at; undefined where there is no such branch. */
  commit(branch: string): Promise<string | undefined>;
  tree(sha: string): Promise<Tree>;
}

export function byogitCalls(
  { settings, remote }: { readonly settings: CodeSettings; readonly remote: CodeRemote },
  { owner, repo, url, rawUrl }: ByogitOrigin,
  secret: SealedValue | undefined,
  around: Surroundings,
): ByogitCalls {
  async function read(address: string, what: string, sizeLimit: number): Promise<Uint8Array | undefined> {
    const headers = secret === undefined ? {} : { authorization: secret.use((value) => `token ${value}`) };
    return await retrying(
      async () => {
        const answer = await remote.get({ url: address, headers, sizeLimit });
        if ('problem' in answer) {
          if (answer.problem === 'internal' || answer.problem === 'too-large')
            throw new SyncProblem(`Unable to fetch ${what}: ${answer.sentence}`);
          throw new Passing(answer.sentence, { last: `Unable to fetch ${what}: ${answer.sentence}` });
        }
        const { status } = answer;
        if (status === 200) return answer.body;
        if (status === 404) return undefined;
        const last = `Unable to fetch ${what}: ${status}`;
        if (isPassing(status))
          throw new Passing(`The repository answered ${status}.`, { after: retryAfter(answer.headers['retry-after']), last });
        throw new SyncProblem(last);
      },
      settings.retryDelay,
      around,
    );
  }
  async function json<S extends z.ZodType>(schema: S, address: string, what: string): Promise<z.output<S> | undefined> {
    const body = await read(address, what, ANSWER_LIMIT);
    if (body === undefined) return undefined;
    const parsed = schema.safeParse(readJson(body));
    if (parsed.success) return parsed.data;
    throw new SyncProblem(`Unable to fetch ${what}: the answer has another form than expected. Check the address code.source.url.`);
  }
  const repository = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  return {
    raw: (ref, path, what) =>
      read(`${base(rawUrl)}/${[owner, repo, ref, ...path.split('/')].map(encodeURIComponent).join('/')}`, what, settings.fileLimit),
    async commit(branch) {
      return (await json(Branch, `${base(url)}${repository}/branches/${encodeURIComponent(branch)}`, 'branch'))?.commit.sha;
    },
    async tree(sha) {
      const tree = await json(Tree, `${base(url)}${repository}/git/trees/${encodeURIComponent(sha)}?recursive=true`, 'tree');
      if (tree === undefined) throw new SyncProblem('Unable to fetch tree: 404');
      if (tree.truncated === true) {
        throw new SyncProblem(
          'The list of files is truncated: the repository has more files than its host lists at once. Remove files from the branch.',
        );
      }
      return tree;
    },
  };
}

function base(address: string): string {
  return address.replace(/\/+$/, '');
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

const ANSWER_LIMIT = 64 * 1024 * 1024;
