import { useMessages } from './use-messages.ts';

/** The terms of the panel, each with what it means and where it is seen. Needs no network once it is loaded. */
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
