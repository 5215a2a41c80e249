import { Content } from '@adobe/react-spectrum/Content';
import { ContextualHelp } from '@adobe/react-spectrum/ContextualHelp';
import { Heading } from '@adobe/react-spectrum/Heading';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { useMessages } from './use-messages.ts';

/** The terms of the panel, each with its meaning and where it appears. Needs no network once loaded. */
export function Glossary() {
  const { title, entries } = useMessages('glossary');
  return (
    <section className="rp-glossary" aria-label={title}>
      <dl>
        {Object.entries(entries).map(([id, { term, means }]) => (
          <div key={id}>
            <dt>{term}</dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function TermHelp({ id }: { readonly id: keyof MessagesOf<'glossary'>['entries'] }) {
  const { title, entries } = useMessages('glossary');
  const { term, means } = entries[id];
  return (
    <ContextualHelp variant="help" aria-label={`${title}: ${term}`} UNSAFE_className="rp-term">
      <Heading>{term}</Heading>
      <Content>{means}</Content>
    </ContextualHelp>
  );
}
