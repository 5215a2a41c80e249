import { defaultTheme } from '@adobe/react-spectrum/defaultTheme';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { Provider } from '@adobe/react-spectrum/Provider';
import { VisuallyHidden } from '@adobe/react-spectrum/VisuallyHidden';
import { useSession } from '../session/use-session.ts';
import { usePreferences } from '../session/preferences.ts';
import { SignedOut } from './SignedOut.tsx';
import { Notice } from './Notice.tsx';
import { Workspace } from './Workspace.tsx';

/** The Sites console of the sandbox: an UIX host on an origin of its own. */
export function Console() {
  const session = useSession();
  const [preferences, change] = usePreferences('');
  return (
    <Provider theme={defaultTheme} colorScheme={preferences.theme} locale={preferences.locale} scale="medium" UNSAFE_className="console">
      {session.state === 'loading' && (
        <main className="centered">
          <VisuallyHidden elementType="h1">Sites console</VisuallyHidden>
          <ProgressCircle isIndeterminate aria-label="Loading the console" />
        </main>
      )}
      {session.state === 'failed' && (
        <main className="centered">
          <VisuallyHidden elementType="h1">Sites console</VisuallyHidden>
          <Notice
            title="The console cannot start"
            sentence={session.sentence}
            action={{ label: 'Load again', onPress: () => location.reload() }}
          />
        </main>
      )}
      {session.state === 'signed-out' && <SignedOut problem={session.problem} onSignIn={session.signIn} />}
      {session.state === 'signed-in' && <Workspace {...session} preferences={preferences} onPreferences={change} />}
    </Provider>
  );
}
