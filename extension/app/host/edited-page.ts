import { z } from 'zod';
import type { PageAddress } from './host.ts';

const EditorState = z.looseObject({
  connections: z.record(z.string(), z.string()).optional(),
  location: z.string().optional(),
  editables: z.array(z.looseObject({ resource: z.string().optional() })).optional(),
});

/**
 * The page that is open in the editor. Takes the host's `editorState`, whatever it is. Returns the author of its first connection
 * (`aem:https://author-…`) and the page's path, from the location or else from the editable elements; undefined if either is unknown.
 */
export function editedPage(state: unknown): PageAddress | undefined {
  const parsed = EditorState.safeParse(state);
  if (!parsed.success) return undefined;
  const author = authorOf(Object.values(parsed.data.connections ?? {}), parsed.data.location);
  const path = pathOf(parsed.data.location) ?? pathOfResources((parsed.data.editables ?? []).map((editable) => editable.resource));
  return author === undefined || path === undefined ? undefined : { author, path };
}

function authorOf(connections: readonly string[], location: string | undefined): string | undefined {
  for (const connection of connections) {
    const address = connection.replace(/^[a-z]+:(?=https?:)/, '');
    if (URL.canParse(address)) return new URL(address).origin;
  }
  return location !== undefined && URL.canParse(location) ? new URL(location).origin : undefined;
}

function pathOf(location: string | undefined): string | undefined {
  if (location === undefined) return undefined;
  const path = URL.canParse(location) ? new URL(location).pathname : location.split(/[?#]/)[0];
  return path?.startsWith('/content/') ? path.replace(/\.html$/, '').replace(/\/$/, '') : undefined;
}

function pathOfResources(resources: readonly (string | undefined)[]): string | undefined {
  for (const resource of resources) {
    const match = /(\/content\/[^:]*?)\/(?:jcr:content|_jcr_content)(?:\/|$)/.exec(resource ?? '');
    if (match?.[1] !== undefined) return match[1];
  }
  return undefined;
}
