import { EDGE_FIELDS } from '@repoless/contract/edge-fields.ts';

/**
 * Merged over the Sites console of the authoring system (Sling Resource Merger, `/mnt/overlay`): nodes that are not named stay unchanged.
 */
const SITES_CONSOLE = '/apps/wcm/core/content/sites';
const HEAD = `${SITES_CONSOLE}/jcr:content/head`;
const SELECTION = `${SITES_CONSOLE}/jcr:content/actions/selection`;
const FOLDER = { 'jcr:primaryType': 'sling:Folder' };
const FORM = 'granite/ui/components/coral/foundation/form';
const CONTAINER = 'granite/ui/components/coral/foundation/container';

/**
 * Returns what the package installs: `files` below `jcr_root` by path, and `roots`, the paths that the package owns. Takes manifest.json,
 * the extension's address and organization (`extension`, `org`), and the script of the client library.
 */
export function contentOf({ id, name, description, headerMenuButtons }, settings, script) {
  const app = `/apps/${id}`;
  const category = `${id}.site-setup`;
  const actions = headerMenuButtons.map((button) => [`${SELECTION}/${id}-${button.id}`, actionOf(button)]);
  const overlay = { [`${HEAD}/${id}`]: includeOf(category), ...Object.fromEntries(actions) };
  const [label] = headerMenuButtons.filter((button) => button.id === 'page-properties').map((button) => button.label);
  const nodes = {
    [app]: { ...FOLDER, 'jcr:title': name, 'jcr:description': description },
    [`${app}/clientlibs`]: FOLDER,
    [`${app}/clientlibs/site-setup`]: clientLibrary(category),
    [`${app}/components`]: FOLDER,
    [`${app}/components/edge-delivery-configuration`]: {
      'jcr:primaryType': 'cq:Component',
      'jcr:title': 'Edge Delivery configuration',
      componentGroup: '.hidden',
    },
    [`${app}/components/edge-delivery-configuration/cq:dialog`]: dialog(),
    // Created if missing; the package does not own them.
    ...Object.fromEntries([...foldersTo(SELECTION), HEAD].map((path) => [path, path.startsWith(SITES_CONSOLE) ? {} : FOLDER])),
    ...overlay,
  };
  return {
    roots: [app, ...Object.keys(overlay)],
    files: {
      ...Object.fromEntries(Object.entries(nodes).map(([path, node]) => [`${platformPath(path)}/.content.xml`, printDocumentView(node)])),
      [`${app}/clientlibs/site-setup/js.txt`]: '#base=js\nextension.js\nsite-setup.js\n',
      [`${app}/clientlibs/site-setup/js/extension.js`]: `window.repoless = ${JSON.stringify({ ...settings, label })};\n`,
      [`${app}/clientlibs/site-setup/js/site-setup.js`]: script,
    },
  };
}

/** Folder names have no colon: `jcr:content` is `_jcr_content`. */
function platformPath(path) {
  return path.replaceAll(/\/([a-z]+):/g, '/_$1_');
}

/** A path and its ancestors, without `/apps`. */
function foldersTo(path) {
  const names = path.split('/').slice(2);
  return names.map((_, index) => ['/apps', ...names.slice(0, index + 1)].join('/'));
}

/**
 * Page properties load it by the category that they name, the Sites console by the category of this library. Served unminified: the
 * minifiers of older systems do not support the syntax.
 */
function clientLibrary(category) {
  return {
    'jcr:primaryType': 'cq:ClientLibraryFolder',
    categories: [category, 'cq.siteadmin.admin.properties'],
    dependencies: ['granite.ui.coral.foundation'],
    jsProcessor: ['default:none', 'min:none'],
    allowProxy: true,
  };
}

/** Includes the client library in the head of a page. */
function includeOf(category) {
  return { 'sling:resourceType': 'granite/ui/components/coral/foundation/includeclientlibs', categories: [category] };
}

