import { Mapping } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF, hostLabelProblem, SiteName } from '@repoless/contract/names.ts';
import type { CloneTarget } from '@repoless/core/clone/clone-site.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';

/** What is wrong with the name and the content root of a clone, before the service is asked. In: the source's content root. */
export function cloneFieldProblems(
  messages: MessagesOf<'sites'>['clone'],
  { organization, siteName, contentRoot }: CloneTarget,
  sourceRoot: string | undefined,
): { readonly siteName?: string | undefined; readonly contentRoot?: string | undefined } {
  const root = Mapping.safeParse(`${contentRoot}/:/`).error?.issues[0]?.message;
  return {
    siteName: SiteName.safeParse(siteName).error?.issues[0]?.message ?? hostLabelProblem(DEFAULT_REF, siteName, organization),
    contentRoot:
      root ?? (contentRoot === '' ? messages.problems['page-missing'] : contentRoot === sourceRoot ? messages.sameRoot : undefined),
  };
}
