export const signIn = {
  exchanging: 'Signing you in with the authoring system’s sign-in…',
  title: 'Sign in to the configuration service',
  text: 'You sign in once; no cookie and no token has to be copied.',
  inWindow: 'Sign in',
  windowWaiting: 'Finish signing in in the window that opened. This panel goes on by itself.',
  windowBlocked: 'The window could not be opened. Use the code below instead.',
  windowClosed: 'The window was closed before the sign-in was finished.',
  withCode: 'Sign in with a code',
  codeText: 'Open this address in any browser, enter the code and allow access. This panel goes on by itself.',
  codeAddress: 'Address',
  code: 'Code',
  copyAddress: 'Copy address',
  copyCode: 'Copy code',
  codeWaiting: 'Waiting until you allow access…',
  codeExpired: 'The code has run out. Get a new one.',
  codeDenied: 'Access was denied for this code. Get a new one if that was a mistake.',
  notShared: {
    sentence: 'This editor does not share your sign-in of the authoring system with the panel, so that nothing can be read there.',
    next: 'Open this address in a window of its own and sign in there:',
  },
  codeAlone: {
    sentence: 'The code signed you in to the configuration service alone; the authoring system does not know you yet.',
    next: 'Sign in in a window, and let this page open it.',
  },
  newCode: 'Get a new code',
  again: {
    title: 'Sign in again',
    texts: (lacking: 'service' | 'authoring', mode: 'framed' | 'stand-alone'): readonly string[] => [
      lacking === 'service'
        ? 'Your sign-in to the configuration service has ended. Everything that you typed is kept, and what is under way goes on by itself after you have signed in.'
        : 'Your sign-in to the authoring system has ended. Everything that you typed is kept, and what is under way goes on by itself after you have signed in.',
      ...(mode === 'framed'
        ? ['It also goes on as soon as the editor has renewed its own sign-in, for example after you have signed in to it in another tab.']
        : []),
    ],
    notNow: 'Not now',
    windowBlocked: 'The window could not be opened here. Sign in to the editor again in another tab.',
    done: 'You are signed in again. The work goes on.',
    declined: 'You are not signed in. Nothing that you typed is lost.',
  },
  ended: 'Your sign-in has ended. Sign in again; what was done stays done.',
};
