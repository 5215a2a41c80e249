import { createContext, Suspense, use, useState } from 'react';
import type { ReactNode } from 'react';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import HelpOutline from '@spectrum-icons/workflow/HelpOutline';
import { useMessages } from './use-messages.ts';
import { lazyComponent } from './lazy-component.tsx';

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
