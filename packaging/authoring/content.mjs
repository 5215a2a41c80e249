import { EDGE_FIELDS } from '@repoless/contract/edge-fields.ts';

/** Merged over the Sites console of the authoring system (Sling Resource Merger, `/mnt/overlay`): what is not named stays as it is there. */
const SITES_CONSOLE = '/apps/wcm/core/content/sites';
const HEAD = `${SITES_CONSOLE}/jcr:content/head`;
const SELECTION = `${SITES_CONSOLE}/jcr:content/actions/selection`;
const FOLDER = { 'jcr:primaryType': 'sling:Folder' };
const FORM = 'granite/ui/components/coral/foundation/form';
const CONTAINER = 'granite/ui/components/coral/foundation/container';

/**
 * What the package installs. In: manifest.json, the place of the extension (`extension`, `org`), and the script of the client
 * library. Out: `files` below `jcr_root` by their paths, and `roots`: the
 * paths that the package owns.
 */
export function contentOf({ id, name, description, headerMenuButtons }, place, script) {
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
    // Made where they are missing; the package does not own them.
    ...Object.fromEntries([...foldersTo(SELECTION), HEAD].map((path) => [path, path.startsWith(SITES_CONSOLE) ? {} : FOLDER])),
    ...overlay,
  };
  return {
    roots: [app, ...Object.keys(overlay)],
    files: {
      ...Object.fromEntries(Object.entries(nodes).map(([path, node]) => [`${platformPath(path)}/.content.xml`, printDocumentView(node)])),
      [`${app}/clientlibs/site-setup/js.txt`]: '#base=js\nextension.js\nsite-setup.js\n',
      [`${app}/clientlibs/site-setup/js/extension.js`]: `window.repoless = ${JSON.stringify({ ...place, label })};\n`,
      [`${app}/clientlibs/site-setup/js/site-setup.js`]: script,
    },
  };
}

/** The names of folders have no colon: `jcr:content` is `_jcr_content`. */
function platformPath(path) {
  return path.replaceAll(/\/([a-z]+):/g, '/_$1_');
}

/** A path and those above it, without `/apps`. */
function foldersTo(path) {
  const names = path.split('/').slice(2);
  return names.map((_, index) => ['/apps', ...names.slice(0, index + 1)].join('/'));
}

/**
 * Loaded in the page properties by the category that they ask for, and in the Sites console by the category of this library. It is
 * served as it is: minifiers of older systems do not know the language.
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

/** Puts the client library into the head of a page. */
function includeOf(category) {
  return { 'sling:resourceType': 'granite/ui/components/coral/foundation/includeclientlibs', categories: [category] };
}

/** A button that is there while one page is selected. */
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

/** The namespaces of the names that the package uses. */
const NAMESPACES = {
  cq: 'http://www.day.com/jcr/cq/1.0',
  jcr: 'http://www.jcp.org/jcr/1.0',
  nt: 'http://www.jcp.org/jcr/nt/1.0',
  sling: 'http://sling.apache.org/jcr/sling/1.0',
};
const UNSTRUCTURED = 'nt:unstructured';

/**
 * A node as FileVault's document view. In: properties and child nodes by their names: text, booleans and lists of text are properties,
 * objects are nodes. A node without a primary type is `nt:unstructured`. Out: the content of a `.content.xml`.
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

/** Types in braces, lists in brackets: what looks like one of them and is text has a backslash before it. */
function printValue(value) {
  if (typeof value === 'boolean') return `{Boolean}${value}`;
  if (Array.isArray(value)) return `[${value.map((one) => one.replaceAll(/[\\,]/g, '\\$&')).join(',')}]`;
  const text = value.replaceAll('\\', '\\\\');
  return /^[{[]/.test(text) ? `\\${text}` : text;
}

/** Attributes keep line breaks only as references. */
export function escapeXml(text) {
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
