import { Button } from '@adobe/react-spectrum/Button';
import { Heading } from '@adobe/react-spectrum/Heading';
import { InlineAlert } from '@adobe/react-spectrum/InlineAlert';
import { Content } from '@adobe/react-spectrum/Content';

export function SignedOut({ problem, onSignIn }: { readonly problem: string | undefined; onSignIn(): void }) {
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
