import { createHash, randomBytes } from 'node:crypto';
import { type Answer, bodyOf, isWrite, Refusal } from './received-request.ts';
import { inAddresses } from './credentials.ts';
import { type Context, storeDocument } from './context.ts';
import { type StoredItem, isObject, type Json, objectAt, shown, textAt, textsAt } from './store.ts';

const COLLECTIONS = ['secrets', 'tokens', 'apiKeys', 'users'];

export function isCollection(of: StoredItem['of'], [part = '']: readonly string[]): boolean {
  return COLLECTIONS.includes(part) && (part !== 'users' || of === 'org');
}

/** Collections in which every POST creates an entry. */
export function answerCollection(context: Context, item: StoredItem, path: readonly string[]): Answer {
  const [part = '', ...names] = path;
  if (context.request.method === 'PUT') throw new Refusal(409, 'Error creating config: create not supported on substructures.');
  if (item.document === undefined)
    throw new Refusal(404, isWrite(context.request.method) ? 'Error updating config: config not found.' : '');
  if (part === 'users') return answerUsers(context, item, item.document, names[0]);
  return answerCredentials(context, item, item.document, part, names.join('/'));
}

function answerCredentials(context: Context, item: StoredItem, document: Json, part: string, name: string): Answer {
  const { request, switches } = context;
  const entries = objectAt(shown(document), part);
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      if (name !== '') {
        if (entry === undefined) throw new Refusal(404);
        return { status: 200, json: entry };
      }
      if (switches.lists === 'absent' && Object.keys(entries).length === 0) throw new Refusal(404);
      return { status: 200, json: switches.lists === 'array' ? Object.values(entries) : entries };
    case 'DELETE': {
      if (entry === undefined) throw new Refusal(404, 'Error removing config: object not found.', 'AEM_BACKEND_CONFIG_DELETE');
      const { [name]: _removed, ...others } = objectAt(document, part);
      storeDocument(context, item, { ...document, [part]: others }, 'removing');
      return { status: 204 };
    }
    default: {
      const body = bodyOf(request);
      if (part === 'apiKeys' && name !== '') throw new Refusal(404);
      const created = part === 'apiKeys' ? apiKey(context, item, body) : credential(part, name, body);
      const stored = { ...document, [part]: { ...objectAt(document, part), [created.name]: created.entry } };
      storeDocument(context, item, stored, 'updating');
      const { hash: _hash, value: _value, ...answered }: Json = created.entry;
      return { status: 200, json: created.value === undefined ? answered : { ...answered, value: created.value } };
    }
  }
}

interface CreatedEntry {
  readonly name: string;
  readonly entry: Json;
  /** Returned only once. */
  readonly value?: string;
}

/** A named secret has the value that was sent; one without a name gets a generated value, of which only a hash is stored. */
function credential(part: string, name: string, body: unknown): CreatedEntry {
  const now = new Date().toISOString();
  const description = textAt(body, 'description');
  const described = description === '' ? {} : { description };
  if (part === 'secrets' && name !== '') {
    const value = textAt(body, 'value');
    if (value === '') throw new Refusal(400, "Error updating config: data must have required property 'value'");
    return { name, entry: { id: name, type: 'key', value, created: now, lastModified: now, ...described } };
  }
  const id = randomBytes(15).toString('base64url');
  const value = `hlx_${randomBytes(24).toString('base64url')}`;
  const entry = {
    id,
    hash: hashOf(value),
    created: now,
    ...(part === 'secrets' ? { type: 'hashed', lastModified: now, ...described } : {}),
  };
  return { name: id, entry, value };
}

/** Identifies a hashed secret at the hosts. */
export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

const YEAR = 31_536_000;

function apiKey({ request, issueKey }: Context, { org, of, name }: StoredItem, body: unknown): CreatedEntry {
  const input: Json = isObject(body) ? body : {};
  const { expiresIn = YEAR, description } = input;
  if (request.generation === 'H6' && input['expiresIn'] !== undefined) throw new Refusal(400, 'data must NOT have additional properties');
  if (typeof expiresIn !== 'number' || expiresIn < 1 || expiresIn > YEAR) throw new Refusal(400, 'data/expiresIn must be <= 31536000');
  const exp = Math.floor(Date.now() / 1000) + expiresIn;
  const roles = input['roles'] === undefined ? ['author'] : textsAt(input, 'roles');
  const value = textAt(input, 'jwt') || issueKey({ sub: of === 'sites' ? `${org}/${name}` : `${org}/*`, roles, exp });
  return { ...keyEntry(value, typeof description === 'string' ? { description } : {}), ...(input['jwt'] === undefined ? { value } : {}) };
}

/** The entry of a key, from its own claims. */
export function keyEntry(token: string, described: Json = {}): { readonly name: string; readonly entry: Json } {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as Json;
  const id = textAt(claims, 'jti');
  const expiration = new Date(Number(claims['exp']) * 1000 || Date.now()).toISOString();
  const entry = {
    id,
    created: new Date().toISOString(),
    expiration,
    roles: textsAt(claims, 'roles'),
    subject: textAt(claims, 'sub'),
    ...described,
  };
  return { name: inAddresses(id), entry };
}

function answerUsers(context: Context, item: StoredItem, document: Json, id: string | undefined): Answer {
  const { request } = context;
  const { users: stored } = document;
  const users: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const at = users.findIndex((user) => textAt(user, 'id') === id);
  if (id !== undefined && at < 0) throw new Refusal(404);
  if (request.method === 'DELETE') {
    if (id === undefined) throw new Refusal(405);
    storeDocument(context, item, { ...document, users: users.toSpliced(at, 1) }, 'removing');
    return { status: 204 };
  }
  if (request.method !== 'POST') return { status: 200, json: id === undefined ? users : users[at] };
  const body = bodyOf(request);
  const own = id ?? randomBytes(18).toString('base64url');
  const user = isObject(body) ? { ...body, id: own } : body;
  // A person who is already listed is added once more.
  storeDocument(context, item, { ...document, users: id === undefined ? [...users, user] : users.with(at, user) }, 'updating');
  return { status: 200, json: user };
}
