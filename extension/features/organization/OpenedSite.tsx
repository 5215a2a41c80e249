import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { AuthoringPort, ServicePort } from '@repoless/core/plan/ports.ts';
import { useState } from 'react';
import type { SitePlace } from '../../app/shell/places.ts';
import { lateView } from '../../ui/lazy-component.tsx';
import type { Repair } from './ChosenBar.tsx';
import { SiteDetails } from './SiteDetails.tsx';
import type { SiteGridRow } from './organization-rows.tsx';

const CloneSite = lateView(async () => (await import('./CloneSite.tsx')).CloneSite);

interface Props {
  readonly row: SiteGridRow;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly service: ServicePort;
  /** Of the author that the site's content comes from. */
  readonly authoring: AuthoringPort;
  /** A site is being brought back. */
  readonly isMoving: boolean;
  /** The service keeps what was found. */
  readonly isKept: boolean;
  /** The way to the review of the site alone; absent where there is nothing to repair here. */
  readonly repair: Repair | undefined;
  readonly onPlace: (place: SitePlace) => void;
  /** Checks the site with the authoring system; false where that could not be read. */
  readonly onCheck: () => Promise<boolean>;
  readonly onCreated: (siteName: string, isOpen: boolean) => void;
  /** Absent where nobody can read what goes with it. */
  readonly onRemove: (() => void) | undefined;
  readonly onClose: () => void;
}

/** The site that is open beside the list: how it stands, or what it takes to clone it. */
export function OpenedSite(props: Props) {
  const { row, organization, info, service, authoring, isMoving, isKept, repair, onPlace, onCheck, onCreated, onRemove, onClose } = props;
  const [isCloning, setCloning] = useState(false);
  const { site } = row;
  const hasContent = site.contentRoot !== undefined && site.author !== undefined;
  return isCloning ? (
    <CloneSite
      site={site}
      organization={organization}
      service={service}
      authoring={authoring}
      onCreated={onCreated}
      onCancel={() => setCloning(false)}
    />
  ) : (
    <SiteDetails
      row={row}
      organization={organization}
      info={info}
      isDisabled={isMoving}
      isKept={isKept}
      repair={repair}
      onSetup={hasContent ? () => onPlace('setup') : undefined}
      onCheck={hasContent ? onCheck : undefined}
      onClone={hasContent ? () => setCloning(true) : undefined}
      onRemove={onRemove}
      onHistory={() => onPlace('history')}
      onAccess={() => onPlace('access')}
      onConfiguration={() => onPlace('configuration')}
      onClose={onClose}
    />
  );
}
