import { isTree, mappedTo, parseMapping } from '#contract/mappings.ts';

/**
 * The mappings of a site that shall have these, in the order in which they are stored, so that order alone is no difference; but of those that
 * lead to one public path the last wins, and they are ordered as they are wanted. In: `further`, whether others that it has stay. Those to
 * a public path that gets a mapping which it did not have go in any case.
 */
export function desiredMappings(wanted: readonly string[], present: readonly string[] = [], further: 'keep' | 'remove' = 'keep'): string[] {
  const [known, all] = [new Set(present), new Set(wanted)];
  const coming = lastOfEach(wanted.filter((text) => !known.has(text)));
  const isDisplaced = displacedBy(coming);
  const kept = present.filter((text) => all.has(text) || (further === 'keep' && !isDisplaced(text)));
  const ordered = [...kept, ...coming];
  return winners(wanted) === winners(ordered.filter((text) => all.has(text)))
    ? ordered
    : [...kept.filter((text) => !all.has(text)), ...lastOfEach(wanted)];
}

function displacedBy(coming: readonly string[]): (text: string) => boolean {
  const places = new Set(coming.map(placeOf));
  const roots = coming.map(parseMapping).flatMap((mapping) => ('content' in mapping && isRoot(mapping) ? [mapping.content] : []));
  return (text) => {
    if (places.has(placeOf(text))) return true;
    const mapping = parseMapping(text);
    // A start page belongs to the tree that it lies in.
    return 'content' in mapping && mapping.public === '/' && roots.some((root) => !mapping.content.startsWith(root));
  };
}

function isRoot(mapping: { readonly content: string; readonly public: string }): boolean {
  return mapping.public === '/' && isTree(mapping);
}

/** Which mapping wins where, in one text. */
function winners(texts: readonly string[]): string {
  const winning = new Map(texts.map((text) => [placeOf(text), text]));
  return JSON.stringify([...winning.values()].toSorted());
}

function placeOf(text: string): string {
  const mapping = parseMapping(text);
  return 'content' in mapping ? mappedTo(mapping) : text;
}

function lastOfEach(texts: readonly string[]): string[] {
  return [...new Set(texts.toReversed())].toReversed();
}
