import type { DeviceAuthorization } from '@repoless/contract/session.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';

/** Where a sign-in stands. `choose` offers the ways; the others wait, or say why a way came to nothing. */
export type SignInState =
  | { readonly state: 'exchanging' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'choose'; readonly note?: 'window-closed' | 'window-refused' }
  | { readonly state: 'window' }
  | { readonly state: 'code-asked' }
  | { readonly state: 'code'; readonly device: DeviceAuthorization; readonly windowRefused: boolean }
  | { readonly state: 'code-ended'; readonly reason: 'denied' | 'expired' };
