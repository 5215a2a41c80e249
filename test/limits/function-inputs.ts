import { LIMITS } from '@repoless/contract/limits.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { evaluateSituation } from '@repoless/core/checks/site-state.ts';
import { proposeChoices } from '@repoless/core/plan/choices.ts';
import { planSetup } from '@repoless/core/plan/plan-setup.ts';
import { readPayload } from '@repoless/service/build-management/webhooks/vendor-events.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { verifyChain } from '@repoless/service/history/audit/chain.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { list, many } from '../faults/hostile-world.ts';
import { registered } from '../setup/situation-builder.ts';
import { siteInput } from '../support/builders.ts';
import type * as Turns from '../support/turns.mjs';

/** An input of a function that no single call reaches. */
interface FunctionInput {
  readonly limits: readonly string[];
  readonly name: string;
  run(): unknown;
}

interface Measured extends Pick<FunctionInput, 'limits' | 'name'> {
  readonly blocked: number;
  /** Not measured separately from `whole` here. */
  readonly delay: number;
  readonly whole: number;
}

/** The median of some rounds of each, in this process. */
export async function observeFunctions(rounds: number, only: string): Promise<Measured[]> {
  const { inputs, close } = await functionInputs(only);
  const { watchTurns } = await probe();
  const found: Measured[] = [];
  for (const { limits, name, run } of inputs) {
    const seen: { blocked: number; whole: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const turns = watchTurns();
      const started = performance.now();
      await run();
      const whole = Math.round(performance.now() - started);
      // Pending work ends with the next turn.
      await pause(10);
      seen.push({ blocked: Math.round(turns.longest()), whole });
      turns.stop();
    }
    const middle = (of: 'blocked' | 'whole') => seen.map((one) => one[of]).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
    found.push({ limits, name, blocked: middle('blocked'), delay: middle('blocked'), whole: middle('whole') });
  }
  await close();
  return found;
}

/** Plain JavaScript, which is not compiled, so it exists only among the sources. */
async function probe(): Promise<typeof Turns> {
  return (await import(new URL('../support/turns.mjs', import.meta.url.replace('/test/dist/', '/test/')).href)) as typeof Turns;
}

async function functionInputs(only: string): Promise<{ inputs: readonly FunctionInput[]; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-limits-'));
  const store = await openStore({ dataDir: folder });
  const wide = registered(
    siteInput('summit', 'wknd', {
      public: { paths: { mappings: list(5900, (index) => `/content/a${index}/:/p${index}/`), includes: [] } },
      headers: many(LIMITS.headerPatterns, () => [{ key: 'x-a', value: 'b' }], '/'),
    }),
  );
  const audits = {
    limits: ['verifiedEntries'],
    name: '50,000 entries of the audit trail are verified',
    run: () => verifyChain(store.reads, 'trail', { limit: LIMITS.verifiedEntries }),
  };
  const inputs: FunctionInput[] = [
    ...Object.entries(EVENTS()).map(([name, bytes]) => ({
      limits: ['eventValues', 'BODY_LIMIT'],
      name,
      run: () => readPayload(bytes, 'wknd'),
    })),
    audits,
    {
      limits: ['bodyValues'],
      name: 'the panel plans and checks a site of 5,900 mappings',
      run: () => [evaluateSituation(wide), checkSite(wide), planSetup(wide, proposeChoices(wide))],
    },
  ];
  const chosen = inputs.filter(({ name, limits }) => `${name} ${limits.join(' ')}`.includes(only));
  if (chosen.includes(audits)) {
    await store.write(async (writes) => {
      for (let index = 0; index < LIMITS.verifiedEntries; index += 1)
        await writes.addAudit({ org: 'trail', action: 'look', user: 'ada@example.com', time: new Date(), requestId: `request-${index}` });
    });
  }
  return {
    inputs: chosen,
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const EVENTS = (): Record<string, Uint8Array> => ({
  'an event of a git vendor of 500,000 values': Buffer.from(`{"ref":"a","a":[${'1,'.repeat(LIMITS.eventValues - 10)}1]}`),
  'an event of 25 MB in one text': Buffer.from(`{"ref":"a","a":"${'é'.repeat(12_000_000)}"}`),
  'an event of 25 MB of escapes': Buffer.from(`{"ref":"a","a":"${'\\u0041'.repeat(4_000_000)}"}`),
});
