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
