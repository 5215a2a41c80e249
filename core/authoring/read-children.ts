import { z } from 'zod';
import { parseJson, refusal } from '../api/exchange.ts';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import type { ContentPage } from '../sites/content-page.ts';
import { eachBounded } from '../sites/each-bounded.ts';
import type { Known } from '../situation/situation.ts';
import { Content, Node, isLiveCopyRoot, pagesBelow, toContentPage } from './content-page.ts';
import type { NodeKind } from './content-page.ts';
import { patientProxy } from './patient-proxy.ts';
import { failureOf, readSling } from './read-sling.ts';

/** How many pages are asked for their properties at once, where a level is too large to come in one answer. */
const AT_ONCE = 8;
/** Three levels hold a child's properties, the pages below it and the master of a live copy. */
const DEEPEST = 3;

/**
 * Reads the pages and folders directly below a path: in one answer if possible; if the authoring system answers 300 (more than 200 resources,
 * docs/design-facts.md 2.1), at the deepest level that it offers, and the rest page by page, a few at a time, up to `most`.
 */
export async function readChildren(
  impatient: AuthoringProxy,
  path: string,
  most = Number.POSITIVE_INFINITY,
): Promise<Known<readonly ContentPage[]>> {
  const proxy = patientProxy(impatient);
  const read = await readAsDeepAsPossible(proxy, path);
  if (read.state !== 'known') return read;
  const { node, depth } = read.value;
  const children = pagesBelow(node)
    .slice(0, most)
    .map(([name, child, kind]) => ({ path: `${path}/${name}`, child, kind }));
  const pages = await eachBounded(children, AT_ONCE, (entry) => page(proxy, entry, depth));
  const failed = pages.find((answer) => answer.state === 'failed');
  if (failed !== undefined) return failed;
  return { state: 'known', value: pages.flatMap((answer) => (answer.state === 'known' ? [answer.value] : [])) };
}

interface Deep {
  readonly node: Node;
  readonly depth: number;
}

async function readAsDeepAsPossible(proxy: AuthoringProxy, path: string): Promise<Known<Deep>> {
  let depth = DEEPEST;
  for (;;) {
    const answer = await proxy.read(`${path}.${depth}.json`);
    if (!answer.ok) return { state: 'failed', failure: answer.failure };
    const { status, text } = answer.received;
    if (status === 404) return { state: 'missing' };
    if (status === 300 && depth > 1) {
      depth = Math.max(1, Math.min(depth - 1, offered(text)));
      continue;
    }
    if (status !== 200) return { state: 'failed', failure: failureOf(answer.received) };
    const node = Node.safeParse(parseJson(text));
    if (node.success) return { state: 'known', value: { node: node.data, depth } };
    return { state: 'failed', failure: { ...refusal(answer.received), kind: 'unexpected' } };
  }
}

const Alternatives = z.array(z.string());

/** The deepest level among the addresses that a 300 offers; one level where it offers nothing that can be read. */
function offered(text: string): number {
  const alternatives = Alternatives.safeParse(parseJson(text));
  const depths = (alternatives.success ? alternatives.data : []).map((address) => Number(/\.(\d+)\.json$/.exec(address)?.[1] ?? 1));
  return Math.max(1, ...depths);
}

interface Child {
  readonly path: string;
  readonly child: Node;
  readonly kind: NodeKind;
}

/** A child as the answer holds it, or read by itself where the answer was too shallow for what matters. */
async function page(proxy: AuthoringProxy, { path, child, kind }: Child, depth: number): Promise<Known<ContentPage>> {
  const place = { path, kind, title: child['jcr:title'], hasChildren: depth < 2 || pagesBelow(child).length > 0 };
  if (kind === 'folder') return { state: 'known', value: toContentPage(place, undefined) };
  const held = depth < 2 ? undefined : Content.safeParse(child['jcr:content']);
  const whole = held?.success === true && (depth > 2 || !isLiveCopyRoot(held.data));
  if (held?.success === true && whole) return { state: 'known', value: toContentPage(place, held.data) };
  const read = await readContentPage(proxy, place);
  return read.state === 'missing' ? { state: 'known', value: toContentPage(place, undefined) } : read;
}

/** One page with its properties. `hasChildren` is what is known of it before. */
export async function readContentPage(
  proxy: AuthoringProxy,
  place: { readonly path: string; readonly kind: NodeKind; readonly hasChildren: boolean; readonly title?: string | undefined },
): Promise<Known<ContentPage>> {
  const content = await readSling(proxy, `${place.path}/jcr:content.1.json`, Content);
  if (content.state !== 'known') return content;
  return { state: 'known', value: toContentPage(place, content.value) };
}