/** A button that is shown while one page is selected. */
function actionOf({ id, label }) {
  return {
    'sling:resourceType': 'granite/ui/components/coral/foundation/collection/action',
    action: 'repoless.open',
    activeSelectionCount: 'single',
    ignoreRel: true,
    target: '.cq-siteadmin-admin-childpages',
    text: label,
    icon: 'gears',
    variant: 'actionBar',
    data: { view: id },
  };
}

/** The dialog of an Edge Delivery configuration (docs/design-facts.md 2.4, 2.5). */
function dialog() {
  const tabs = [...new Set(EDGE_FIELDS.map(({ tab }) => tab))];
  const items = tabs.map((tab) => {
    const fields = EDGE_FIELDS.filter((field) => field.tab === tab).map((field) => [field.key, fieldOf(field)]);
    return [tab.toLowerCase(), { 'jcr:title': tab, 'sling:resourceType': CONTAINER, margin: true, items: Object.fromEntries(fields) }];
  });
  return {
    'jcr:title': 'Edge Delivery configuration',
    'sling:resourceType': 'cq/gui/components/authoring/dialog',
    content: {
      'sling:resourceType': CONTAINER,
      items: {
        tabs: { 'sling:resourceType': 'granite/ui/components/coral/foundation/tabs', maximized: true, items: Object.fromEntries(items) },
      },
    },
  };
}

function fieldOf({ property, label, description, options }) {
  const field = { fieldLabel: label, ...(description === undefined ? {} : { fieldDescription: description }), name: `./${property}` };
  if (options === undefined) return { 'sling:resourceType': `${FORM}/textfield`, ...field };
  const items = options.map(({ id, title }) => [`type-${id}`, { text: title, value: id }]);
  return { 'sling:resourceType': `${FORM}/select`, ...field, emptyText: 'Not set', items: Object.fromEntries(items) };
}

/** The namespaces used by the names in the package. */
const NAMESPACES = {
  cq: 'http://www.day.com/jcr/cq/1.0',
  jcr: 'http://www.jcp.org/jcr/1.0',
  nt: 'http://www.jcp.org/jcr/nt/1.0',
  sling: 'http://sling.apache.org/jcr/sling/1.0',
};
const UNSTRUCTURED = 'nt:unstructured';

/**
 * Prints a node as FileVault's document view, the content of a `.content.xml`. Text, booleans and lists of text become properties, objects
 * become child nodes. A node without a primary type is `nt:unstructured`.
 */
function printDocumentView(node) {
  const declared = Object.entries(NAMESPACES).map(([prefix, address]) => `xmlns:${prefix}="${address}"`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printNode('jcr:root', node, '', declared)}`;
}

function printNode(name, { 'jcr:primaryType': type = UNSTRUCTURED, ...node }, indent, declared = []) {
  const isNode = ([, value]) => typeof value === 'object' && !Array.isArray(value);
  const children = Object.entries(node).filter(isNode);
  const properties = Object.entries(node).filter((entry) => !isNode(entry));
  const all = [['jcr:primaryType', type], ...properties];
  const attributes = [...declared, ...all.map(([key, value]) => `${key}="${escapeXml(printValue(value))}"`)];
  const opened = `${indent}<${name}\n${attributes.map((one) => `${indent}    ${one}`).join('\n')}`;
  if (children.length === 0) return `${opened}/>\n`;
  const inner = children.map(([key, child]) => printNode(key, child, `${indent}  `)).join('');
  return `${opened}>\n${inner}${indent}</${name}>\n`;
}

/** Types are in braces and lists in brackets; text that looks like either is escaped with a backslash. */
function printValue(value) {
  if (typeof value === 'boolean') return `{Boolean}${value}`;
  if (Array.isArray(value)) return `[${value.map((one) => one.replaceAll(/[\\,]/g, '\\$&')).join(',')}]`;
  const text = value.replaceAll('\\', '\\\\');
  return /^[{[]/.test(text) ? `\\${text}` : text;
}

/** Attributes preserve line breaks only as character references. */
export function escapeXml(text) {
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
