import { commandRefusedBy, obstacleTo } from './access-control.ts';
import type { ContentStore } from './content-store.ts';
import { createPage } from './create-page.ts';
import type { SlingOutcome } from './sling-answer.ts';
import type { Writer } from './writer.ts';

/** `/bin/wcmcommand`: makes a page, or locks one for its author and gives it back. */
export function pageCommand(store: ContentStore, environment: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const command = form.get('cmd');
  return command === 'lockPage' || command === 'unlockPage'
    ? setLock(store, environment, { path: form.get('path') ?? '', locks: command === 'lockPage' }, writer)
    : createPage(store, environment, form, writer);
}

/** As the field does it, on the content of the page and on all below that. */
function setLock(
  store: ContentStore,
  environment: string,
  { path, locks }: { readonly path: string; readonly locks: boolean },
  { email }: Writer,
): SlingOutcome {
  const content = `${path}/jcr:content`;
  return store.change(environment, (tree) => {
    const held = tree.read(content)?.properties;
    const title = `${locks ? 'Lock' : 'Unlock'} ${path}`;
    if (held === undefined) return { status: 404, message: `Page not found: ${path}`, path, title };
    const obstacle = obstacleTo(tree, content, email);
    if (obstacle !== undefined) return commandRefusedBy(obstacle, content);
    const { 'jcr:lockOwner': _owner, 'jcr:lockIsDeep': _deep, ...others } = held;
    tree.put(content, locks ? { ...others, 'jcr:lockOwner': email, 'jcr:lockIsDeep': true } : others);
    return { status: 200, message: 'OK', path, title, changes: [{ type: 'modified', argument: content }] };
  });
}
