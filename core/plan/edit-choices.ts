import { sameValue } from '@repoless/contract/json.ts';
import type { Choices } from '../situation/situation.ts';
import { edited, isList, withoutNames, type Edits, type MemberEdits } from './choices.ts';

export function editsOf(shown: Choices, next: Choices): Edits {
  const administrators = membersOf(shown.administrators, next.administrators);
  return {
    ...(shown.organization === next.organization ? {} : { organization: next.organization }),
    ...(shown.siteName === next.siteName ? {} : { siteName: next.siteName }),
    ...(shown.configurationPage === next.configurationPage ? {} : { configurationPage: next.configurationPage }),
    ...(sameValue(shown.code, next.code) ? {} : { code: next.code }),
    ...(shown.secret === next.secret ? {} : { secret: next.secret }),
    ...(administrators === undefined ? {} : { administrators }),
    ...(shown.technicalAccount === next.technicalAccount ? {} : { technicalAccount: next.technicalAccount }),
    ...(sameValue(shown.mappings, next.mappings) ? {} : { mappings: next.mappings }),
    ...(sameValue(shown.includes, next.includes) ? {} : { includes: next.includes }),
  };
}

/**
 * Combines edits; later ones win for the same subject. `proposed` are the administrators without any edit. Reverting one's own edit leaves no
 * edit, so that other people's changes to that person count.
 */
export function addEdits(earlier: Edits, later: Edits, proposed: readonly string[]): Edits {
  const [before, after] = [earlier.administrators, later.administrators];
  if (before === undefined || after === undefined) return { ...earlier, ...later };
  if (isList(after)) return { ...earlier, ...later };
  if (isList(before)) return { ...earlier, ...later, administrators: edited(before, after) };
  const notProposed = withoutNames(after.removed, proposed);
  const isBack = withoutNames(before.removed, withoutNames(before.removed, proposed));
  const administrators = {
    added: edited(before.added, { added: withoutNames(after.added, isBack), removed: after.removed }),
    removed: edited(before.removed, { added: withoutNames(after.removed, notProposed), removed: after.added }),
  };
  return { ...earlier, ...later, administrators };
}

/** Edits without what a completed plan has stored with the site, from where it is read from now on. A secret is not stored there. */
export function withoutStored(edits: Edits): Edits {
  const { administrators: _members, code: _code, secret: _secret, ...kept } = edits;
  return kept;
}

function membersOf(shown: readonly string[], next: readonly string[]): MemberEdits | undefined {
  const edits = { added: withoutNames(next, shown), removed: withoutNames(shown, next) };
  return edits.added.length === 0 && edits.removed.length === 0 ? undefined : edits;
}
