export const signIn = {
  exchanging: 'Signing you in with the authoring system’s sign-in…',
  title: 'Sign in to the configuration service',
  text: 'You sign in once. You don’t need to copy cookies or tokens.',
  inWindow: 'Sign in',
  windowWaiting: 'Finish signing in in the new window. This panel continues automatically.',
  windowBlocked: 'Couldn’t open the window. Use the code below instead.',
  windowClosed: 'The window was closed before you finished signing in.',
  withCode: 'Sign in with a code',
  codeText: 'Open this address in any browser, enter the code and allow access. This panel continues automatically.',
  codeAddress: 'Address',
  code: 'Code',
  copyCode: 'Copy code',
  codeWaiting: 'Waiting for you to allow access…',
  codeExpired: 'The code has expired. Get a new one.',
  codeDenied: 'Access was denied for this code. Get a new one if that was a mistake.',
  notShared: {
    sentence: 'This editor does not share your sign-in to the authoring system, so the panel can’t read anything there.',
    next: 'Open this address in a new window and sign in there:',
  },
  codeAlone: {
    sentence: 'The code signed you in to the configuration service only, not to the authoring system.',
    next: 'Sign in in a window, and allow this page to open it.',
  },
  newCode: 'Get a new code',
  again: {
    title: 'Sign in again',
    texts: (lacking: 'service' | 'authoring', mode: 'framed' | 'stand-alone'): readonly string[] => [
      lacking === 'service'
        ? 'Your sign-in to the configuration service has ended. Your input is kept, and work in progress continues after you sign in.'
        : 'Your sign-in to the authoring system has ended. Your input is kept, and work in progress continues after you sign in.',
      ...(mode === 'framed'
        ? ['Work also continues when the editor renews its own sign-in, for example after you sign in to it in another tab.']
        : []),
    ],
    notNow: 'Not now',
    windowBlocked: 'Couldn’t open the window here. Sign in to the editor again in another tab.',
    done: 'You are signed in again. Work continues.',
    declined: 'You are not signed in. Your input is kept.',
  },
  ended: 'Your sign-in has ended. Sign in again.',
};
