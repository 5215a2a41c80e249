import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { AuthoringPort, ServicePort } from '@repoless/core/plan/ports.ts';
import { useState } from 'react';
import type { SitePlace } from '../../app/shell/places.ts';
import { lazyView } from '../../ui/lazy-component.tsx';
import type { Repair } from './ChosenBar.tsx';
import { SiteDetails } from './SiteDetails.tsx';
import type { SiteGridRow } from './organization-rows.tsx';

const CloneSite = lazyView(async () => (await import('./CloneSite.tsx')).CloneSite);

interface Props {
  readonly row: SiteGridRow;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly service: ServicePort;
  /** Of the author of the site's content. */
  readonly authoring: AuthoringPort;
  readonly isMoving: boolean;
  readonly isKept: boolean;
  /** Leads to the review of only this site; absent if there is nothing to repair here. */
  readonly repair: Repair | undefined;
  readonly onPlace: (place: SitePlace) => void;
  /** Checks the site with the authoring system; false if that could not be read. */
  readonly onCheck: () => Promise<boolean>;
  readonly onCreated: (siteName: string, isOpen: boolean) => void;
  /** Absent if what is deleted with it cannot be read. */
  readonly onRemove: (() => void) | undefined;
  readonly onClose: () => void;
}

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
