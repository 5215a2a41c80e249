import { SyncPanel } from '@repoless/extension/features/sync-status/SyncStatus.tsx';
import type { SignInAgain } from '@repoless/extension/ui/Unread.tsx';
import { screen } from '@testing-library/react';
import { renderInSurface } from './in-surface.tsx';
import type { SyncWorld } from './sync-world.ts';
import { PAGE } from './world.ts';

/** Renders the sync status of a page. Returns the user, and how often it asked to sign in again. */
export function show({ ports }: SyncWorld, theme: 'light' | 'dark' = 'light', locale = 'en-US') {
  const counts = { signedOut: 0 };
  const signedOut: SignInAgain = (goOn) => {
    counts.signedOut++;
    goOn?.();
  };
  const { person } = renderInSurface(<SyncPanel {...ports} path={PAGE} onSignedOut={signedOut} />, { locale, theme });
  return { person, counts };
}

/** Renders the rail with all sites of the organization, and its external repositories. Returns the user. */
export async function showRepositories(world: SyncWorld, locale = 'en-US', name = 'All sites of wknd') {
  world.hasBuildManagement = true;
  const { person } = show(world, 'light', locale);
  await person.click(await screen.findByRole('switch', { name }));
  return person;
}
