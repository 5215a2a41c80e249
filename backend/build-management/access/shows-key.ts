import { hashOf, isSecretOf } from '../links/link-secret.ts';

/** Whether an `authorization` header shows this key, compared in constant time. */
export function showsKey(authorization: string | undefined, key: string): boolean {
  const presented = /^(?:bearer|token)\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
  return presented !== undefined && isSecretOf(presented, hashOf(key));
}
