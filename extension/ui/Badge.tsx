export type BadgeTone = 'positive' | 'notice' | 'negative' | 'info' | 'neutral' | 'yellow';

/** A state in a word beside its colour. Much lighter than a status light: long lists draw dozens of them at each step. */
export function Badge({ tone, text }: { readonly tone: BadgeTone; readonly text: string }) {
  return <span className={`rp-badge rp-badge-${tone}`}>{text}</span>;
}
