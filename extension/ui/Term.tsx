import type { MessagesOf } from '@repoless/core/messages/language.ts';
import type { ReactNode } from 'react';
import { optional } from './lazy-component.tsx';

/** Loaded lazily; without it, the glossary in the header still has the term. */
const TermHelp = optional(async () => (await import('./TermHelp.tsx')).TermHelp);

interface Props {
  readonly id: keyof MessagesOf<'glossary'>['entries'];
  readonly children: ReactNode;
}

/** A term of the glossary in running text, with its meaning. */
export function Term({ id, children }: Props) {
  return (
    <>
      {children}
      <TermHelp id={id} />
    </>
  );
}
