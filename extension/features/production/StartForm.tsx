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
  const [input, setInput] = useState({ author: '', path: '' });
  const [isSubmitted, setSubmitted] = useState(false);
  const page = readPageAddress(input.author, input.path);
  const submit = (): void => {
    setSubmitted(true);
    if (page.author !== undefined && page.path !== undefined) onOpen({ author: page.author, path: page.path });
  };
  const field = (name: 'author' | 'path') => (
    <TextField
      label={start[name]}
      description={start[`${name}Help`]}
      errorMessage={start[`${name}Problem`]}
      value={input[name]}
      onChange={(value) => setInput({ ...input, [name]: value })}
      isRequired
      necessityIndicator="icon"
      validationBehavior="aria"
      {...(isSubmitted && page[name] === undefined ? { validationState: 'invalid' as const } : {})}
    />
  );
  return (
    <div className="rp-narrow">
      <Heading level={1}>{start.title}</Heading>
      <p>{start.text}</p>
      <SubmitForm onSubmit={submit}>
        {field('author')}
        {field('path')}
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
