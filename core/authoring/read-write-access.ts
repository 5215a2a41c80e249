import { z } from 'zod';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import type { NodeLock } from '../plan/ports.ts';
import type { Known } from '../situation/situation.ts';
import { readSling } from './read-sling.ts';

const Locked = z.looseObject({ 'jcr:lockOwner': z.string().optional(), 'jcr:lockIsDeep': z.boolean().optional() });
const Permission = z.looseObject({ hasPermission: z.boolean() });

/** A node with its lock, of which the properties of every node tell. */
export async function readLock(proxy: AuthoringProxy, path: string): Promise<Known<NodeLock>> {
  const node = await readSling(proxy, `${path}.json`, Locked);
  if (node.state !== 'known') return node;
  const { 'jcr:lockOwner': owner, 'jcr:lockIsDeep': isDeep = false } = node.value;
  return { state: 'known', value: { ...(owner === undefined ? {} : { owner }), isDeep } };
}

/**
 * The caller's own permission, as the authoring system reports it. One without this address doesn't say: plain Sling answers 400 to an unknown
 * selector.
 */
export async function readPermission(proxy: AuthoringProxy, path: string): Promise<Known<boolean>> {
  const answer = await readSling(proxy, `${path}/.permissions.json`, Permission, { privileges: 'rep:write' });
  if (answer.state === 'known') return { state: 'known', value: answer.value.hasPermission };
  if (answer.state === 'failed' && (answer.failure.kind === 'unexpected' || answer.failure.status === 400)) return { state: 'missing' };
  return answer;
}
