import { z } from 'zod';
import { PageContent } from '@repoless/contract/authoring.ts';
import { AuthoringProblem, readSling } from './sling.ts';
import type { Author } from './sling.ts';

/** A row of the content tree. */
export interface PageNode {
  readonly path: string;
  readonly title: string;
  /** False where it is certain that nothing lies below. */
  readonly expandable: boolean;
}

export const CONTENT_ROOT = '/content';

/** The pages right below a path, in the authoring system's order. */
export async function childPages(author: Author, path: string): Promise<PageNode[]> {
  const { deep, node } = await readLevels(author, path);
  const pages: PageNode[] = [];
  for (const [name, value] of Object.entries(node)) {
    const child = Child.safeParse(value);
    if (!child.success || !PAGE_TYPES.includes(child.data['jcr:primaryType'])) continue;
    const title = child.data['jcr:content']?.['jcr:title'] ?? child.data['jcr:title'] ?? name;
    pages.push({ path: `${path}/${name}`, title, expandable: !deep || hasPages(child.data) });
  }
  return pages;
}

/** Two levels, which hold the titles and whether a child has children; one level where two are too many. */
async function readLevels(author: Author, path: string): Promise<{ deep: boolean; node: Record<string, unknown> }> {
  try {
    return { deep: true, node: Node.parse((await readSling(author, path, '2')) ?? {}) };
  } catch (error) {
    if (!(error instanceof AuthoringProblem) || error.status !== 300) throw error;
    return { deep: false, node: Node.parse((await readSling(author, path, '1')) ?? {}) };
  }
}

function hasPages(node: Record<string, unknown>): boolean {
  return Object.values(node).some((value) => {
    const child = Child.safeParse(value);
    return child.success && PAGE_TYPES.includes(child.data['jcr:primaryType']);
  });
}

const PAGE_TYPES = ['cq:Page', 'sling:Folder', 'sling:OrderedFolder', 'nt:folder'];
const Node = z.record(z.string(), z.unknown());
const Child = z.looseObject({ 'jcr:primaryType': z.string(), 'jcr:title': z.string().optional(), 'jcr:content': PageContent.optional() });
