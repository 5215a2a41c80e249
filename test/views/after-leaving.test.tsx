import type { Rollout } from '@repoless/contract/rollout.ts';
import { siteAccessKind } from '@repoless/core/access/access-kind.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { useEdit } from '@repoless/extension/features/access/use-edit.ts';
import { usePreview } from '@repoless/extension/features/rollouts/PrepareRollout.tsx';
import { useBatch } from '@repoless/extension/features/sites/ReviewStep.tsx';
import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AUTHOR, createWorld, INFO, PAGE } from './world.ts';
import { rollout, rolloutsPort } from './ports.ts';

/** An answer that is held until released. */
function held<T>(answer: T) {
  let release = (): void => undefined;
  const promise = new Promise<T>((resolve) => (release = () => resolve(answer)));
  return { promise, release: async () => act(async () => release()) };
}

test('a rollout that starts after its form was left leads nobody away from where they are', async () => {
  const answer = held<Known<Rollout>>({ state: 'known', value: rollout() });
  const port = rolloutsPort({ start: async () => answer.promise });
  const started: string[] = [];
  const { result, unmount } = renderHook(() => usePreview(port, 'wknd', undefined, (id) => started.push(id)));
  act(() => void result.current.start({ title: 'One', sites: ['summit'], edits: [] }));
  unmount();
  await answer.release();
  expect(started).toEqual([]);
});

test('an entry that is saved after its form was left says nothing of what is entered elsewhere', async () => {
  const { service } = createWorld().ports;
  const answer = held<Known<unknown>>({ state: 'known', value: {} });
  const said: boolean[] = [];
  const saved: unknown[] = [];
  const { result, unmount } = renderHook(() =>
    useEdit({
      service: { ...service, send: async () => answer.promise },
      subject: { kind: 'site', organization: 'wknd', name: 'summit' },
      kind: siteAccessKind('wknd', 'summit'),
      first: FIRST,
      onUnsaved: (isUnsaved) => said.push(isUnsaved),
      onSaved: (_before, after) => saved.push(after),
    }),
  );
  // The messages are loaded first.
  await waitFor(() => expect(result.current).not.toBeNull());
  act(() => void result.current.save(false));
  unmount();
  await answer.release();
  expect(saved).toHaveLength(1);
  expect(said).toEqual([]);
});

test('a base site that does not answer is not requested any more once its review was left', async () => {
  const { ports } = createWorld();
  const signals: AbortSignal[] = [];
  const service = { ...ports.service, held: async () => ({ state: 'failed', failure: { kind: 'unreachable' } }) as const };
  const wait = async (_milliseconds: number, signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  const place = { author: AUTHOR, ports: { ...ports, service, wait }, page: PAGE, technicalAccount: '', environments: [] };
  const question = { place, organization: 'wknd', info: INFO, base: 'summit', inherited: undefined };
  const { unmount } = renderHook(() => useBatch(question));
  await waitFor(() => expect(signals).toHaveLength(1));
  unmount();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

const FIRST = { value: {}, etag: undefined };
