import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import HistoryIcon from '@spectrum-icons/workflow/History';
import Settings from '@spectrum-icons/workflow/Settings';
import UserLock from '@spectrum-icons/workflow/UserLock';
import type { Situation } from '#extension/setup/situation.ts';
import { Badge } from '../shared/Badge.tsx';
import { useGlossary } from '../shared/use-glossary.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Tone } from './step-view.ts';

interface Props {
  readonly situation: Situation;
  readonly state: { readonly label: string; readonly tone: Tone };
  /** Opens the history of the page's site; absent while it has no name. */
  readonly onHistory: (() => void) | undefined;
  /** Opens who may do what on the page's site; absent while there is no site. */
  readonly onAccess: (() => void) | undefined;
  /** Opens the configuration of the page's site; absent while there is no site. */
  readonly onConfiguration: (() => void) | undefined;
}

/** Which page this is, its state, and help with the words of the panel. */
export function PageHeader({ situation, state, onHistory, onAccess, onConfiguration }: Props) {
  const messages = useMessages();
  const { settings, profile } = situation;
  const glossary = useGlossary();
  return (
    <>
      <header className="rp-header">
        <div className="rp-header-text">
          <p className="rp-eyebrow">{messages.page.eyebrow}</p>
          <h1>{settings.title ?? settings.siteRoot}</h1>
          <p className="rp-quiet rp-code">{settings.siteRoot}</p>
          {settings.page !== settings.siteRoot && <p className="rp-quiet">{messages.page.openedFrom(settings.page)}</p>}
        </div>
        <div className="rp-header-state">
          <Badge tone={state.tone} text={state.label} />
          {profile.state === 'known' && <span className="rp-quiet">{messages.page.signedInAs(profile.value.email)}</span>}
          <div className="rp-actions">
            {onHistory !== undefined && (
              <ActionButton onPress={onHistory}>
                <HistoryIcon />
                <Text>{messages.history.open}</Text>
              </ActionButton>
            )}
            {onAccess !== undefined && (
              <ActionButton onPress={onAccess}>
                <UserLock />
                <Text>{messages.access.open}</Text>
              </ActionButton>
            )}
            {onConfiguration !== undefined && (
              <ActionButton onPress={onConfiguration}>
                <Settings />
                <Text>{messages.configuration.open}</Text>
              </ActionButton>
            )}
            {glossary.button}
          </div>
        </div>
      </header>
      {glossary.text}
    </>
  );
}
