import { type Client, createClient } from '@repoless/core/api/client.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { type CommandOptions, type Folder, openFolder } from '../command-line/command.ts';
import { OPERATOR, startTestBackend, type TestBackend } from '../support/backend.ts';
import { type HostedWorld, startHostedWorld } from './hosted-world.ts';

export type Side = 'own' | 'hosted';

export let folder: Folder;
export let own: TestBackend;
export let clients: Readonly<Record<Side, Client>>;
/** The variables of each command for its service, each with its own token. */
export let env: Readonly<Record<Side, Readonly<Record<string, string>>>>;
/** Our own service and the hosted one, each with an organization of the same name, for the tests of a file. */
export function inTransferWorld(): HostedWorld {
  const world = startHostedWorld();
  beforeAll(async () => {
    folder = await openFolder();
    own = await startTestBackend({ orgs: ['wknd'], users: [EXAMPLE.admin, OPERATOR].map((email) => ({ email, roles: ['admin'] })) });
    const tokens = { own: await own.token(EXAMPLE.admin), hosted: world.hosted.token('session', { email: EXAMPLE.admin }) };
    const { REPOLESS_SERVICE: _service, ...settings } = world.settings;
    env = { own: { REPOLESS_TOKEN: tokens.own }, hosted: { ...settings, REPOLESS_TOKEN: tokens.hosted } };
    clients = {
      own: createClient({ service: own.address, token: async () => tokens.own }),
      hosted: createClient({ service: world.hosted.address, token: async () => tokens.hosted, fetch: world.fetch }),
    };
    // Now each has the people of both.
    for (const side of ['own', 'hosted'] as const)
      expect(await taken('apply', other(side), (await exported(side)).out)).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await own.stop();
    await folder.remove();
  });
  return world;
}

export const other = (side: Side): Side => (side === 'own' ? 'hosted' : 'own');
export const addressOf = (side: Side) => clients[side].service;

export async function exported(side: Side, ...more: string[]) {
  const done = await folder.repoless(['export', '--from', addressOf(side), '--organization', 'wknd', ...more], { env: env[side] });
  expect(done.code, done.err).toBe(0);
  return done;
}

export function taken(command: 'plan' | 'apply', side: Side, input: string, more: readonly string[] = [], options: CommandOptions = {}) {
  return folder.repoless([command, '--to', addressOf(side), ...more], { env: env[side], input, ...options });
}

export async function ask(side: Side, method: string, path: string, body?: unknown) {
  const isText = typeof body === 'string';
  const answer = await clients[side].request({
    method,
    path: `/config/wknd${path}`,
    ...(body === undefined ? {} : { headers: { 'content-type': isText ? 'text/yaml' : 'application/json' } }),
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.failure.kind}`);
  return answer.received;
}

export async function stored(side: Side, method: string, path: string, body: unknown): Promise<string> {
  const { status, text } = await ask(side, method, path, body);
  expect([status, text.slice(0, 2000)]).toEqual([expect.toSatisfy((one: number) => one < 300), expect.anything()]);
  return text;
}
