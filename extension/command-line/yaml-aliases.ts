import { isAlias, isNode, visit } from 'yaml';
import type { Document } from 'yaml';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';

export interface AliasProblem {
  readonly offset: number;
  readonly sentence: string;
}

/** How many nodes all aliases of a file may stand for. */
const MOST = 1000;

/**
 * Aliases that stand for nothing, as every text is read that begins with an asterisk and is not quoted, and those that are part of what they
 * stand for.
 */
export function aliasProblems(document: Document): AliasProblem[] {
  const anchors = new Set<string>();
  const problems: AliasProblem[] = [];
  visit(document, (_key, node, above) => {
    if (!isNode(node)) return;
    if (!isAlias(node)) {
      if ('anchor' in node && typeof node.anchor === 'string') anchors.add(node.anchor);
      return;
    }
    const { source } = node;
    const sentence = !anchors.has(source)
      ? messages.file.noAnchor(source)
      : above.some((one) => isNode(one) && 'anchor' in one && one.anchor === source)
        ? messages.file.ownAnchor(source)
        : undefined;
    if (sentence !== undefined) problems.push({ offset: node.range?.[0] ?? 0, sentence });
  });
  return problems;
}

/** The value of a document whose aliases all stand for something; a problem at the first of them where they grow without end. */
export function valueOf(document: Document): { readonly value: unknown } | { readonly problem: AliasProblem } {
  try {
    return { value: document.toJS({ maxAliasCount: MOST }) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { problem: { offset: firstAlias(document), sentence: messages.file.manyAliases } };
  }
}

function firstAlias(document: Document): number {
  let offset = 0;
  visit(document, {
    Alias: (_key, { range }) => {
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}
