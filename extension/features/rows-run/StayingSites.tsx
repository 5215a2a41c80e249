import { Fold } from '../../ui/Fold.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';

export interface StayingSite {
  readonly name: string;
  /** The same for sites that stay for the same reason, whatever names their sentences contain. */
  readonly cause: string;
  readonly sentence: string;
}

interface Props {
  readonly title: string;
  readonly sites: readonly StayingSite[];
  /** The sentence for several sites with one cause; if absent or undefined, that of the first. */
  readonly sentenceOf?: (cause: string, count: number) => string | undefined;
}

/** The sites to which nothing happens: their number, and each reason once. */
export function StayingSites({ title, sites, sentenceOf = () => undefined }: Props) {
  const { review, events } = useMessages('sites');
  if (sites.length === 0) return null;
  return (
    <Notice tone="warning" role="group" label={title} title={title}>
      <ul className="rp-plain-list">
        {[...byCause(sites)].map(([cause, ofOne]) => {
          const [{ name, sentence }] = ofOne;
          if (ofOne.length === 1) return <li key={cause}>{`${name}: ${sentence}`}</li>;
          const isAlike = ofOne.every((one) => one.sentence === sentence);
          const text = isAlike ? sentence : (sentenceOf(cause, ofOne.length) ?? review.example({ site: name, sentence }));
          return (
            <li key={cause}>
              <p>{text}</p>
              <Fold title={events.sites({ count: ofOne.length })} of={text}>
                <ul className="rp-plain-list rp-staying">
                  {ofOne.map((one) => (
                    <li key={one.name}>{isAlike ? one.name : `${one.name}: ${one.sentence}`}</li>
                  ))}
                </ul>
              </Fold>
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

function byCause(sites: readonly StayingSite[]): ReadonlyMap<string, readonly [StayingSite, ...StayingSite[]]> {
  const groups = new Map<string, [StayingSite, ...StayingSite[]]>();
  for (const site of sites) {
    const group = groups.get(site.cause);
    if (group === undefined) groups.set(site.cause, [site]);
    else group.push(site);
  }
  return groups;
}
