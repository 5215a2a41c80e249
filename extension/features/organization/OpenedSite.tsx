import { Button } from '@adobe/react-spectrum/Button';
import { TextField } from '@adobe/react-spectrum/TextField';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { AuthoringPort, ServicePort } from '@repoless/core/plan/ports.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import { removedPage, type RemovedPage } from '@repoless/core/sites/plan-removals.ts';
import Alert from '@spectrum-icons/workflow/Alert';
import { useEffect, useState } from 'react';
import { Notice } from '../../ui/Notice.tsx';
import type { SitePlace } from '../../app/shell/places.ts';
import { Loading } from '../../ui/Loading.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { lateView } from '../../ui/lazy-component.tsx';
import { useMessages } from '../../ui/use-messages.ts';
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
        <CloneSite
          site={site}
          organization={organization}
          service={service}
          authoring={authoring}
          onCreated={onCreated}
          onCancel={cancel}
        />
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

interface RemoveSiteProps {
  readonly site: OrganizationSite;
  /** Of the author that the site's content comes from. */
  readonly authoring: Pick<AuthoringPort, 'content' | 'edgeConfiguration'>;
  readonly info: ServiceInfo;
  /** The author at hand. */
  readonly here: string;
  /** In: the page that goes back to inheriting, where it does. */
  readonly onRemove: (page: { readonly page?: string; readonly cloudConfiguration?: string }) => void;
  readonly onCancel: () => void;
}

/** What stops and what stays when a site is removed; its name is typed to confirm. */
export function RemoveSite({ site, authoring, info, here, onRemove, onCancel }: RemoveSiteProps) {
  const { removal } = useMessages('sites');
  const [page, setPage] = useState<RemovedPage>();
  const [typed, setTyped] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  // A page that is read again leaves the focus where the name is typed.
  const heading = useFocusOnArrival<HTMLHeadingElement>(page === undefined ? 'opened' : 'read');
  useEffect(() => {
    let gone = false;
    void removedPage(authoring, site, info).then((found) => {
      if (!gone) setPage(found);
    });
    return () => {
      gone = true;
    };
  }, [authoring, site, info]);
  const confirm = (): void => {
    setSubmitted(true);
    if (typed.trim() !== site.name || page === undefined) return;
    if (page.kind !== 'inherits') return onRemove({});
    const { kind: _kind, ...inheriting } = page;
    onRemove(inheriting);
  };
  return (
    <section className="rp-card" aria-labelledby="rp-remove">
      <h2 id="rp-remove" tabIndex={-1} ref={heading}>
        {removal.title({ site: site.name })}
      </h2>
      {page === undefined ? (
        <Loading text={removal.reading} />
      ) : (
        <>
          {site.contentRoot !== undefined && site.author !== undefined && (
            <p>{removal.where({ page: site.contentRoot, author: site.author, isHere: site.author === here })}</p>
          )}
          <PageWarning page={page} />
          <h3>{removal.stops}</h3>
          <ul>
            <li>{removal.stopsList.addresses({ site: site.name })}</li>
            <li>{removal.stopsList.publishing}</li>
            {page.kind === 'inherits' && <li>{removal.stopsList.page({ page: page.page })}</li>}
          </ul>
          <h3>{removal.stays}</h3>
          <ul>
            <li>{removal.staysList.content}</li>
            {page.kind === 'inherits' && page.cloudConfiguration !== undefined && (
              <li>{removal.staysList.configuration({ configuration: page.cloudConfiguration })}</li>
            )}
            <li>{removal.staysList.versions}</li>
            <li>{removal.staysList.others}</li>
            {page.kind === 'kept' && !page.repoless && <li>{removal.pageKept({ page: page.page })}</li>}
            {page.kind === 'gone' && <li>{removal.pageGone({ page: page.page })}</li>}
          </ul>
          <TextField
            label={removal.confirm}
            value={typed}
            onChange={setTyped}
            onKeyDown={(event) => (event.key === 'Enter' ? confirm() : event.continuePropagation())}
            width="100%"
            autoComplete="off"
            {...(isSubmitted && typed.trim() !== site.name
              ? { validationState: 'invalid' as const, errorMessage: removal.confirmProblem({ site: site.name }) }
              : {})}
          />
        </>
      )}
      <div className="rp-actions">
        <Button variant="negative" isDisabled={page === undefined || typed.trim() !== site.name} onPress={confirm}>
          {removal.now}
        </Button>
        <Button variant="secondary" onPress={onCancel}>
          {removal.cancel}
        </Button>
      </div>
    </section>
  );
}

/** The authoring system would go on naming a site that is gone. */
function PageWarning({ page }: { readonly page: RemovedPage }) {
  const { removal } = useMessages('sites');
  const warning = page.kind === 'unread' ? removal.pageUnread : page.kind === 'kept' && page.repoless ? removal.repoless : undefined;
  if (warning === undefined || page.kind === 'none') return null;
  return (
    <Notice tone="warning" icon={Alert} role="note">
      <p>{warning.sentence({ page: page.page })}</p>
      <p className="rp-next">{warning.next}</p>
    </Notice>
  );
}
