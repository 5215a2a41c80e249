import { createContext, type ReactNode, Suspense, use, useState } from 'react';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import HelpOutline from '@spectrum-icons/workflow/HelpOutline';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { useMessages } from './use-messages.ts';
import { lazyComponent, optional } from './lazy-component.tsx';

/** Loaded when it is first opened. */
const Glossary = lazyComponent(async () => (await import('./Glossary.tsx')).Glossary);

/** True below a permanent header that offers the glossary, so that what opens there does not offer it a second time. */
export const GlossaryOffered = createContext(false);

/** Help with the terms of the panel: a button for a header, and what it opens, to be placed below that header. */
export function useGlossary(): { readonly button?: ReactNode; readonly text?: ReactNode } {
  const { general } = useMessages();
  const [isOpen, setOpen] = useState(false);
  if (use(GlossaryOffered)) return {};
  return {
    button: (
      <ActionButton isQuiet aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <HelpOutline />
        <Text>{general.glossary}</Text>
      </ActionButton>
    ),
    text: isOpen && (
      <Suspense fallback={<p className="rp-quiet">{general.loading}</p>}>
        <Glossary />
      </Suspense>
    ),
  };
}

/** Loaded lazily; without it, the glossary in the header still has the term. */
const TermHelp = optional(async () => (await import('./Glossary.tsx')).TermHelp);

/** A term of the glossary in running text, with its meaning. */
export function Term({ id, children }: { readonly id: keyof MessagesOf<'glossary'>['entries']; readonly children: ReactNode }) {
  return (
    <>
      {children}
      <TermHelp id={id} />
    </>
  );
}
