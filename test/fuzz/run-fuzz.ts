import { setTimeout as pause } from 'node:timers/promises';
import { createJudge } from '../support/check-answers-judge.ts';
import { faultOf } from './faults.ts';
import { valuesOf } from './from-schema.ts';
import { operationsOf } from './operations.ts';
import { createRandom } from './random.ts';
import { createRawRequests } from './raw-requests.ts';
import { createRequests } from './requests.ts';
import type { FuzzedRequest } from './requests.ts';
import { createSender } from './send.ts';
import type { Ending } from './send.ts';
import { memoryOf } from './target.ts';
import type { FuzzTarget } from './target.ts';
import { createTexts } from './texts.ts';

export interface FuzzReport {
  readonly requests: number;
  /** How many were answered with each status, or ended otherwise. */
  readonly endings: Readonly<Record<string, number>>;
  /** Answers that were judged by the document. */
  readonly judged: number;
  /** Requests that were answered by 5xx, otherwise than documented or not at all, each as it can be sent again. */
  readonly faults: readonly string[];
  /** Bytes, after a warm-up and at the end. */
  readonly memory: { readonly before: number; readonly after: number };
  /** Milliseconds that the bystander waited: the longest, and the middle. */
  readonly bystander: { readonly longest: number; readonly median: number; readonly failed: number };
}

/** Sends so many requests, which follow from the seed alone, some at once. */
export async function runFuzz(target: FuzzTarget, { requests, seed }: { requests: number; seed: number }): Promise<FuzzReport> {
  const random = createRandom(seed);
  const { child, document, hosts } = target;
  const url = new URL(child.address);
  const texts = createTexts(random, target.known);
  const value = valuesOf(document, random, texts);
  const next = createRequests({ operations: operationsOf(document), value, texts, ...target }, random);
  const nextRaw = createRawRequests([url.host, ...hosts], random, texts);
  const sender = createSender(Number(url.port), PATIENCE);
  const judge = createJudge(document, { reads: false });
  const endings: Record<string, number> = {};
  const faults: string[] = [];
  const ended = { value: false };
  const bystander = watchBystander(target, ended);
  let [before, judged] = [0, 0];

  const note = (ending: Ending, fault: string | undefined, shown: () => string) => {
    const key = ending.kind === 'answered' ? `${ending.status}` : ending.kind;
    endings[key] = (endings[key] ?? 0) + 1;
    if (fault !== undefined && faults.length < MOST_FAULTS) faults.push(`${fault} ${shown()}`);
  };
  const send = async (one: FuzzedRequest): Promise<void> => {
    const ending = await sender.send(one);
    // A document speaks of the address of its program, not of sites.
    const judges = one.headers['host'] === undefined ? judge : undefined;
    if (judges !== undefined && ending.kind === 'answered') judged += 1;
    note(ending, faultOf(ending, judges), () => JSON.stringify({ ...one, body: one.body?.toString() }).slice(0, SHOWN));
  };
  const sendRaw = async (bytes: Buffer): Promise<void> => {
    const ending = await sender.sendRaw(bytes);
    note(ending, faultOf(ending, undefined), () => JSON.stringify(bytes.toString('latin1')).slice(0, SHOWN));
  };
  for (let sent = 0; sent < requests;) {
    if (before === 0 && sent >= requests / 10) before = await memoryOf(child);
    if (sent % (AT_ONCE * 20) === 0)
      await target.renew().catch((error: unknown) => note({ kind: 'closed' }, 'renewal', () => String(error)));
    // Made one after the other, so that the same seed makes the same requests, however they are answered.
    const batch = Array.from({ length: Math.min(AT_ONCE, requests - sent) }, () => (random.chance(RAW) ? nextRaw() : next()));
    await Promise.all(batch.map((one) => (Buffer.isBuffer(one) ? sendRaw(one) : send(one))));
    sent += batch.length;
    if (child.child.exitCode !== null) throw new Error(`The program ended: ${child.output().slice(-2000)}`);
  }
  ended.value = true;
  sender.close();
  return { requests, endings, judged, faults, memory: { before, after: await memoryOf(child) }, bystander: await bystander };
}

/** A reader of another organization asks all the time. */
async function watchBystander({ bystander }: FuzzTarget, ended: { readonly value: boolean }): Promise<FuzzReport['bystander']> {
  const times: number[] = [];
  let failed = 0;
  while (!ended.value) {
    const began = performance.now();
    const status = await bystander().then(
      (answer) => answer.status,
      () => 0,
    );
    times.push(performance.now() - began);
    if (status !== 200) failed += 1;
    await pause(20);
  }
  const sorted = times.toSorted((one, other) => one - other);
  return { longest: Math.round(sorted.at(-1) ?? 0), median: Math.round(sorted[sorted.length >> 1] ?? 0), failed };
}

const RAW = 0.2;
const AT_ONCE = 24;
const PATIENCE = 30_000;
const MOST_FAULTS = 20;
const SHOWN = 3000;
