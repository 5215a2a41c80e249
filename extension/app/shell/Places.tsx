import { useMessages } from '../../ui/use-messages.ts';
import { AddressLink } from '../../ui/address/AddressLink.tsx';

export interface PlaceLink {
  readonly name: string;
  /** What waits there to be looked at. */
  readonly count?: { readonly shown: number; readonly says: string } | undefined;
  readonly address: string;
  readonly isCurrent: boolean;
}

/** The places of a site or an organization; the one that is shown is marked. */
export function Places({ places }: { readonly places: readonly PlaceLink[] }) {
  const { shell } = useMessages().general;
  return (
    <nav aria-label={shell.places} className="rp-places">
      <ul>
        {places.map(({ name, count, address, isCurrent }) => (
          <li key={name}>
            <AddressLink address={address} current={isCurrent ? 'page' : undefined}>
              {name}
              {count !== undefined && count.shown > 0 && <Count {...count} />}
            </AddressLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ shown, says }: { readonly shown: number; readonly says: string }) {
  return (
    <>
      <span className="rp-places-count" aria-hidden="true">
        {shown}
      </span>
      <span className="rp-hidden"> ({says})</span>
    </>
  );
}
