import { commandRefusedBy, obstacleTo, type Writer } from './access-control.ts';
import type { ContentStore, Properties, WritableTree } from './content-store.ts';
import type { SlingOutcome } from './sling-answer.ts';

const TEMPLATES = '/libs/core/franklin/templates';
export const PAGE_TEMPLATE = `${TEMPLATES}/page`;
export const CONFIGURATION_TEMPLATE = `${TEMPLATES}/configuration`;
export const PAGE_TYPE = 'core/franklin/components/page/v1/page';
export const SPREADSHEET_TYPE = 'core/franklin/components/spreadsheet/v1/spreadsheet';

/** `/bin/wcmcommand` with `cmd=createPage&parentPath&title&label&template`. A label that exists gets a number, as in real systems. */
export function createPage(store: ContentStore, environment: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const parentPath = form.get('parentPath') ?? '';
  const template = form.get('template') ?? '';
  const failed = (message: string): SlingOutcome => ({ status: 500, message, path: parentPath, title: 'Page could not be created' });
  if (form.get('cmd') !== 'createPage') return failed(`The command "${form.get('cmd') ?? ''}" is not known here.`);
  const initial = TEMPLATE_CONTENT[template];
  if (initial === undefined) return failed(`Template not found: ${template}`);
  const title = form.get('title') ?? '';
  const label = toLabel(form.get('label') || title);
  if (label === '') return failed('A page needs a label or a title.');
  return store.change(environment, (tree) => {
    if (!parentPath.startsWith('/content/') || tree.read(parentPath) === undefined) return failed(`Parent page not found: ${parentPath}`);
    const obstacle = obstacleTo(tree, parentPath, writer.email);
    if (obstacle !== undefined) return commandRefusedBy(obstacle, parentPath);
    const path = freePath(tree, `${parentPath}/${label}`);
    tree.put(path, { 'jcr:primaryType': 'cq:Page', 'jcr:created': writer.at, 'jcr:createdBy': writer.email });
    tree.put(`${path}/jcr:content`, {
      'jcr:primaryType': 'cq:PageContent',
      'jcr:title': title || label,
      'cq:template': template,
      ...initial,
      'jcr:created': writer.at,
      'jcr:createdBy': writer.email,
    });
    return {
      status: 200,
      message: 'Page created',
      path,
      title: `Page created ${path}`,
      created: true,
      changes: [{ type: 'created', argument: path }],
    };
  });
}

/** The available templates, and the initial content of their pages. */
const TEMPLATE_CONTENT: Readonly<Record<string, Properties>> = {
  [PAGE_TEMPLATE]: { 'sling:resourceType': PAGE_TYPE },
  [CONFIGURATION_TEMPLATE]: { 'sling:resourceType': SPREADSHEET_TYPE, columns: ['key', 'value'] },
  [`${TEMPLATES}/metadata`]: { 'sling:resourceType': SPREADSHEET_TYPE, columns: ['url', 'title', 'description'] },
  [`${TEMPLATES}/redirects`]: { 'sling:resourceType': SPREADSHEET_TYPE, columns: ['source', 'destination'] },
};

function toLabel(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

function freePath(tree: WritableTree, preferred: string): string {
  let path = preferred;
  for (let number = 0; tree.read(path) !== undefined; number += 1) path = `${preferred}${number}`;
  return path;
}
