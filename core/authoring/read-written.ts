import { z } from 'zod';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import type { Call } from '../plan/plan.ts';
import type { Known } from '../situation/situation.ts';
import { readSling } from './read-sling.ts';

const Properties = z.record(z.string(), z.unknown());
/** What makes a page takes its place and its name from fields of the form (docs/design-facts.md 2.2). */
const PAGE_COMMAND = '/bin/wcmcommand';

/**
 * Whether the authoring system has what a write to it set: a page that it made, a node that it deleted, properties that it set or
 * removed. What the form says of nodes and types is not compared.
 */
export async function readWritten(proxy: AuthoringProxy, call: Call): Promise<Known<boolean>> {
  const fields = call.body?.type === 'form' ? call.body.fields : [];
  const given = new Map(fields);
  const path = call.address.slice(new URL(call.address).origin.length).replace(/\/_jcr_content$/, '/jcr:content');
  const isThere = async (node: string) => {
    const found = await readSling(proxy, `${node}.json`, Properties);
    return found.state === 'missing' ? { state: 'known' as const, value: undefined } : found;
  };
  if (path === PAGE_COMMAND) {
    const found = await isThere(`${given.get('parentPath') ?? ''}/${given.get('label') ?? ''}`);
    return found.state === 'failed' ? found : { state: 'known', value: found.value !== undefined };
  }
  if (given.get(':operation') === 'delete') {
    const found = await isThere(path);
    return found.state === 'failed' ? found : { state: 'known', value: found.value === undefined };
  }
  const isOfContent = fields.some(([name]) => name.startsWith(CONTENT));
  const found = await isThere(isOfContent ? `${path}/jcr:content` : path);
  if (found.state === 'failed') return found;
  const held = found.value ?? {};
  const wanted = fields.flatMap(([name, value]) => propertyOf(name, value, isOfContent ? CONTENT : './'));
  return { state: 'known', value: found.value !== undefined && wanted.every(([name, value]) => textOf(held[name]) === value) };
}

const CONTENT = './jcr:content/';

/** Undefined: it was to be removed. */
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
