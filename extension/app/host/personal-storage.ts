import { z } from 'zod';

const Claims = z.looseObject({ sub: z.string().optional(), user_id: z.string().optional() });

/**
 * Storage for the service's token that outlives the frame (rails are recreated at each click) but not a change of user: keys contain the user of
 * the host's token. Returns undefined if that token names nobody or the browser allows no storage.
 */
export function personalStorage(hostToken: string | undefined): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined {
  const user = userOf(hostToken);
  const storage = sessionStorageOrNone();
  if (user === undefined || storage === undefined) return undefined;
  const keyed = (key: string): string => `${key}:${user}`;
  return {
    getItem: (key) => storage.getItem(keyed(key)),
    setItem: (key, value) => storage.setItem(keyed(key), value),
    removeItem: (key) => storage.removeItem(keyed(key)),
  };
}

/** Read without verification: it only separates the tokens of two users, and grants nothing. */
function userOf(token: string | undefined): string | undefined {
  const payload = token?.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const claims = Claims.safeParse(JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))));
    return claims.success ? (claims.data.sub ?? claims.data.user_id) : undefined;
  } catch {
    return undefined;
  }
}

function sessionStorageOrNone(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
