import type { ReactNode } from 'react';

interface Props {
  readonly className: string;
  /** Without a value, a row is left out. */
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names and their values. */
export function Facts({ className, rows }: Props) {
  return (
    <dl className={className}>
      {rows.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Different sentences, one below the other. */
export function TextList({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul className="rp-plain-list">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
