import { z } from 'zod';
import { CONFIGURATION_PATH, contentRoot, parseMapping, printMapping } from '#contract/mappings.ts';
import { parseJson } from '#extension/api/exchange.ts';
import { rowMappings } from '#extension/setup/sites/propose-rows.ts';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import { readText } from '../read-text.ts';
import { UsageProblem } from '../surroundings.ts';

const Paths = z.looseObject({ mappings: z.array(z.string()), includes: z.array(z.string()).optional() });

export interface LegacyPaths {
  readonly contentRoot: string;
  readonly mappings: string[];
  readonly includes: string[];
  /** Where it is not the usual one. */
  readonly configurationPage?: string;
  /** What was made different, for a person. */
  readonly notes: readonly string[];
}

/** Reads a project's paths.json and makes of it the mappings that the service needs. `root` stands in where it is missing. */
export async function readLegacyPaths(path: string, root: string | undefined): Promise<LegacyPaths> {
  const text = await readText(path);
  const parsed = Paths.safeParse(text === undefined ? { mappings: [] } : parseJson(text));
  if (!parsed.success) throw new UsageProblem(words.import.pathsUnreadable(path));
  const { mappings, includes = [] } = parsed.data;
  const contentPath = contentRoot(mappings) ?? root?.replace(/\/$/, '');
  if (contentPath === undefined) throw new UsageProblem(words.import.noRoot(path));
  const notes: string[] = [];
  const kept = mappings.map((mapping) => wholeTree(mapping, notes));
  const configuration = kept.map(parseMapping).find((mapping) => 'public' in mapping && mapping.public === CONFIGURATION_PATH);
  const page = configuration !== undefined && 'content' in configuration ? configuration.content : `${contentPath}/configuration`;
  if (configuration === undefined) notes.push(words.import.mappedConfiguration(page));
  const whole = [
    ...kept,
    ...rowMappings(contentPath, page).filter((needed) => !kept.some((mapping) => publicPath(mapping) === publicPath(needed))),
  ];
  const included = includes.some((prefix) => `${contentPath}/`.startsWith(prefix)) ? includes : [...includes, `${contentPath}/`];
  return {
    contentRoot: contentPath,
    mappings: whole,
    includes: included,
    notes,
    ...(page === `${contentPath}/configuration` ? {} : { configurationPage: page }),
  };
}

/** `/content/site:/` means the root page alone; what a project means by it is the root and all below. */
function wholeTree(text: string, notes: string[]): string {
  const mapping = parseMapping(text);
  if (!('public' in mapping) || mapping.public !== '/' || mapping.content.endsWith('/')) return text;
  const whole = printMapping({ ...mapping, content: `${mapping.content}/` });
  notes.push(words.import.rootSlash(text, whole));
  return whole;
}

function publicPath(text: string): string {
  const mapping = parseMapping(text);
  return 'public' in mapping ? mapping.public : text;
}
