import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { LIMITS } from '@repoless/contract/limits.ts';
import { answerAssistant } from '@repoless/service/mcp/answer-assistant.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { newSecretKeys, readSecretBox } from '@repoless/service/secrets/secret-box.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { otto, createWorld } from '../domain/world.ts';
import { callTool } from '../command-line/mcp-journey.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { sqliteEngine } from '../support/each-store.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import type { TestAnswer } from '../support/ask.ts';
import { connectTo } from './mcp-client.ts';

const toolCall = (name: string, input: unknown) => ({
  jsonrpc: '2.0' as const,
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
});
const ToolAnswer = z.object({ result: z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) }) });

describe('an assistant', () => {
  /** Set while reads of sites are held back. */
  let held: Promise<void> | undefined;
  let waiting = 0;
  const backend = startBeforeAll(() =>
    startTestBackend({
      orgs: ['wknd', 'other'],
      open: async (dataDir) => withPausedSites(await openStore({ dataDir })),
      dryRun: false,
    }),
  );
  beforeAll(async () => {
    for (const org of ['wknd', 'other'])
      for (const title of ['One', 'Two']) {
        const body = siteBody(org, 'limited', { title });
        expect((await backend.call('PUT', `/config/${org}/sites/limited.json`, { as: OPERATOR, body })).status).toBeLessThan(300);
      }
  });

  function withPausedSites(store: Store): Store {
    const site: Store['reads']['site'] = async (...place) => {
      if (held !== undefined) {
        waiting += 1;
        await held;
      }
      return store.reads.site(...place);
    };
    return Object.create(store, { reads: { value: Object.create(store.reads, { site: { value: site } }) } }) as Store;
  }

  const historyOf = (organization: string) => toolCall('history', { organization, site: 'limited' });
  const history = historyOf('wknd');
  const startCalls = (count: number, headers: Readonly<Record<string, string>>, organization = 'wknd') =>
    Array.from({ length: count }, () => backend.call('POST', '/mcp', { headers, body: historyOf(organization) }));
  const bearer = async (person: string) => ({ authorization: `Bearer ${await backend.token(person)}` });
  const keyOf = async () => {
    const { value } = Object(
      (await backend.call('POST', '/config/wknd/apiKeys.json', { as: OPERATOR, body: { roles: ['admin'] } })).json(),
    );
    return { authorization: `Bearer ${String(value)}` };
  };
  /** Holds reads of sites. Returns their release. */
  const hold = () => {
    let release = () => {};
    waiting = 0;
    held = new Promise<void>((resolve) => (release = resolve));
    return () => {
      held = undefined;
      release();
    };
  };

  afterEach(() => vi.useRealTimers());

  it('has LIMITS.assistantCalls concurrent calls, LIMITS.assistantCallsWaiting queued, and LIMITS.assistantsAtOnce with all others', async () => {
    const orgs = Array.from({ length: LIMITS.assistantsAtOnce / LIMITS.assistantCalls }, (_, one) => (one % 2 === 0 ? 'wknd' : 'other'));
    const callers = orgs.map((_, one) => `caller-${one}@example.com`);
    for (const [one, email] of callers.entries()) {
      const answer = await backend.call('POST', `/config/${orgs[one]}/users.json`, { as: OPERATOR, body: { email, roles: ['admin'] } });
      expect(answer.status).toBeLessThan(300);
    }
    const [first = {}, ...others] = await Promise.all(callers.map(bearer));
    const release = hold();
    const inProgress = startCalls(LIMITS.assistantCalls, first);
    await expect.poll(() => waiting).toBe(LIMITS.assistantCalls);
    const more = startCalls(LIMITS.assistantCallsWaiting + 1, first);
    expect(await Promise.race(more)).toMatchObject({ status: 503, code: 'OVERLOADED', headers: { 'retry-after': '1' } });
    // Messages other than tool calls don't wait.
    const listing = await backend.call('POST', '/mcp', { headers: first, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect(listing.status).toBe(200);
    inProgress.push(...others.flatMap((headers, one) => startCalls(LIMITS.assistantCalls, headers, orgs[one + 1])));
    await expect.poll(() => waiting).toBe(LIMITS.assistantsAtOnce);
    // One more is queued, for LIMITS.assistantCallWait at most.
    await backend.token(OPERATOR);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const timers = vi.getTimerCount();
    let late: TestAnswer | undefined;
    void backend.call('POST', '/mcp', { as: OPERATOR, body: history }).then((answer) => (late = answer));
    await expect.poll(() => vi.getTimerCount()).toBe(timers + 1);
    vi.advanceTimersByTime(LIMITS.assistantCallWait - 1000);
    expect((await backend.call('GET', '/health')).status).toBe(200);
    expect(late).toBeUndefined();
    vi.advanceTimersByTime(1000);
    await expect.poll(() => late).toMatchObject({ status: 503, code: 'OVERLOADED' });
    vi.useRealTimers();
    const [inTime] = startCalls(1, await bearer(OPERATOR));
    release();
    expect(new Set((await Promise.all([...inProgress, inTime])).map((answer) => answer?.status))).toEqual(new Set([200]));
    expect((await Promise.all(more)).filter(({ status }) => status !== 200)).toHaveLength(1);
  });

  it('with an API key shares the slots and the queue of one caller with the other keys of its organization', async () => {
    const keys = await Promise.all(Array.from({ length: LIMITS.assistantsAtOnce / LIMITS.assistantCalls }, keyOf));
    const release = hold();
    const pending = keys.flatMap((headers) => startCalls(LIMITS.assistantCalls, headers));
    const most = LIMITS.assistantCalls + LIMITS.assistantCallsWaiting;
    let refused = 0;
    for (const call of pending) void call.then(({ status }) => (refused += status === 503 ? 1 : 0));
    await expect.poll(() => refused).toBe(pending.length - most);
    expect(waiting).toBe(LIMITS.assistantCalls);
    const [other] = startCalls(1, await bearer(OPERATOR));
    await expect.poll(() => waiting).toBe(LIMITS.assistantCalls + 1);
    release();
    expect((await other)?.status).toBe(200);
    expect((await Promise.all(pending)).filter(({ status }) => status === 200)).toHaveLength(most);
  });

  it('about another organization finds a free slot, however many people of one organization call', async () => {
    const people = Array.from({ length: LIMITS.assistantsAtOnce / LIMITS.assistantCalls }, (_, one) => `caller-${one}@example.com`);
    for (const email of people) {
      const answer = await backend.call('POST', '/config/wknd/users.json', { as: OPERATOR, body: { email, roles: ['admin'] } });
      expect([200, 409], answer.text).toContain(answer.status);
    }
    const release = hold();
    const pending = (await Promise.all(people.map(bearer))).flatMap((headers) => startCalls(LIMITS.assistantCalls, headers));
    await expect.poll(() => waiting).toBe(LIMITS.assistantCallsOfOrg);
    // A caller without a role in the named organization neither counts against it nor waits for it.
    const stranger = await startCalls(1, await bearer('stranger@example.com'))[0];
    expect(ToolAnswer.parse(stranger?.json()).result.isError).toBe(true);
    expect(waiting).toBe(LIMITS.assistantCallsOfOrg);
    const more = [...startCalls(1, await keyOf()), ...startCalls(1, await bearer(OPERATOR), 'other')];
    await expect.poll(() => waiting).toBe(LIMITS.assistantCallsOfOrg + 1);
    release();
    const answers = await Promise.all([...pending, ...more]);
    expect(answers.map(({ json }) => ToolAnswer.parse(json()).result.isError)).toEqual(answers.map(() => false));
  });

  it('gets no plan from more than LIMITS.assistantInput characters', async () => {
    const client = await connectTo(backend.address, { authorization: `Bearer ${await backend.token(OPERATOR)}` });
    const planOf = (length: number) => {
      const edits = [{ op: 'set', path: '/robots/txt', value: 'x'.repeat(length) }];
      return callTool(client, 'plan_rollout', { organization: 'wknd', rollout: { title: 'Long', edits, sites: ['limited'] } });
    };
    const longest = LIMITS.assistantInput - 500;
    expect((await planOf(longest)).planId).not.toBe('');
    expect(await planOf(LIMITS.assistantInput)).toMatchObject({
      planId: '',
      isError: true,
      text: expect.stringContaining(`${LIMITS.assistantInput} characters`),
    });
    await client.close();
  });
});

describe('a message of an assistant', () => {
  const engine = sqliteEngine();
  afterEach(() => vi.useRealTimers());

  /** The answer of a tool call when the service answers like this. */
  async function answered(
    name: string,
    input: unknown,
    service: (end: AbortSignal) => Promise<Response>,
  ): Promise<z.infer<typeof ToolAnswer>> {
    const context = (await createWorld(await engine.open())).context(otto);
    const services = {
      publicAddress: 'https://service.example.com',
      box: readSecretBox(newSecretKeys()),
      fetchUntil: (end: AbortSignal) => () => service(end),
      failed: () => undefined,
    };
    const request = { message: toolCall(name, input), protocolVersion: undefined, token: 'token', authoringToken: undefined };
    return ToolAnswer.parse(await answerAssistant(services, context, request));
  }

  it('that takes longer than LIMITS.assistantCallTime is answered as too slow, and its requests are aborted', async () => {
    let onRequest = () => {};
    const requested = new Promise<void>((resolve) => (onRequest = resolve));
    let ended = false;
    const never = (end: AbortSignal) => {
      end.addEventListener('abort', () => (ended = true));
      onRequest();
      return new Promise<Response>(() => undefined);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = answered('fleet_health', { organization: 'wknd' }, never);
    await requested;
    vi.advanceTimersByTime(LIMITS.assistantCallTime);
    expect(ended).toBe(false);
    vi.advanceTimersByTime(15_000);
    expect(await answer).toMatchObject({ result: { isError: true, content: [{ text: expect.stringMatching(/^This took too long/) }] } });
    expect(ended).toBe(true);
  });

  it('is refused if its answer is longer than LIMITS.assistantAnswer', async () => {
    const listed = (count: number) => async () => {
      const created = '2026-01-31T12:00:00.000Z';
      const versions = Array.from({ length: count }, (_, one) => ({
        version: one + 1,
        created,
        user: 'ada@example.com',
        name: 'x'.repeat(60),
      }));
      return Response.json({ current: count, versions });
    };
    const subject = { organization: 'wknd', site: 'long' };
    expect((await answered('history', subject, listed(10_000))).result.isError).toBe(false);
    expect((await answered('history', subject, listed(20_000))).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/too long to send/) }],
    });
  });
});
