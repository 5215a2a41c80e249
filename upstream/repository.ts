import { CODE_FILE_NAMES, type CodeCheck, type CodeCheckQuery, type CodeFileStates } from '@repoless/contract/code-check.ts';
import { branchSentence, codeSentence } from '@repoless/contract/code-sentences.ts';
import type { HostedAnswer } from './ask.ts';
import { callerKey, type Call } from './call.ts';

type Look = Pick<CodeCheck, 'repository' | 'branch' | 'sha' | 'files' | 'detail'>;

/**
 * What the code host shows publicly of a repository, over git's protocol. A repository that it does not show may be private, which the
 * hosted service reads through the vendor's app: only the first sync can tell. External repositories are read by Cloud Manager.
 */
export async function lookAt(call: Call, { type, owner, repo }: CodeCheckQuery, branch: string): Promise<Look> {
  const { info, codeHostRaw } = call.options;
  const place = `${info.codeHost}/${owner}/${repo}`;
  if (type === 'byogit')
    return { repository: 'unchecked', detail: codeSentence('sourceOfCloudManager', { repository: `${owner}/${repo}` }) };
  const refs = await get(call, info.codeHost, [owner, repo, 'info', 'refs'], '?service=git-upload-pack');
  if (refs === undefined) return { repository: 'unchecked', detail: codeSentence('sourceUnseen', { place }) };
  switch (refs.status) {
    case 200:
      break;
    case 401:
    case 403:
    case 404:
      return { repository: 'unchecked', detail: codeSentence('sourceNotPublic', { place }) };
    case 301:
    case 302:
      return { repository: 'missing', detail: codeSentence('sourceMoved.hosted', { place }) };
    default:
      return { repository: 'unchecked', detail: codeSentence('sourceUnseenStatus', { status: refs.status, place }) };
  }
  const sha = commitOf(refs.text, branch);
  if (sha === undefined) return { repository: 'found', branch: 'missing', detail: codeSentence('branchNotThere', { place, branch }) };
  const states = await Promise.all(
    CODE_FILE_NAMES.map(async (name) => {
      const answer = await get(call, codeHostRaw, [owner, repo, ...branch.split('/'), name]);
      return answer?.status === 200 ? [[name, 'found']] : answer?.status === 404 ? [[name, 'missing']] : [];
    }),
  );
  const files = Object.fromEntries(states.flat()) as CodeFileStates;
  return { repository: 'found', branch: 'found', sha, files, detail: branchSentence(place, branch, files) };
}

/** Each line starts with its length in four hexadecimal digits, which the pattern must not include. */
function commitOf(refs: string, branch: string): string | undefined {
  const line = refs.split(/[\0\n]/).find((one) => one.endsWith(` refs/heads/${branch}`));
  const sha = line?.split(' ', 1)[0]?.slice(refs.includes('object-format=sha256') ? -64 : -40);
  return sha !== undefined && /^[0-9a-f]+$/.test(sha) ? sha : undefined;
}

/** Without the caller's credential, which is for the hosted service only. Undefined if there is no response. */
async function get(call: Call, base: string, path: readonly string[], query = ''): Promise<HostedAnswer | undefined> {
  const { options } = call;
  const { pathname } = new URL(base);
  const address = `${pathname.replace(/\/$/, '')}/${path.map(encodeURIComponent).join('/')}${query}`;
  return await options
    .ask({ method: 'GET', base: new URL(base).origin, path: address, org: base, caller: callerKey(call) })
    .catch(() => undefined);
}
