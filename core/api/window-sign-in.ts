import { SignInMessage } from '@repoless/contract/session.ts';
import { printAddress } from './client.ts';

/** Milliseconds between checks whether the window was closed; there is no event for that. */
const LOOK = 500;

export type WindowSignIn =
  | { readonly outcome: 'signed-in'; readonly message: SignInMessage }
  /** The browser or the frame's sandbox allows no windows: sign in by device. */
  | { readonly outcome: 'window-refused' }
  | { readonly outcome: 'closed' };

/**
 * Signs in in a separate window, which sends the token by postMessage. Must be called from a click. Takes the
 * service's address, the extension's window, and a signal that cancels it.
 */
export function signInByWindow(service: string, self: Window, signal: AbortSignal): Promise<WindowSignIn> {
  const address = `${service}${printAddress('/login', {}, { origin: self.location.origin })}`;
  const popup = openWindow(self, address);
  if (popup === null) return Promise.resolve({ outcome: 'window-refused' });
  return new Promise((resolve) => {
    const end = (result: WindowSignIn) => {
      self.clearInterval(looking);
      self.removeEventListener('message', receive);
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const receive = (event: MessageEvent<unknown>) => {
      if (event.origin !== new URL(service).origin || event.source !== popup) return;
      const message = SignInMessage.safeParse(event.data);
      if (message.success) end({ outcome: 'signed-in', message: message.data });
    };
    const abort = () => {
      popup.close();
      end({ outcome: 'closed' });
    };
    const looking = self.setInterval(() => popup.closed && end({ outcome: 'closed' }), LOOK);
    self.addEventListener('message', receive);
    signal.addEventListener('abort', abort);
  });
}

function openWindow(self: Window, address: string): Window | null {
  try {
    return self.open(address, 'repoless-sign-in', 'popup,width=520,height=680');
  } catch {
    return null;
  }
}
