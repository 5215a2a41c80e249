import { createHash } from 'node:crypto';
import type { Site } from '#contract/site.ts';
import type { Authors } from '#backend/domain/authoring/author.ts';
import { Refusal } from '#backend/domain/errors.ts';
import type { SealedValue } from '#backend/domain/secrets/sealed-value.ts';
import { contentPaths, sheetPaths } from './content-path.ts';
import { contentAnswer, refusalAnswer } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

export interface PageServices {
  /** The guarded way to authoring systems, bounded in time and size. */
  readonly authors: Authors;
  /** Shown to the authors that the settings name, and to no other. */
  readonly token: SealedValue | undefined;
  isKnownAuthor(origin: string): boolean;
}

/** The page behind a public path: asked of the site's delivery address, its markup passed on (service contract, section 5). */
export async function pageAnswer(services: PageServices, site: Site, path: string): Promise<ReadyAnswer> {
  const { content } = site;
  if (content === undefined) return notFound('The site has no content source.');
  const { source } = content;
  if (source.type !== 'markup') {
    const sentence = `Pages of a content source of type "${source.type}" are not served here; its type would have to be "markup".`;
    return refusalAnswer(501, 'CONTENT_SOURCE_NOT_SERVED', sentence);
  }
  const plain = path.endsWith(PLAIN);
  const asked = path.replace(/\.plain\.html$|\.html$/, '');
  const isSheet = asked.endsWith('.json');
  const candidates = (isSheet ? sheetPaths : contentPaths)(asked, site.public?.paths ?? {});
  if (candidates.length === 0) return notFound('No mapping of the site leads from this path to content that is published.');
  let last: ReadyAnswer = notFound('There is no such page.');
  for (const candidate of candidates) {
    const address = `${source.url.replace(/\/$/, '')}${encodeURI(candidate)}${isSheet ? '.json' : (source.suffix ?? '.html')}`;
    last = await readPage(services, address, plain);
    if (last.status !== 404) return last;
  }
  return last;
}

async function readPage({ authors, token, isKnownAuthor }: PageServices, address: string, plain: boolean): Promise<ReadyAnswer> {
  const { origin, pathname } = new URL(address);
  const authorization = isKnownAuthor(origin) ? token?.use((value) => `Bearer ${value}`) : undefined;
  const headers = { accept: 'text/html, application/json', ...(authorization !== undefined && { authorization }) };
  try {
    const answer = await authors.send({ method: 'GET', origin, path: pathname, headers });
    if (answer.status === 404) return notFound('The content source has no such page.');
    if (answer.status !== 200) return badGateway(`The content source answered ${answer.status}. ${ADVICE[answer.status] ?? ''}`.trim());
    const bytes = plain ? mainOf(answer.body) : answer.body;
    const media = answer.headers['content-type'] ?? 'text/html; charset=utf-8';
    return withSource(contentAnswer(media, bytes, `"${createHash('sha256').update(bytes).digest('base64url')}"`), address);
  } catch (error) {
    if (error instanceof Refusal) return badGateway(`The content source cannot be read. ${error.message}`);
    throw error;
  }
}

function withSource(answer: ReadyAnswer, address: string): ReadyAnswer {
  return { ...answer, headers: [...answer.headers, 'x-content-source', address] };
}

/** What a fragment is: the inside of the page's main element. */
function mainOf(bytes: Uint8Array): Uint8Array {
  const markup = new TextDecoder().decode(bytes);
  const [, main] = /<main[^>]*>([^]*)<\/main>/i.exec(markup) ?? [];
  return main === undefined ? bytes : Buffer.from(main.trim());
}

function notFound(sentence: string): ReadyAnswer {
  return refusalAnswer(404, 'ROUTE_NOT_FOUND', sentence);
}

function badGateway(sentence: string): ReadyAnswer {
  return refusalAnswer(502, 'CONTENT_UNREACHABLE', sentence.replaceAll(/[^\x20-\x7e]/g, '?'));
}

const PLAIN = '.plain.html';
const ADVICE: Readonly<Record<number, string>> = {
  401: 'The service has no access there: set CONTENT_TOKEN, or open the delivery.',
  403: 'The service has no access there: let its account read, or open the delivery.',
};
