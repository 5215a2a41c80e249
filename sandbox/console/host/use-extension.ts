import { useEffect, useState } from 'react';
import { z } from 'zod';
import { HeaderButton, Rail } from './guest-api.ts';
import type { GuestApi } from './guest-api.ts';
import type { SharedContext } from './host-api.ts';

export type ExtensionState =
  | { readonly state: 'connecting' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly buttons: readonly HeaderButton[]; readonly rails: readonly Rail[] };

/** What the hidden registration frame offers; tells it of every change of the context, as the real host does. */
export function useExtension(context: SharedContext) {
  const [guest, setGuest] = useState<GuestApi>();
  const [extension, setExtension] = useState<ExtensionState>({ state: 'connecting' });
  useEffect(() => {
    void guest?.emit?.('contextchange', { context: { ...context } }).catch(() => undefined);
  }, [guest, context]);
  // Labels are in the host's language: they are asked for again, after the change was told, when that is another one.
  const { locale } = context;
  useEffect(() => {
    if (guest === undefined) return undefined;
    let gone = false;
    void offers(guest).then((found) => {
      if (!gone) setExtension(found);
    });
    return () => {
      gone = true;
    };
  }, [guest, locale]);
  return { extension, onConnected: setGuest, onFailed: () => setExtension({ state: 'failed' }) };
}

/** A namespace that the extension does not register is never called: the transport would wait for an answer. */
async function offers(guest: GuestApi): Promise<ExtensionState> {
  try {
    const buttons = z.array(HeaderButton).parse((await guest.apis?.headerMenu?.getButtons?.()) ?? []);
    const rails = z.array(Rail).parse((await guest.apis?.rightPanel?.addRails?.()) ?? []);
    return { state: 'ready', buttons, rails };
  } catch {
    return { state: 'failed' };
  }
}
