import type { Resource } from '@repoless/sandbox/authoring-system/content-store.ts';
import { inject } from 'vitest';
import { type Fields, formOf, startAuthor } from '../../sandbox/author.ts';
import { accountOf, makeAccount, setPrivilege } from './sling-accounts.ts';
import { ADMIN, slingCaller } from './sling-caller.ts';

/** `author` may read and write everywhere, `reader` may read. */
export type Person = 'author' | 'reader';

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly location?: string;
  /** The body, if it is JSON. */
  readonly json: unknown;
}

/** An authoring system with its own tree, and the calls that this suite makes. */
export interface Engine {
  get(path: string, as?: Person): Promise<Answered>;
  post(path: string, fields: Fields, as?: Person): Promise<Answered>;
  /** The same with an unencoded body. */
  postBody(path: string, body: string): Promise<Answered>;
  plant(resources: readonly Resource[]): Promise<void>;
  deny(path: string, person: Person, privilege: 'jcr:read' | 'rep:write'): Promise<void>;
  stop(): Promise<void>;
}

export const ENGINES: readonly { readonly name: string; readonly start: () => Promise<Engine> }[] = [
  { name: 'Apache Sling', start: startOnSling },
  { name: 'the stand-in', start: startOnStandIn },
];

/** Starts a Sling whose accounts have the rights of the stand-in's people. */
async function startOnSling(): Promise<Engine> {
  const address = inject('sling');
  const admin = slingCaller(address, ADMIN);
  const emails = { author: 'author@example.com', reader: 'reader@example.com' };
  await makeAccount(address, emails.author, ['jcr:read', 'rep:write']);
  await makeAccount(address, emails.reader, ['jcr:read']);
  const callers = { author: slingCaller(address, accountOf(emails.author)), reader: slingCaller(address, accountOf(emails.reader)) };
  return {
    get: async (path, as = 'author') => answered(await callers[as].get(path)),
    post: async (path, fields, as = 'author') => answered(await callers[as].post(path, fields)),
    postBody: async (path, body) => answered(await callers.author.postBody(path, body)),
    plant: (resources) => admin.plant(resources),
    deny: (path, person, privilege) => setPrivilege(address, path, emails[person], privilege, 'denied'),
    stop: async () => {},
  };
}

async function startOnStandIn(): Promise<Engine> {
  const environment = 'p100-e200';
  const root = (path: string) => ({ environment, path, properties: { 'jcr:primaryType': ROOT_TYPES[path] ?? 'sling:Folder' } });
  const author = await startAuthor([root('/content'), root('/conf')]);
  const emails = { author: 'carl.config@example.com', reader: 'nora.neighbour@example.com' };
  const read = ({ status, text, headers }: Awaited<ReturnType<typeof author.get>>) =>
    answered({ status, text, headers: new Headers(headers['location'] === undefined ? {} : { location: String(headers['location']) }) });
  const write = async (path: string, body: string, as: Person) => {
    const options = { as: emails[as], csrf: await author.csrf(emails[as]), accept: 'application/json' };
    return read(await author.postBody(path, body, options));
  };
  let entries = 0;
  return {
    get: async (path, as = 'author') => read(await author.get(path, { as: emails[as] })),
    post: (path, fields, as = 'author') => write(path, `_charset_=utf-8&${formOf(fields)}`, as),
    postBody: (path, body) => write(path, body, 'author'),
    plant: async (resources) => author.plant(resources.map((resource) => ({ environment, ...resource }))),
    deny: async (path, person, privilege) =>
      author.plant([
        {
          environment,
          path: `${path}/rep:policy/entry${(entries += 1)}`,
          properties: { 'jcr:primaryType': 'rep:DenyACE', 'rep:principalName': emails[person], 'rep:privileges': [privilege] },
        },
      ]),
    stop: () => author.stop(),
  };
}

/** Types of the root nodes in a new Sling. */
const ROOT_TYPES: Readonly<Record<string, string>> = { '/content': 'sling:OrderedFolder', '/conf': 'sling:Folder' };

function answered({ status, text, headers }: { status: number; text: string; headers: Headers }): Answered {
  const location = headers.get('location');
  return { status, text, json: parsed(text), ...(location === null ? {} : { location }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
