import { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Challenge, CHALLENGE_PATH, Org } from '@repoless/contract/org.ts';
import { challengeOrg } from '@repoless/service/orgs/claim-org.ts';
import { getOrg, putOrg } from '@repoless/service/orgs/org-operations.ts';
import { describe, expect, it } from 'vitest';
import { sqliteEngine } from '../support/each-store.ts';
import { ada, anonymous, operator, otto, type Request, stranger, createWorld, type World } from './world.ts';

const put = (world: World, org: string, caller = otto, body: unknown = {}, extra: Partial<Request> = {}) =>
  world.call(endpoints.putOrg, putOrg, caller, { params: { org }, body, ...extra });
const get = (world: World, org: string, caller = otto) => world.call(endpoints.getOrg, getOrg, caller, { params: { org } });
const challenge = async (world: World, org: string, caller = ada, repository = 'code') =>
  Challenge.parse((await world.call(endpoints.challengeOrg, challengeOrg, caller, { params: { org }, body: { repository } })).body);

describe('claiming an organization', () => {
  const engine = sqliteEngine();
  const openWorld = async () => {
    const world = await createWorld(await engine.open());
    world.codeHost['wknd'] = {};
    return world;
  };

  it('requires a committed challenge, and makes the claimant its first admin', async () => {
    const world = await openWorld();
    await expect(put(world, 'wknd', ada)).rejects.toMatchObject({ code: 'CLAIM_NOT_PROVEN' });
    const { token, path, branch } = await challenge(world, 'wknd');
    expect({ path, branch }).toEqual({ path: CHALLENGE_PATH, branch: 'main' });
    await expect(put(world, 'wknd', ada)).rejects.toMatchObject({
      code: 'CLAIM_NOT_PROVEN',
      message: expect.stringContaining('no such file'),
    });
    world.codeHost['wknd'] = { [`code/${CHALLENGE_PATH}`]: `${token}\n` };
    const claimed = await put(world, 'wknd', ada, { title: 'WKND' });
    expect(claimed).toMatchObject({
      status: 201,
      body: { name: 'wknd', title: 'WKND', users: [{ email: 'ada@example.com', roles: ['admin'] }] },
    });
    expect((await get(world, 'wknd', ada)).body).toEqual(claimed.body);
  });

  it('is bound to the claimant', async () => {
    const world = await openWorld();
    const { token } = await challenge(world, 'wknd', ada);
    world.codeHost['wknd'] = { [`code/${CHALLENGE_PATH}`]: token };
    await expect(put(world, 'wknd', stranger)).rejects.toMatchObject({ code: 'CLAIM_NOT_PROVEN' });
    await challenge(world, 'wknd', stranger);
    await expect(put(world, 'wknd', stranger)).rejects.toMatchObject({
      code: 'CLAIM_NOT_PROVEN',
      message: expect.stringContaining('different text'),
    });
  });

  it('accepts a challenge for a day', async () => {
    const world = await openWorld();
    const { token } = await challenge(world, 'wknd');
    world.codeHost['wknd'] = { [`code/${CHALLENGE_PATH}`]: token };
    world.advance(24 * 60 * 60 * 1000);
    await expect(put(world, 'wknd', ada)).rejects.toMatchObject({ code: 'CLAIM_NOT_PROVEN' });
  });

  it('returns the same challenge when it is requested again', async () => {
    const world = await openWorld();
    expect(await challenge(world, 'wknd')).toEqual(await challenge(world, 'wknd'));
  });

  it('preserves a challenge for its day, whatever is requested besides or concurrently', async () => {
    const world = await openWorld();
    const first = await challenge(world, 'wknd');
    const other = await challenge(world, 'wknd', ada, 'other');
    expect(other.token).not.toBe(first.token);
    world.advance(23 * 60 * 60 * 1000);
    expect(await challenge(world, 'wknd')).toEqual(first);
    expect(await challenge(world, 'wknd', ada, 'other')).toEqual(other);
    const challenges = await Promise.all(Array.from({ length: 5 }, () => challenge(world, 'wknd', ada, 'third')));
    expect(new Set(challenges.map(({ token }) => token)).size).toBe(1);
    world.codeHost['wknd'] = { [`code/${CHALLENGE_PATH}`]: first.token };
    expect((await put(world, 'wknd', ada)).status).toBe(201);
  });

  it('allows challenges in at most LIMITS.challengesOfOrg repositories, and names those of the others', async () => {
    const world = await openWorld();
    for (let n = 0; n < LIMITS.challengesOfOrg; n += 1) await challenge(world, 'wknd', ada, `code-${n}`);
    await expect(challenge(world, 'wknd', ada, 'one-more')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('code-3'),
    });
    await expect(put(world, 'wknd', ada)).rejects.toMatchObject({
      message: expect.stringContaining('of wknd/code-9, which has no such file'),
    });
  });

  it('needs no proof from operators if the code host has the organization', async () => {
    const world = await openWorld();
    expect((await put(world, 'wknd', operator)).status).toBe(201);
    await expect(put(world, 'nowhere', operator)).rejects.toMatchObject({ code: 'ORG_UNKNOWN_ON_CODE_HOST' });
    await expect(challenge(world, 'nowhere')).rejects.toMatchObject({ code: 'ORG_UNKNOWN_ON_CODE_HOST' });
  });

  it('succeeds only once', async () => {
    const world = await openWorld();
    await put(world, 'wknd', operator);
    await expect(put(world, 'wknd', ada)).rejects.toMatchObject({ code: 'CLAIM_NOT_PROVEN' });
    const { token } = await challenge(world, 'wknd');
    await expect(put(world, 'wknd', ada)).rejects.toMatchObject({ code: 'CLAIM_NOT_PROVEN' });
    world.codeHost['wknd'] = { [`code/${CHALLENGE_PATH}`]: token };
    const alreadyClaimed = { code: 'ORG_ALREADY_CLAIMED', data: { grantedBy: operator.email } };
    await expect(put(world, 'wknd', ada)).rejects.toMatchObject(alreadyClaimed);
    await expect(challenge(world, 'wknd', operator)).rejects.toMatchObject(alreadyClaimed);
    expect((await get(world, 'wknd', operator)).body).toMatchObject({ version: 1, users: [{ email: operator.email }] });
  });

  it('by two people concurrently makes one of them its admin', async () => {
    const world = await openWorld();
    const second = { ...stranger, names: ['sam@example.com', 'second-operator@example.com'] };
    const outcomes = await Promise.allSettled([put(world, 'wknd', operator), put(world, 'wknd', second)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const stored = await world.store.reads.org('wknd');
    expect(stored?.config.users).toHaveLength(1);
    expect(stored?.version).toBe(1);
  });

  it('stores nothing as a dry run', async () => {
    const world = await openWorld();
    expect((await put(world, 'wknd', operator, {}, { query: { dryRun: 'true' } })).body).toMatchObject({ dryRun: true, status: 201 });
    expect(await world.store.reads.org('wknd')).toBeUndefined();
  });

  it('requires a sign-in', async () => {
    const world = await openWorld();
    const call = world.call(endpoints.putOrg, putOrg, anonymous, { params: { org: 'wknd' }, body: {} });
    await expect(call).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' });
  });
});

describe('an organization', () => {
  const engine = sqliteEngine();
  const openWorld = async () => createWorld(await engine.open());
  const adaToo = {
    users: [
      { email: 'otto@example.com', roles: ['admin'] },
      { email: 'ada@example.com', roles: ['config_admin'] },
    ],
  };

  it('is replaced only by its admins, and keeps its users if they are left out', async () => {
    const world = await openWorld();
    const changed = await put(world, 'acme', otto, adaToo);
    const { users } = Org.parse(changed.body);
    expect(users).toMatchObject([{ id: 'u1' }, { email: 'ada@example.com', id: expect.any(String) }]);
    expect((await put(world, 'acme', otto, { title: 'Acme' })).body).toMatchObject({ title: 'Acme', users });
    await expect(put(world, 'acme', ada, { title: 'Mine' })).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
    expect((await get(world, 'acme', ada)).status).toBe(200);
    await expect(get(world, 'acme', stranger)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
    await expect(get(world, 'nobody', stranger)).rejects.toMatchObject({ code: 'ORG_NOT_FOUND' });
  });

  it('observes preconditions, and stores nothing if nothing differs', async () => {
    const world = await openWorld();
    const { etag = '' } = await get(world, 'acme');
    expect(await put(world, 'acme', otto, {}, { ifMatch: etag })).toMatchObject({ status: 200, etag });
    await put(world, 'acme', otto, { title: 'Acme' }, { ifMatch: etag });
    await expect(put(world, 'acme', otto, {}, { ifMatch: etag })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect((await world.store.reads.org('acme'))?.version).toBe(2);
  });

  it('never loses its last admin, nor the caller without confirmation', async () => {
    const world = await openWorld();
    const none = { users: [{ email: 'ada@example.com', roles: ['config_admin'] }] };
    await expect(put(world, 'acme', otto, none, { query: { confirm: 'true' } })).rejects.toMatchObject({ code: 'WOULD_LOCK_OUT' });
    const handedOver = { users: [{ email: 'ada@example.com', roles: ['admin'] }] };
    await expect(put(world, 'acme', otto, handedOver)).rejects.toMatchObject({ code: 'WOULD_LOCK_OUT' });
    expect((await put(world, 'acme', otto, handedOver, { query: { confirm: 'true' } })).status).toBe(200);
    await expect(put(world, 'acme', otto, { title: 'Back' })).rejects.toMatchObject({ code: 'CLAIM_NOT_PROVEN' });
  });
});
