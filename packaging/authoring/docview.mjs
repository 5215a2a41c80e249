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
export function printDocumentView(node) {
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
