import { PageContent } from '@repoless/contract/authoring.ts';
import { defined } from '@repoless/contract/json.ts';
import { z } from 'zod';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import type { Call, Known } from '../situation/call.ts';
import type { AuthoringPort } from '../situation/ports.ts';
import { subjectOf } from '../situation/edge-configuration.ts';
import { readSling } from './sling.ts';

const Properties = z.record(z.string(), z.unknown());

/**
 * Whether the authoring system has what a write set: a page it created, a node it deleted, properties it set or removed. Fields
 * for nodes and types are not compared.
 */
export async function readWritten(proxy: AuthoringProxy, call: Call): Promise<Known<boolean>> {
  const fields = call.body?.type === 'form' ? call.body.fields : [];
  const values = new Map(fields);
  const path = call.address.slice(new URL(call.address).origin.length).replace(/\/_jcr_content$/, '/jcr:content');
  const exists = async (node: string) => {
    const found = await readSling(proxy, `${node}.json`, Properties);
    return found.state === 'missing' ? { state: 'known' as const, value: undefined } : found;
  };
  const { creates } = subjectOf(call);
  if (creates !== undefined) {
    const found = await exists(creates);
    return found.state === 'failed' ? found : { state: 'known', value: found.value !== undefined };
  }
  if (values.get(':operation') === 'delete') {
    const found = await exists(path);
    return found.state === 'failed' ? found : { state: 'known', value: found.value === undefined };
  }
  const isOfContent = fields.some(([name]) => name.startsWith(CONTENT));
  const found = await exists(isOfContent ? `${path}/jcr:content` : path);
  if (found.state === 'failed') return found;
  const properties = found.value ?? {};
  const expected = fields.flatMap(([name, value]) => propertyOf(name, value, isOfContent ? CONTENT : './'));
  return { state: 'known', value: found.value !== undefined && expected.every(([name, value]) => textOf(properties[name]) === value) };
}

const CONTENT = './jcr:content/';

/** Undefined if the property was to be removed. */
function propertyOf(field: string, value: string, prefix: string): [name: string, value: string | undefined][] {
  if (!field.startsWith(prefix)) return [];
  const [name = '', instruction] = field.slice(prefix.length).split('@');
  if (name === 'jcr:primaryType') return [];
  if (instruction === 'Delete') return [[name, undefined]];
  return instruction === undefined ? [[name, value]] : [];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

const text = z.string().optional();
const CreatedPage = z.looseObject({
  'jcr:content': PageContent.extend({ 'jcr:created': text, 'jcr:createdBy': text, 'cq:lastModified': text }).optional(),
});
/** Milliseconds within which creating a page sets both its timestamps. */
const CREATING = 10_000;

/** A page that was created, by whom, and whether it has content or children or was changed afterwards. */
export async function readCreatedPage(proxy: AuthoringProxy, path: string): ReturnType<AuthoringPort['createdPage']> {
  const page = await readSling(proxy, `${path}.2.json`, CreatedPage);
  // More than Sling lists in one answer (docs/design-facts.md 2.1).
  if (page.state === 'failed' && page.failure.status === 300) return { state: 'known', value: { path, isFilled: true } };
  if (page.state !== 'known') return page;
  const { 'jcr:content': content = {}, ...below } = page.value;
  const { 'jcr:created': created = '', 'cq:lastModified': modified = '', 'sling:resourceType': resourceType } = content;
  const createdBy = content['jcr:createdBy'];
  const isChanged = Date.parse(modified) > Date.parse(created) + CREATING;
  const isFilled = isChanged || [...Object.values(below), ...Object.values(content)].some(isNode);
  return { state: 'known', value: { path, isFilled, ...defined({ resourceType, createdBy }) } };
}

function isNode(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
