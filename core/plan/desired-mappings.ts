import { isTree, mappedTo, parseMapping, readMappings } from '@repoless/contract/mappings.ts';

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
  // A root that comes brings its own start page.
  const bringsRoot = readMappings(coming).some((mapping) => mapping.public === '/' && isTree(mapping));
  return (text) => places.has(placeOf(text)) || (bringsRoot && text.endsWith(':/'));
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
