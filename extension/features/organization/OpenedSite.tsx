import { Suspense, useState } from 'react';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { AuthoringPort, ServicePort } from '@repoless/core/plan/ports.ts';
import { Loading } from '../../ui/Loading.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import type { SitePlace } from '../../app/shell/places.ts';
import type { SiteGridRow } from './organization-rows.ts';
import { RemoveSite } from './RemoveSite.tsx';
import { SiteDetails } from './SiteDetails.tsx';
import type { Repair } from './use-repair.ts';
import { late } from '../../ui/lazy-component.tsx';

const CloneSite = late(async () => (await import('./CloneSite.tsx')).CloneSite);

interface Props {
  readonly row: SiteGridRow;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly service: ServicePort;
  /** Of the author that the site's content comes from. */
  readonly authoring: AuthoringPort;
  /** The author at hand. */
  readonly here: string;
  /** A site is being removed or brought back. */
  readonly isMoving: boolean;
  /** The service keeps what was found. */
  readonly isKept: boolean;
  /** The way to the review of the site alone; absent where there is nothing to repair here. */
  readonly repair: Repair | undefined;
  readonly onPlace: (place: SitePlace) => void;
  /** Checks the site with the authoring system; false where that could not be read. */
  readonly onCheck: () => Promise<boolean>;
  readonly onCreated: (siteName: string, isOpen: boolean) => void;
  /** In: the page that goes back to inheriting, where it does. */
  readonly onRemove: (page: { readonly page?: string; readonly cloudConfiguration?: string }) => void;
  readonly onClose: () => void;
}

/** The site that is open beside the list: how it stands, or what it takes to clone or to remove it. */
export function OpenedSite(props: Props) {
  const { row, organization, info, service, authoring, here, isMoving, isKept, repair, onPlace, onCheck, onCreated, onRemove, onClose } =
    props;
  const { general } = useMessages('sites');
  const [doing, setDoing] = useState<'clone' | 'remove'>();
  const { site } = row;
  const hasContent = site.contentRoot !== undefined && site.author !== undefined;
  const cancel = (): void => setDoing(undefined);
  switch (doing) {
    case undefined:
      return (
        <SiteDetails
          row={row}
          organization={organization}
          info={info}
          isDisabled={isMoving}
          isKept={isKept}
          repair={repair}
          onSetup={hasContent ? () => onPlace('setup') : undefined}
          onCheck={hasContent ? onCheck : undefined}
          onClone={hasContent ? () => setDoing('clone') : undefined}
          onRemove={() => setDoing('remove')}
          onHistory={() => onPlace('history')}
          onAccess={() => onPlace('access')}
          onConfiguration={() => onPlace('configuration')}
          onClose={onClose}
        />
      );
    case 'clone':
      return (
        <Suspense fallback={<Loading text={general.loading} />}>
          <CloneSite
            site={site}
            organization={organization}
            service={service}
            authoring={authoring}
            onCreated={onCreated}
            onCancel={cancel}
          />
        </Suspense>
      );
    case 'remove':
      return (
        !isMoving && (
          <RemoveSite
            site={site}
            authoring={authoring}
            info={info}
            here={here}
            onCancel={cancel}
            onRemove={(page) => {
              cancel();
              onRemove(page);
            }}
          />
        )
      );
  }
}
