import { nameOf, parentOf, type Properties, type Resource } from '@repoless/sandbox/authoring-system/content-store.ts';
import { type Fields, formOf } from '../../sandbox/author.ts';

export interface Account {
  readonly name: string;
  readonly password: string;
}

/** The default account of a new Sling. */
export const ADMIN: Account = { name: 'admin', password: 'admin' };

export interface SlingAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Calls of one account. Paths are sent unchanged. */
export function slingCaller(address: string, account: Account) {
  const authorization = `Basic ${Buffer.from(`${account.name}:${account.password}`).toString('base64')}`;
  const send = async (path: string, init: RequestInit, type: Readonly<Record<string, string>> = {}): Promise<SlingAnswer> => {
    const headers = { authorization, accept: 'application/json', ...type };
    const answer = await fetch(`${address}${path}`, { redirect: 'manual', ...init, headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const postBody = (path: string, body: string) =>
    send(path, { method: 'POST', body }, { 'content-type': 'application/x-www-form-urlencoded' });
  const post = (path: string, fields: Fields) => postBody(path, `_charset_=utf-8&${formOf(fields)}`);
  return {
    get: (path: string, init: RequestInit = {}) => send(path, init),
    post,
    postBody,
    postForm: (path: string, form: FormData) => send(path, { method: 'POST', body: form }),
    /** Plants whole trees, each by one `:operation=import`. Resources must be ordered parents first. */
    plant: async (resources: Iterable<Resource>): Promise<void> => {
      for (const [path, tree] of trees(resources)) {
        const answer = await post(parentOf(path), {
          ':operation': 'import',
          ':contentType': 'json',
          ':name': nameOf(path),
          ':replace': 'true',
          ':replaceProperties': 'true',
          ':content': JSON.stringify(tree),
        });
        if (answer.status > 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      }
    },
  };
}

interface Tree {
  [name: string]: Properties[string] | Tree;
}

/** The resources nested by path; those without their parent among them are roots. `/content` and `/conf` already exist. */
function trees(resources: Iterable<Resource>): Map<string, Tree> {
  const known = new Map<string, Tree>();
  const roots = new Map<string, Tree>();
  for (const { path, properties } of resources) {
    if (path === '/content' || path === '/conf') continue;
    // Only the repository itself may set them.
    const { 'jcr:created': _created, 'jcr:createdBy': _createdBy, ...settable } = properties;
    const tree: Tree = { ...settable };
    known.set(path, tree);
    const parent = known.get(parentOf(path));
    if (parent === undefined) roots.set(path, tree);
    else parent[nameOf(path)] = tree;
  }
  return roots;
}
