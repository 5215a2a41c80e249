import type { MessagesOf } from '@repoless/core/messages/language.ts';
import type { ReactNode } from 'react';
import { optional } from './lazy-component.tsx';

/** The glossary of the header has it all the same. */
const TermHelp = optional(async () => (await import('./TermHelp.tsx')).TermHelp);

interface Props {
  readonly id: keyof MessagesOf<'glossary'>['entries'];
  readonly children: ReactNode;
}

/** A term of the glossary where it stands, with what it means. */
export function Term({ id, children }: Props) {
  return (
    <>
      {children}
      <TermHelp id={id} />
    </>
  );
}
