import { createRoot } from 'react-dom/client';
import './console.css';
import { Button } from '@adobe/react-spectrum/Button';
import { Content } from '@adobe/react-spectrum/Content';
import { Heading } from '@adobe/react-spectrum/Heading';
import { InlineAlert } from '@adobe/react-spectrum/InlineAlert';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { Provider } from '@adobe/react-spectrum/Provider';
import { VisuallyHidden } from '@adobe/react-spectrum/VisuallyHidden';
import { defaultTheme } from '@adobe/react-spectrum/defaultTheme';
import { usePreferences } from './session/preferences.ts';
import { useSession } from './session/use-session.ts';
import { Notice } from './views/Notice.tsx';
import { Workspace } from './views/Workspace.tsx';

const root = document.getElementById('console');
if (root === null) throw new Error('index.html has no element with the id "console".');
createRoot(root).render(<Console />);

/** The Sites console of the sandbox: a UIX host on a separate origin. */
function Console() {
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

function SignedOut({ problem, onSignIn }: { readonly problem: string | undefined; onSignIn(): void }) {
  return (
    <main className="centered">
      <section className="card">
        <Heading level={1}>Sites console</Heading>
        <p>A stand-in for the authoring system’s console, running on this machine. It frames the extension as the real one does.</p>
        {problem !== undefined && (
          <InlineAlert variant="negative">
            <Heading>You are not signed in</Heading>
            <Content>{problem}</Content>
          </InlineAlert>
        )}
        <Button variant="accent" onPress={onSignIn} autoFocus>
          Sign in
        </Button>
        <p className="quiet">
          Begin as <strong>ada.admin@example.com</strong> with the password <strong>sandbox</strong>. The terminal lists the other accounts.
        </p>
      </section>
    </main>
  );
}
