import { openContentStore, type PlantedResource } from '@repoless/sandbox/authoring-system/content-store.ts';
import { startAuthoringSystem } from '@repoless/sandbox/authoring-system/start-authoring-system.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTokenIssuer, type TokenIssuer } from './token-issuer.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface AuthorRequest {
  /** E-mail address of the caller; anonymous without it. */
  readonly as?: string;
  /** A token to send instead of one for `as`. */
  readonly token?: string;
  readonly environment?: string;
  readonly accept?: string;
}

/** The fields of a form by name; an array repeats one. */
export type NamedFields = Readonly<Record<string, string | readonly string[]>>;
export type Fields = readonly (readonly [string, string])[] | NamedFields;

/** The body of a form. */
export function formOf(fields: Fields): string {
  const pairs = Symbol.iterator in fields ? fields : Object.entries(fields);
  return new URLSearchParams(pairs.flatMap(([name, values]) => [values].flat().map((value) => [name, value]))).toString();
}

/** Calls of an authoring system on this machine, of either environment, with tokens of an issuer. */
export function authorCaller(port: number, issuer: TokenIssuer) {
  const headersOf = async (options: AuthorRequest) => {
    const token = options.token ?? (options.as === undefined ? undefined : await issuer.token(options.as));
    return {
      host: `author-${options.environment ?? 'p100-e200'}.authoring.localhost:${port}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(options.accept === undefined ? {} : { accept: options.accept }),
    };
  };
  const get = async (path: string, options: AuthorRequest = {}) => send(port, 'GET', path, await headersOf(options));
  const postBody = async (path: string, body: string, options: AuthorRequest & { csrf?: string } = {}) => {
    const csrf = options.csrf === undefined ? {} : { 'csrf-token': options.csrf };
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return send(port, 'POST', path, { ...(await headersOf(options)), ...type, ...csrf }, body);
  };
  return {
    port,
    issuer,
    get,
    json: async (path: string, options: AuthorRequest = { as: 'ada.admin@example.com' }): Promise<unknown> =>
      JSON.parse((await get(path, options)).text),
    csrf: async (as: string) => /"token": ?"([^"]+)"/.exec((await get('/libs/granite/csrf/token.json', { as })).text)?.[1] ?? '',
    post: (path: string, fields: Fields, options: AuthorRequest & { csrf?: string } = {}) => postBody(path, formOf(fields), options),
    /** Posts a form unchanged. */
    postBody,
  };
}

/** An authoring system as tests of the extension need it, whatever the implementation. */
export type AnyAuthor = ReturnType<typeof authorCaller> & { stop(): Promise<void> };

/** Starts a separate authoring system, with a caller for either environment. */
export async function startAuthor(content?: Iterable<PlantedResource>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'author-'));
  const issuer = await startTokenIssuer();
  const start = (port: number) =>
    startAuthoringSystem({ port, dataDir, identityProvider: issuer.address, ...(content === undefined ? {} : { content }) });
  let running = await start(0);
  const port = Number(new URL(running.address).port);
  return {
    ...authorCaller(port, issuer),
    fault: (fault: Readonly<Record<string, unknown>>) =>
      send(port, 'POST', '/sandbox/faults', { 'content-type': 'application/json' }, JSON.stringify(fault)),
    /** Adds content while it runs, as an import would. */
    plant: (resources: Iterable<PlantedResource>): void => {
      const store = openContentStore(dataDir);
      store.plant(resources);
      store.close();
    },
    restart: async () => {
      await running.stop();
      running = await start(port);
    },
    stop: async () => {
      await running.stop();
      await issuer.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

export function send(port: number, method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}
