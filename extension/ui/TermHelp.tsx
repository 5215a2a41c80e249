import { Content } from '@adobe/react-spectrum/Content';
import { ContextualHelp } from '@adobe/react-spectrum/ContextualHelp';
import { Heading } from '@adobe/react-spectrum/Heading';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { useMessages } from './use-messages.ts';

interface Props {
  readonly id: keyof MessagesOf<'glossary'>['entries'];
}

export function TermHelp({ id }: Props) {
  const { title, entries } = useMessages('glossary');
  const { term, means } = entries[id];
  return (
    <ContextualHelp variant="help" aria-label={`${title}: ${term}`} UNSAFE_className="rp-term">
      <Heading>{term}</Heading>
      <Content>{means}</Content>
    </ContextualHelp>
  );
}
