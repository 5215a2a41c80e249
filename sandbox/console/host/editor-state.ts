import type { Environment } from '../settings.ts';
import type { EditorState } from './host-api.ts';

/** The state of an editor that has the page open. */
export function editorState(environment: Environment, path: string | undefined): EditorState {
  const resource = `urn:aemconnection:${path ?? '/content'}/jcr:content`;
  return {
    connections: { aemconnection: `aem:${environment.address}` },
    selected: {},
    editables: path === undefined ? [] : [{ id: 'page', resource, type: 'container', label: 'Page' }],
    location: `${environment.address}${path ?? '/content'}.html`,
    customTokens: {},
  };
}
