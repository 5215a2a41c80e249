import { Heading } from '@adobe/react-spectrum/Heading';
import { TextField } from '@adobe/react-spectrum/TextField';
import { PathPrefix } from '@repoless/contract/mappings.ts';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { SubmitForm } from '../../ui/forms.tsx';
import { useMessages } from '../../ui/use-messages.ts';

/** Asks for the page to open. */
export function StartForm({ onOpen }: { readonly onOpen: (page: { author: string; path: string }) => void }) {
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
      <SubmitForm onSubmit={submit}>
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
          <TextButton variant="accent" type="submit" text={start.open} />
        </div>
      </SubmitForm>
      <p className="rp-quiet">{start.embedded}</p>
    </div>
  );
}

/** Reads the input of the start page; unusable parts are absent. The author's path and query are dropped. */
export function readPageAddress(author: string, path: string): { readonly author?: string; readonly path?: string } {
  const typed = author.trim();
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  const page = path
    .trim()
    .replace(/\.html$/, '')
    .replace(/\/+$/, '');
  return {
    ...(url !== undefined && /^https?:$/.test(url.protocol) ? { author: url.origin } : {}),
    ...(page.startsWith('/content/') && PathPrefix.safeParse(page).success ? { path: page } : {}),
  };
}
