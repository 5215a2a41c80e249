import { Button } from '@adobe/react-spectrum/Button';
import { Form } from '@adobe/react-spectrum/Form';
import { Heading } from '@adobe/react-spectrum/Heading';
import { TextField } from '@adobe/react-spectrum/TextField';
import { useState } from 'react';
import { readPageAddress } from '../features/production/start-page.ts';
import { printPageProperties } from '../routes.ts';
import { useMessages } from '../ui/use-messages.ts';
import { Surface } from './Surface.tsx';
import { fitLocale } from './host/host.ts';

/** The panel opened by itself, without saying for which page: it asks. */
export function StartPage() {
  return (
    <Surface locale={fitLocale(navigator.language)} theme="system" standAlone>
      <StartForm onOpen={(page) => (location.hash = printPageProperties(page))} />
    </Surface>
  );
}

function StartForm({ onOpen }: { readonly onOpen: (page: { author: string; path: string }) => void }) {
  const { start } = useMessages().general;
  const [author, setAuthor] = useState('');
  const [path, setPath] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const page = readPageAddress(author, path);
  const submit = (): void => {
    setSubmitted(true);
    if (page.author !== undefined && page.path !== undefined) onOpen({ author: page.author, path: page.path });
  };
  return (
    <div className="rp-narrow">
      <Heading level={1}>{start.title}</Heading>
      <p>{start.text}</p>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={start.author}
          description={start.authorHelp}
          errorMessage={start.authorProblem}
          value={author}
          onChange={setAuthor}
          isRequired
          necessityIndicator="icon"
          validationBehavior="aria"
          {...(isSubmitted && page.author === undefined ? { validationState: 'invalid' as const } : {})}
        />
        <TextField
          label={start.path}
          description={start.pathHelp}
          errorMessage={start.pathProblem}
          value={path}
          onChange={setPath}
          isRequired
          validationBehavior="aria"
          {...(isSubmitted && page.path === undefined ? { validationState: 'invalid' as const } : {})}
        />
        <div className="rp-actions">
          <Button variant="accent" type="submit">
            {start.open}
          </Button>
        </div>
      </Form>
      <p className="rp-quiet">{start.embedded}</p>
    </div>
  );
}
